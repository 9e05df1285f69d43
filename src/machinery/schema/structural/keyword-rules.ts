import { type FieldError, forbidden, invalid, notSupported, required } from "../../field-error.ts";
import type { FieldPath } from "../../field-path.ts";
import type { JsonSchema } from "../json-schema.ts";
import { listRules } from "./list-rules.ts";
import { additionalSchema, itemsOf, keyword, sortedProperties } from "./subschemas.ts";

/** Rules that may be relaxed, because a definition broke them before there were any. */
export interface RuleOptions {
  readonly requireKnownTypes: boolean;
  readonly requireAtomicSets: boolean;
  readonly requireMapKeys: boolean;
}

interface Place {
  readonly path: FieldPath;
  readonly options: RuleOptions;
  readonly isRoot: boolean;
  /** True inside of apiVersion, kind and metadata of a resource. */
  readonly insideMeta: boolean;
  /** Why there must be no defaults here; undefined where there may be. */
  readonly noDefaults: string | undefined;
}

const types = ["array", "boolean", "integer", "number", "object", "string"];

/** What is wrong with the keywords of a schema and of all below it, in combinations too. */
export function keywordRules(schema: JsonSchema, path: FieldPath, options: RuleOptions): readonly FieldError[] {
  return ruleErrors(schema, { path, options, isRoot: true, insideMeta: false, noDefaults: undefined });
}

function ruleErrors(schema: JsonSchema, place: Place): readonly FieldError[] {
  const { path, options } = place;
  return [
    ...supportErrors(schema, place),
    ...(schema.uniqueItems === true
      ? [
          forbidden(
            path.child("uniqueItems"),
            "uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
          ),
        ]
      : []),
    ...additionalErrors(schema, place),
    ...propertyErrors(schema, place),
    ...combinationErrors(schema, place),
    ...itemErrors(schema, place),
    ...(schema["x-kubernetes-preserve-unknown-fields"] === false
      ? [invalid(path.child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined")]
      : []),
    ...mapTypeErrors(schema, path),
    ...listRules(schema, path, options),
  ];
}

const unsupported = ["id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"];

function supportErrors(schema: JsonSchema, { path, options, insideMeta, noDefaults }: Place): readonly FieldError[] {
  const { type = "" } = schema;
  const errors: FieldError[] = [];
  if (options.requireKnownTypes && type !== "" && !types.includes(type)) {
    errors.push(notSupported(path.child("type"), type, types));
  }
  if ((schema.default ?? null) !== null && noDefaults !== undefined) {
    errors.push(forbidden(path.child("default"), `must not be set ${noDefaults}`));
  }
  for (const name of unsupported) {
    if (isSet(keyword(schema, name))) errors.push(forbidden(path.child(name), `${name} is not supported`));
  }
  if (type === "null") {
    errors.push(forbidden(path.child("type"), "type cannot be set to null, use nullable as an alternative"));
  }
  if (Array.isArray(schema.items) && schema.items.length > 0) {
    errors.push(forbidden(path.child("items"), "items must be a schema object and not an array"));
  }
  if (insideMeta && schema["x-kubernetes-embedded-resource"] === true) {
    errors.push(forbidden(path.child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"));
  }
  return errors;
}

/** True for a keyword that says something: Go cannot tell an empty text or map from none. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

function additionalErrors(schema: JsonSchema, place: Place): readonly FieldError[] {
  const { path, insideMeta } = place;
  if (schema.additionalProperties === undefined) return [];
  const at = path.child("additionalProperties");
  const clash = Object.keys(schema.properties ?? {}).length > 0 && schema.additionalProperties !== true;
  const additional = additionalSchema(schema);
  const noDefaults = insideMeta ? "inside additionalProperties applying to object metadata" : place.noDefaults;
  return [
    ...(clash ? [forbidden(at, "additionalProperties and properties are mutual exclusive")] : []),
    ...(additional === undefined ? [] : ruleErrors(additional, { ...place, path: at, isRoot: false, noDefaults })),
  ];
}

function propertyErrors(schema: JsonSchema, place: Place): readonly FieldError[] {
  const isResource = place.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  return sortedProperties(schema).flatMap(([name, property]) => {
    const isMeta = isResource && (name === "metadata" || name === "kind" || name === "apiVersion");
    return ruleErrors(property, {
      ...place,
      path: place.path.child("properties").key(name),
      isRoot: false,
      insideMeta: place.insideMeta || isMeta,
      noDefaults: isMeta && place.isRoot ? `in top-level ${name}` : place.noDefaults,
    });
  });
}

function combinationErrors(schema: JsonSchema, place: Place): readonly FieldError[] {
  const { not, allOf = [], oneOf = [], anyOf = [] } = schema;
  const inside = (below: JsonSchema, path: FieldPath): readonly FieldError[] =>
    ruleErrors(below, { ...place, path, isRoot: false });
  const each = (name: string, list: readonly JsonSchema[]): readonly FieldError[] =>
    list.flatMap((below, index) => inside(below, place.path.child(name).index(index)));
  return [
    ...(not === undefined ? [] : inside(not, place.path.child("not"))),
    ...each("allOf", allOf),
    ...each("oneOf", oneOf),
    ...each("anyOf", anyOf),
  ];
}

function itemErrors(schema: JsonSchema, place: Place): readonly FieldError[] {
  const path = place.path.child("items");
  const single = itemsOf(schema);
  if (single !== undefined) return ruleErrors(single, { ...place, path, isRoot: false });
  if (!Array.isArray(schema.items)) return [];
  const list: readonly JsonSchema[] = schema.items;
  return list.flatMap((below, index) => ruleErrors(below, { ...place, path: path.index(index), isRoot: false }));
}

function mapTypeErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  const mapType = schema["x-kubernetes-map-type"];
  if (mapType === undefined) return [];
  const { type = "" } = schema;
  const at = path.child("type");
  const why = "must be object if x-kubernetes-map-type is specified";
  const wrongType = type === "" ? required(at, why) : invalid(at, type, why);
  const known = ["atomic", "granular"];
  return [
    ...(type === "object" ? [] : [wrongType]),
    ...(known.includes(mapType) ? [] : [notSupported(path.child("x-kubernetes-map-type"), mapType, known)]),
  ];
}
