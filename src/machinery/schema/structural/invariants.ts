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
  const items = itemsOf(schema);
  const additional = additionalSchema(schema);
  const hasAdditional = schema.additionalProperties !== undefined;
  const errors: FieldError[] = [];
  if (schema.type === "array" && items === undefined) errors.push(required(path.child("items"), "must be specified"));
  if (items !== undefined) errors.push(...structuralErrors(items, "item", path.child("items")));
  for (const [name, property] of sortedProperties(schema)) {
    errors.push(...structuralErrors(property, "field", path.child("properties").key(name)));
  }
  if (hasAdditional && level === "root") {
    errors.push(forbidden(path.child("additionalProperties"), "must not be used at the root"));
  }
  if (additional !== undefined)
    errors.push(...structuralErrors(additional, "field", path.child("additionalProperties")));
  errors.push(
    ...extensionErrors(schema, path),
    ...validationErrors(schema, path, { skipAnyOf: isIntOrStringPattern(schema.anyOf) }),
    ...typeErrors(schema, level, path),
  );
  if (schema["x-kubernetes-embedded-resource"] === true && hasAdditional) {
    const why = "must not be used if x-kubernetes-embedded-resource is set";
    errors.push(forbidden(path.child("additionalProperties"), why));
  }
  return [...errors, ...metadataInvariants(schema, level, path)];
}

function extensionErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  if (schema["x-kubernetes-int-or-string"] !== true) return [];
  return ["x-kubernetes-preserve-unknown-fields" as const, "x-kubernetes-embedded-resource" as const]
    .filter((name) => schema[name] === true)
    .map((name) => invalid(path.child(name), true, "must be false if x-kubernetes-int-or-string is true"));
}

function typeErrors(schema: JsonSchema, level: Level, path: FieldPath): readonly FieldError[] {
  const at = path.child("type");
  const { type = "" } = schema;
  const errors: FieldError[] = [];
  if (schema["x-kubernetes-embedded-resource"] === true && type !== "object") {
    const why = "must be object if x-kubernetes-embedded-resource is true";
    errors.push(type === "" ? required(at, why) : invalid(at, type, why));
  } else if (type === "" && !isTypeless(schema)) {
    errors.push(required(at, whyTyped[level]));
  }
  if (level === "root" && type !== "" && type !== "object")
    errors.push(invalid(at, type, "must be object at the root"));
  return errors;
}

function isTypeless(schema: JsonSchema): boolean {
  return schema["x-kubernetes-int-or-string"] === true || schema["x-kubernetes-preserve-unknown-fields"] === true;
}

interface Skips {
  /** True where anyOf says nothing but what int-or-string says. */
  readonly skipAnyOf: boolean;
}

function validationErrors(schema: JsonSchema, path: FieldPath, { skipAnyOf }: Skips): readonly FieldError[] {
  const { anyOf = [], allOf = [], oneOf = [], not, pattern = "" } = schema;
  const skipNothing: Skips = { skipAnyOf: false };
  const errors: FieldError[] = [];
  if (!skipAnyOf) {
    anyOf.forEach((branch, index) =>
      errors.push(...nestedErrors(branch, path.child("anyOf").index(index), skipNothing)),
    );
  }
  allOf.forEach((branch, index) => {
    const skips = { skipAnyOf: index === 0 && isIntOrStringPattern(branch.anyOf) };
    errors.push(...nestedErrors(branch, path.child("allOf").index(index), skips));
  });
  oneOf.forEach((branch, index) => errors.push(...nestedErrors(branch, path.child("oneOf").index(index), skipNothing)));
  if (not !== undefined) errors.push(...nestedErrors(not, path.child("not"), skipNothing));
  const compiled = compilePattern(pattern);
  if (compiled.kind === "broken") {
    const why = `must be a valid regular expression, but isn't: ${compiled.why}`;
    errors.push(invalid(path.child("pattern"), pattern, why));
  }
  return errors;
}

const emptyInBranches = ["title", "description"] as const;
const falseInBranches = [
  "nullable",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-int-or-string",
] as const;

/** Branches of allOf, anyOf, oneOf and not may restrict values, never describe structure. */
function nestedErrors(schema: JsonSchema, path: FieldPath, skips: Skips): readonly FieldError[] {
  const items = itemsOf(schema);
  const skipNothing: Skips = { skipAnyOf: false };
  const errors: FieldError[] = [...validationErrors(schema, path, skips)];
  if (items !== undefined) errors.push(...nestedErrors(items, path.child("items"), skipNothing));
  for (const [name, property] of sortedProperties(schema)) {
    errors.push(...nestedErrors(property, path.child("properties").key(name), skipNothing));
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
  return errors;
}

function isIntOrStringPattern(anyOf: readonly JsonSchema[] | undefined): boolean {
  if (anyOf?.length !== 2) return false;
  return ["integer", "string"].every((type, index) => {
    const branch = anyOf[index] ?? {};
    return branch.type === type && Object.keys(branch).length === 1;
  });
}
