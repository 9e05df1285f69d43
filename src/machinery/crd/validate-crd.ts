import { deepEqual } from "../equal.ts";
import { type FieldError, invalid, notSupported, PrintedValue, required } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { StructuralOptions } from "../schema/structural/check-structural.ts";
import { someSchema } from "../schema/structural/subschemas.ts";
import { approvalErrors } from "./api-approval.ts";
import { conversionErrors } from "./conversion-checks.ts";
import type { CustomResourceDefinition, DefinitionSpec, DefinitionVersion } from "./definition.ts";
import { type InternalForm, internalForm, printGoVersions } from "./internal-form.ts";
import { groupErrors, immutableError, labelError, missingNames, nameErrors } from "./name-checks.ts";
import { firmRules, type Rules, rulesAfter } from "./relaxed-rules.ts";
import { storedVersionErrors } from "./stored-versions.ts";
import { commonErrors, versionErrors } from "./version-checks.ts";

/** What `validateCrd` leaves to others: `checkRules` is asked about the CEL rules of a schema that is fine otherwise. */
export type CrdOptions = Pick<StructuralOptions, "checkRules">;

/**
 * What is wrong with a definition that has its defaults, on create or, beside its old form, on update. Of metadata it
 * checks nothing but that the name is made of plural and group.
 */
export function validateCrd(
  definition: CustomResourceDefinition,
  old?: CustomResourceDefinition,
  options: CrdOptions = {},
): readonly FieldError[] {
  const { spec, status } = definition;
  const path = FieldPath.of("spec");
  const rules = old === undefined ? firmRules : rulesAfter(old, definition);
  const accepted = status?.acceptedNames;
  return [
    ...(old === undefined ? ownNameErrors(definition) : []),
    ...specErrors(spec, path, { ...rules, ...options }),
    ...(old === undefined ? [] : changeErrors(spec, old.spec, rules)),
    ...(accepted === undefined ? [] : nameErrors(accepted, FieldPath.of("status", "acceptedNames"))),
    ...storedVersionErrors(definition),
    ...approvalErrors(definition, old),
    ...preserveErrors(definition, old),
  ];
}

/** What is wrong with a definition whose status alone is written. */
export function validateCrdStatus({ status }: CustomResourceDefinition): readonly FieldError[] {
  const accepted = status?.acceptedNames;
  return accepted === undefined ? [] : nameErrors(accepted, FieldPath.of("status", "acceptedNames"));
}

function ownNameErrors({ metadata, spec }: CustomResourceDefinition): readonly FieldError[] {
  const { name = "" } = metadata;
  if (name === "" || name === `${spec.names.plural}.${spec.group}`) return [];
  return [invalid(FieldPath.of("metadata", "name"), name, 'must be spec.names.plural+"."+spec.group')];
}

type SpecRules = Rules & CrdOptions;

function specErrors(spec: DefinitionSpec, path: FieldPath, rules: SpecRules): readonly FieldError[] {
  const form = internalForm(spec);
  const { common } = form;
  const { conversion } = spec;
  const preserves = spec.preserveUnknownFields === true;
  const structural = rules.requireStructural || !preserves || hasExtensions(spec);
  const options = { ...rules, requireStructural: structural };
  return [
    ...groupErrors(spec.group, path.child("group")),
    ...scopeErrors(spec.scope, path.child("scope")),
    ...missingSchemas(form, path, { preserves, requireSchemas: rules.requireSchemas }),
    ...(preserves && hasDefaults(spec)
      ? [invalid(path.child("preserveUnknownFields"), true, "must be false in order to use defaults in the schema")]
      : []),
    ...form.versions.flatMap((version, index) =>
      oneVersionErrors(version, path.child("versions").index(index), { form, options }),
    ),
    ...versionListErrors(form, path.child("versions")),
    // Kubernetes still keeps the first version under this old name as well.
    ...form.versions.slice(0, 1).flatMap(({ name }) => (name === "" ? [] : labelError(name, path.child("version")))),
    ...missingNames(spec.names, path.child("names")),
    ...nameErrors(spec.names, path.child("names")),
    ...commonErrors(common, path, {
      ...options,
      hasStatus: hasAnyStatus(form),
      allowTooManySelectable: rules.tooManySelectable.has(""),
    }),
    ...(conversion !== undefined && conversion.strategy !== "None" && preserves
      ? [
          invalid(
            path.child("conversion", "strategy"),
            conversion.strategy,
            "must be None if spec.preserveUnknownFields is true",
          ),
        ]
      : []),
    ...(conversion === undefined ? [] : conversionErrors(conversion, path.child("conversion"), rules)),
  ];
}

