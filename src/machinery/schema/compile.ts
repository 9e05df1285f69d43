import type { FieldError } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import type { Json } from "../json.ts";
import { compileAcceptance } from "./acceptance.ts";
import { Correlation } from "./correlation.ts";
import { compileDefaults } from "./defaults.ts";
import { embeddedResourceErrors, malformedResource } from "./embedded.ts";
import type { JsonSchema } from "./json-schema.ts";
import { listTypeErrors } from "./list-types.ts";
import { prune } from "./prune.ts";
import { report } from "./report.ts";
import { readSchema, type SchemaNode } from "./schema-node.ts";
import { unknownFields } from "./unknown-fields.ts";
import { fieldErrorsOf } from "./violation.ts";

/** A schema made ready to be applied to many values. Nothing it returns is changed in place later. */
export interface CompiledSchema {
  /** Why a value cannot be read at all: an embedded resource has metadata of other types than ObjectMeta. */
  malformed(value: Json): FieldError | undefined;
  /**
   * Drops fields that the schema does not know and nulls that mean nothing; the same value if there are none. What is
   * the very same in an older value that came from here is passed over.
   */
  prune(value: Json, older?: Json): Json;
  /** Where the fields are that `prune` drops because nobody knows them; to be asked when it changed something. */
  unknownFields(value: Json): readonly string[];
  /** Fills in defaults, also inside lists and maps; the same value if there is nothing to fill in. */
  applyDefaults(value: Json): Json;
  /**
   * One quick walk: true where `validate` would find nothing. What is the very same in an older value that was accepted
   * is passed over.
   */
  accepts(value: Json, accepted?: Json): boolean;
  /** Everything that is wrong with a value: keywords, embedded resources, repeated members of sets and list maps. */
  validate(value: Json, path?: FieldPath): readonly FieldError[];
  /** The same for an update, where what did not change is not held against the value. */
  validateUpdate(value: Json, old: Json, path?: FieldPath): readonly FieldError[];
  /** The parts of `validate`, for callers that put checks of their own between them. */
  readonly parts: SchemaChecks;
  /** The schema of one field; undefined where the schema does not name it. */
  property(name: string): CompiledSchema | undefined;
}

/** The checks of a schema one by one, in the order in which their errors are reported. */
export interface SchemaChecks {
  keywords(value: Json, path?: FieldPath): readonly FieldError[];
  keywordsOnUpdate(value: Json, old: Json, path?: FieldPath): readonly FieldError[];
  embeddedResources(value: Json, path?: FieldPath): readonly FieldError[];
  listTypes(value: Json, path?: FieldPath): readonly FieldError[];
}

/** What a schema describes: a resource, whose apiVersion, kind and metadata need not be named, or any other value. */
export interface SchemaOptions {
  readonly root?: "resource" | "value";
}

/** Compiles a schema. Throws a SchemaTooDeepError where it is nested too deeply. */
export function compileSchema(schema: JsonSchema, { root = "resource" }: SchemaOptions = {}): CompiledSchema {
  return compileNode(readSchema(schema), root);
}

function compileNode(node: SchemaNode, root: "resource" | "value"): CompiledSchema {
  const pruning = root === "resource" ? { ...node, embedded: true } : node;
  const applyDefaults = compileDefaults(node) ?? ((value: Json) => value);
  const accepts = compileAcceptance(node);
  const parts = checksOf(node);
  const compiled = new Map<string, CompiledSchema>();
  return {
    malformed: (value) => malformedResource(node, value, FieldPath.root),
    prune: (value, older) => prune(pruning, value, older),
    unknownFields: (value) => unknownFields(pruning, value),
    applyDefaults,
    accepts,
    validate: (value, path) => (accepts(value) ? [] : allErrors(parts, value, path)),
    validateUpdate: (value, old, path) => (accepts(value) ? [] : updateErrors(parts, { value, old, path })),
    parts,
    property: (name) => {
      const child = node.properties.get(name);
      if (child !== undefined && !compiled.has(name)) compiled.set(name, compileNode(child, "value"));
      return compiled.get(name);
    },
  };
}

function checksOf(node: SchemaNode): SchemaChecks {
  return {
    keywords: (value, path = FieldPath.root) => keywordErrors(node, value, { path, before: undefined }),
    keywordsOnUpdate: (value, old, path = FieldPath.root) =>
      keywordErrors(node, value, { path, before: new Correlation(value, old, node) }),
    embeddedResources: (value, path = FieldPath.root) => embeddedResourceErrors(node, value, path),
    listTypes: (value, path = FieldPath.root) => listTypeErrors(node, value, path),
  };
}

function keywordErrors(
  node: SchemaNode,
  value: Json,
  { path, before }: { readonly path: FieldPath; readonly before: Correlation | undefined },
): readonly FieldError[] {
  return fieldErrorsOf(report(node, value, { at: "", before }).violations, path);
}

function allErrors(parts: SchemaChecks, value: Json, path: FieldPath | undefined): readonly FieldError[] {
  return [...parts.keywords(value, path), ...parts.embeddedResources(value, path), ...parts.listTypes(value, path)];
}

function updateErrors(
  parts: SchemaChecks,
  { value, old, path }: { readonly value: Json; readonly old: Json; readonly path: FieldPath | undefined },
): readonly FieldError[] {
  // Lists that were wrong already before stay unchecked as a whole, as in Kubernetes.
  const listsWereFine = parts.listTypes(old, path).length === 0;
  return [
    ...parts.keywordsOnUpdate(value, old, path),
    ...parts.embeddedResources(value, path),
    ...(listsWereFine ? parts.listTypes(value, path) : []),
  ];
}
