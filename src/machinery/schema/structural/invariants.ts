import { type FieldError, forbidden, invalid, required } from "../../field-error.ts";
import type { FieldPath } from "../../field-path.ts";
import type { JsonSchema } from "../json-schema.ts";
import { compilePattern } from "../pattern.ts";
import { metadataInvariants } from "./metadata-rules.ts";
import { additionalSchema, itemsOf, sortedProperties } from "./subschemas.ts";

/** Where a schema stands: at the root of a resource, below a field, or as that of the items of a list. */
export type Level = "root" | "field" | "item";

const whyTyped: { readonly [level in Level]: string } = {
  root: "must not be empty at the root",
  field: "must not be empty for specified object fields",
  item: "must not be empty for specified array items",
};

/** What keeps a schema and those below it from being structural. */
export function structuralErrors(schema: JsonSchema, level: Level, path: FieldPath): readonly FieldError[] {
  const errors: FieldError[] = [];
  collect(schema, level, { path, errors });
  return errors;
}

/** Where a schema stands, and where what is wrong with it is put. */
interface Place {
  readonly path: FieldPath;
  readonly errors: FieldError[];
}

function collect(schema: JsonSchema, level: Level, place: Place): void {
  const { path, errors } = place;
  const items = itemsOf(schema);
  const additional = additionalSchema(schema);
  const hasAdditional = schema.additionalProperties !== undefined;
  if (schema.type === "array" && items === undefined) errors.push(required(path.child("items"), "must be specified"));
  if (items !== undefined) collect(items, "item", { ...place, path: path.child("items") });
  for (const [name, property] of sortedProperties(schema)) {
    collect(property, "field", { ...place, path: path.child("properties").key(name) });
  }
  if (hasAdditional && level === "root") {
    errors.push(forbidden(path.child("additionalProperties"), "must not be used at the root"));
  }
  if (additional !== undefined) collect(additional, "field", { ...place, path: path.child("additionalProperties") });
  checkExtensions(schema, place);
  checkValidations(schema, place, { skipAnyOf: isIntOrStringPattern(schema.anyOf) });
  checkType(schema, level, place);
  if (schema["x-kubernetes-embedded-resource"] === true && hasAdditional) {
    const why = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbidden(path.child("additionalProperties"), why));
  }
  errors.push(...metadataInvariants(schema, level, path));
}

function checkExtensions(schema: JsonSchema, { path, errors }: Place): void {
  if (schema["x-kubernetes-int-or-string"] !== true) return;
  for (const name of ["x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"] as const) {
    if (schema[name] !== true) continue;
    errors.push(invalid(path.child(name), true, "must be false if x-kubernetes-int-or-string is true"));
  }
}

function checkType(schema: JsonSchema, level: Level, { path, errors }: Place): void {
  const { type = "" } = schema;
  if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
    const why = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? required(path.child("type"), why) : invalid(path.child("type"), type, why));
  } else if (type === "" && !isTypeless(schema)) {
    errors.push(required(path.child("type"), whyTyped[level]));
  }
  if (level === "root" && type !== "" && type !== "object") {
    errors.push(invalid(path.child("type"), type, "must be object at the root"));
  }
}

function isTypeless(schema: JsonSchema): boolean {
  return schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
}

interface Skips {
  /** True where anyOf says nothing but what int-or-string says. */
  readonly skipAnyOf: boolean;
}

const skipNothing: Skips = { skipAnyOf: false };

function checkValidations(schema: JsonSchema, place: Place, { skipAnyOf }: Skips): void {
  const { path, errors } = place;
  const { anyOf = [], allOf = [], oneOf = [], not, pattern = "" } = schema;
  const branches = (name: string, list: readonly JsonSchema[], skips: (index: number) => Skips): void =>
    list.forEach((branch, index) =>
      collectBranch(branch, { ...place, path: path.child(name).index(index) }, skips(index)),
    );
  if (!skipAnyOf) branches("anyOf", anyOf, () => skipNothing);
  branches("allOf", allOf, (index) => ({ skipAnyOf: index === 0 && isIntOrStringPattern(allOf[0]?.anyOf) }));
  branches("oneOf", oneOf, () => skipNothing);
  if (not !== undefined) collectBranch(not, { ...place, path: path.child("not") }, skipNothing);
  if (pattern === "") return;
  const compiled = compilePattern(pattern);
  if (compiled.kind === "broken") {
    const why = `must be a valid regular expression, but isn't: ${compiled.why}`;
    errors.push(invalid(path.child("pattern"), pattern, why));
  }
}

const emptyInBranches = ["title", "description"] as const;
const falseInBranches = [
  "nullable",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
] as const;

/** Branches of allOf, anyOf, oneOf and not may restrict values, never describe structure. */
function collectBranch(schema: JsonSchema, place: Place, skips: Skips): void {
  const { path, errors } = place;
  const items = itemsOf(schema);
  checkValidations(schema, place, skips);
  if (items !== undefined) collectBranch(items, { ...place, path: path.child("items") }, skipNothing);
  for (const [name, property] of sortedProperties(schema)) {
    collectBranch(property, { ...place, path: path.child("properties").key(name) }, skipNothing);
  }
  const isSet = (name: string, set: boolean, why: string): void => {
    if (set) errors.push(forbidden(path.child(name), why));
  };
  isSet("type", (schema.type ?? "") !== "", "must be empty to be structural");
  const additional = schema.additionalProperties;
  isSet("additionalProperties", additional !== undefined && additional !== false, "must be undefined to be structural");
  isSet("default", (schema.default ?? null) !== null, "must be undefined to be structural");
  for (const name of emptyInBranches) isSet(name, (schema[name] ?? "") !== "", "must be empty to be structural");
  for (const name of falseInBranches) isSet(name, schema[name] === true, "must be false to be structural");
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  isSet("x-kubernetes-list-map-keys", keys.length > 0, "must be empty to be structural");
  for (const name of ["x-kubernetes-list-type", "x-kubernetes-map-type"] as const) {
    isSet(name, schema[name] !== undefined, "must be undefined to be structural");
  }
  const rules = schema["x-kubernetes-validations"] ?? [];
  isSet("x-kubernetes-validations", rules.length > 0, "must be empty to be structural");
  if (Object.hasOwn(schema.properties ?? {}, "metadata")) {
    errors.push(forbidden(path.child("properties").key("metadata"), "must not be specified in a nested context"));
  }
}

function isIntOrStringPattern(anyOf: readonly JsonSchema[] | undefined): boolean {
  if (anyOf?.length !== 2) return false;
  return ["integer", "string"].every((type, index) => {
    const branch = anyOf[index] ?? {};
    return branch.type === type && Object.keys(branch).length === 1;
  });
}
