import type { ClusterClassVariable } from "#api";
import { quote } from "#base";
import type { MinorVersion } from "#cel";
import { fieldAt, type FieldError, type FieldPath, invalid, required } from "#machinery";
import { metadataErrors, schemaMetadataErrors } from "./metadata-errors.ts";
import { schemaErrors } from "./schema-errors.ts";
import { schemaOf } from "./schema-of.ts";
import { type Circumstances, isKnownSound, likenessOf, rememberSound } from "./sound-schemas.ts";

/** What checking definitions can take into account besides them. */
export interface DefinitionOptions {
  /** The definitions before the change. */
  readonly old?: readonly ClusterClassVariable[];
  /** What new CEL expressions may use, unless it is what the current version of Kubernetes lets them use. */
  readonly celVersion?: MinorVersion;
}

/** Everything wrong with the definitions of variables, found at a path: repeated names first, then one by one. */
export function validateDefinitions(
  variables: readonly ClusterClassVariable[],
  path: FieldPath,
  { old = [], celVersion }: DefinitionOptions = {},
): readonly FieldError[] {
  const before = new Map(old.map((variable) => [variable.name, variable]));
  return [
    ...repeatedNameErrors(variables, path),
    ...variables.flatMap((variable) =>
      definitionErrors(variable, path.key(variable.name), { old: before.get(variable.name), celVersion }),
    ),
  ];
}

function repeatedNameErrors(variables: readonly ClusterClassVariable[], path: FieldPath): readonly FieldError[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name }) => {
    const isFirst = !seen.has(name);
    seen.add(name);
    if (isFirst) return [];
    const detail = `variable name must be unique. Variable with name ${quote(name)} is defined more than once`;
    return [invalid(path.key(name).child("name"), name, detail)];
  });
}

interface OldDefinition {
  readonly old: ClusterClassVariable | undefined;
  readonly celVersion: MinorVersion | undefined;
}

function definitionErrors(
  variable: ClusterClassVariable,
  path: FieldPath,
  { old, celVersion }: OldDefinition,
): readonly FieldError[] {
  const source = fieldAt(variable, "schema", "openAPIV3Schema");
  const before = old && fieldAt(old, "schema", "openAPIV3Schema");
  return [
    ...nameErrors(variable.name, path.child("name")),
    ...metadataErrors(variable.deprecatedV1Beta1Metadata, path.child("deprecatedV1Beta1Metadata")),
    ...sourceErrors(source, path.child("schema", "openAPIV3Schema"), { before, celVersion }),
  ];
}

/** What is wrong with a schema as it was written; one that is like a sound one need not be looked at more closely. */
function sourceErrors(source: unknown, at: FieldPath, circumstances: Circumstances): readonly FieldError[] {
  const likeness = likenessOf(source, circumstances);
  if (likeness !== undefined && isKnownSound(likeness)) return [];
  const { before, celVersion } = circumstances;
  const { schema, errors, hasMetadata } = schemaOf(source, at);
  const oldSchema = before === undefined ? undefined : schemaOf(before, at).schema;
  const found = [
    ...(hasMetadata ? schemaMetadataErrors(source, at) : []),
    ...(errors.length > 0 ? errors : schemaErrors(schema, at, { oldSchema, celVersion })),
  ];
  if (likeness !== undefined && found.length === 0) rememberSound(likeness);
  return found;
}

/** Patches read the values that the program itself knows under this name. */
const reservedName = "builtin";

function nameErrors(name: string, at: FieldPath): readonly FieldError[] {
  return [
    ...(name === "" ? [required(at, "variable name must be defined")] : []),
    ...(name === reservedName ? [invalid(at, name, `${quote(reservedName)} is a reserved variable name`)] : []),
    ...(name.includes(".") ? [invalid(at, name, 'variable name cannot contain "."')] : []),
  ];
}