function scopeErrors(scope: string, path: FieldPath): readonly FieldError[] {
  if (scope === "") return [required(path)];
  const known = ["Cluster", "Namespaced"];
  return known.includes(scope) ? [] : [notSupported(path, scope, known)];
}

function missingSchemas(
  { common, versions }: InternalForm,
  path: FieldPath,
  { preserves, requireSchemas }: { readonly preserves: boolean; readonly requireSchemas: boolean },
): readonly FieldError[] {
  if (common.schema?.openAPIV3Schema !== undefined || (!requireSchemas && preserves)) return [];
  return versions.flatMap(({ schema, served }, index) => {
    if (schema?.openAPIV3Schema !== undefined || !(served || requireSchemas)) return [];
    const at = path.child("versions").index(index).child("schema", "openAPIV3Schema");
    return [required(at, requireSchemas ? "" : "because otherwise all fields are pruned")];
  });
}

function oneVersionErrors(
  version: DefinitionVersion,
  path: FieldPath,
  { form, options }: { readonly form: InternalForm; readonly options: SpecRules },
): readonly FieldError[] {
  const each = form.versions.some(({ subresources }) => subresources !== undefined);
  const subresources = each ? version.subresources : form.common.subresources;
  return [
    ...labelError(version.name, path.child("name")),
    ...versionErrors(version, path, {
      ...options,
      hasStatus: subresources?.status !== undefined,
      allowTooManySelectable: options.tooManySelectable.has(version.name),
    }),
  ];
}

function versionListErrors({ versions }: InternalForm, path: FieldPath): readonly FieldError[] {
  const refuse = (why: string): FieldError => invalid(path, new PrintedValue(printGoVersions(versions)), why);
  const isUnique = new Set(versions.map(({ name }) => name)).size === versions.length;
  const stored = versions.filter(({ storage }) => storage).length;
  return [
    ...(isUnique ? [] : [refuse("must contain unique version names")]),
    ...(stored === 1 ? [] : [refuse("must have exactly one version marked as storage version")]),
  ];
}

function changeErrors(spec: DefinitionSpec, old: DefinitionSpec, { namesAreFixed }: Rules): readonly FieldError[] {
  const names = FieldPath.of("spec", "names");
  return [
    ...(namesAreFixed ? immutableError(spec.scope, old.scope, FieldPath.of("spec", "scope")) : []),
    ...(namesAreFixed ? immutableError(spec.names.kind, old.names.kind, names.child("kind")) : []),
    ...immutableError(spec.group, old.group, FieldPath.of("spec", "group")),
    ...immutableError(spec.names.plural, old.names.plural, names.child("plural")),
  ];
}

function preserveErrors(
  { spec }: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): readonly FieldError[] {
  if (spec.preserveUnknownFields !== true || old?.spec.preserveUnknownFields === true) return [];
  const why = "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead";
  return [invalid(FieldPath.of("spec", "preserveUnknownFields"), true, why)];
}

function hasAnyStatus({ common, versions }: InternalForm): boolean {
  return [common, ...versions].some(({ subresources }) => subresources?.status !== undefined);
}

function hasDefaults(spec: DefinitionSpec): boolean {
  return schemasOf(spec).some((schema) => someSchema(schema, (below) => (below.default ?? null) !== null));
}

function hasExtensions(spec: DefinitionSpec): boolean {
  return schemasOf(spec).some((schema) =>
    someSchema(schema, (below) => Object.keys(below).some((name) => name.startsWith("x-kubernetes-"))),
  );
}

function schemasOf({ versions }: DefinitionSpec): readonly JsonSchema[] {
  const schemas = versions.map(({ schema }) => schema?.openAPIV3Schema).filter((schema) => schema !== undefined);
  return schemas.filter((schema, index) => schemas.findIndex((other) => deepEqual(other, schema)) === index);
}
