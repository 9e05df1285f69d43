import { type FieldError, forbidden, invalid, notSupported, PrintedValue, required } from "../../field-error.ts";
import type { FieldPath } from "../../field-path.ts";
import type { JsonSchema } from "../json-schema.ts";
import { printGoSchema } from "./go-schema.ts";
import { itemsOf } from "./subschemas.ts";

interface ListOptions {
  readonly requireAtomicSets: boolean;
  readonly requireMapKeys: boolean;
}

/** What is wrong with the list type of a schema, its keys and its items. */
export function listRules(schema: JsonSchema, path: FieldPath, options: ListOptions): readonly FieldError[] {
  return [
    ...listTypeErrors(schema, path, options),
    ...keyErrors(schema, path),
    ...(schema["x-kubernetes-list-type"] === "map" ? mapErrors(schema, path) : []),
    ...(options.requireMapKeys ? mapKeyErrors(schema, path) : []),
  ];
}

/** What is wrong with the items of a set or list map: nothing in them that makes them one may be null or absent. */
export function mapKeyErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  const items = itemsOf(schema);
  if (items === undefined || (listType !== "set" && listType !== "map")) return [];
  const nullable =
    items.nullable === true
      ? [forbidden(path.child("items", "nullable"), `cannot be nullable when x-kubernetes-list-type is ${listType}`)]
      : [];
  if (listType === "set") return nullable;
  const known = itemKeys(schema, items).flatMap(([name, property]) => {
    const at = path.child("items", "properties").key(name);
    const isGiven = items.required?.includes(name) === true || (property.default ?? null) !== null;
    const inKeys = "this property is in x-kubernetes-list-map-keys, so it";
    return [
      ...(isGiven ? [] : [required(at.child("default"), `${inKeys} must have a default or be a required property`)]),
      ...(property.nullable === true ? [forbidden(at.child("nullable"), `${inKeys} cannot be nullable`)] : []),
    ];
  });
  return [...nullable, ...known];
}

/** True where the items of a set can be changed in part, which makes no sense in a set. */
export function hasPartialSetItems(schema: JsonSchema): boolean {
  const items = itemsOf(schema);
  if (schema["x-kubernetes-list-type"] !== "set" || items === undefined) return false;
  if (items.type === "array") return (items["x-kubernetes-list-type"] ?? "atomic") !== "atomic";
  return items.type === "object" && items["x-kubernetes-map-type"] !== "atomic";
}

function listTypeErrors(schema: JsonSchema, path: FieldPath, options: ListOptions): readonly FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if (listType === undefined) return [];
  const { type = "" } = schema;
  const errors: FieldError[] = [];
  if (type !== "array") {
    const why = "must be array if x-kubernetes-list-type is specified";
    errors.push(type === "" ? required(path.child("type"), why) : invalid(path.child("type"), type, why));
  } else if (options.requireAtomicSets && hasPartialSetItems(schema)) {
    const items = itemsOf(schema);
    const name = items?.type === "array" ? "x-kubernetes-list-type" : "x-kubernetes-map-type";
    const why = "must be atomic as item of a list with x-kubernetes-list-type=set";
    // Kubernetes prints the list type of the items in both cases.
    errors.push(invalid(path.child("items", name), items?.["x-kubernetes-list-type"], why));
  }
  const known: readonly string[] = ["atomic", "set", "map"];
  if (!known.includes(listType)) errors.push(notSupported(path.child("x-kubernetes-list-type"), listType, known));
  return errors;
}

function keyErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  const listType = schema["x-kubernetes-list-type"];
  if ((schema["x-kubernetes-list-map-keys"] ?? []).length === 0 || listType === "map") return [];
  const at = path.child("x-kubernetes-list-type");
  const why = "must be map if x-kubernetes-list-map-keys is non-empty";
  return [listType === undefined ? required(at, why) : invalid(at, listType, why)];
}

function mapErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const items = itemsOf(schema);
  const at = path.child("items");
  const noKeys = required(
    path.child("x-kubernetes-list-map-keys"),
    "must not be empty if x-kubernetes-list-type is map",
  );
  const errors: FieldError[] = keys.length === 0 ? [noKeys] : [];
  if (schema.items === undefined) errors.push(required(at, "must have a schema if x-kubernetes-list-type is map"));
  else if (items === undefined) {
    const list: readonly JsonSchema[] = Array.isArray(schema.items) ? schema.items : [];
    const printed = new PrintedValue(`{"Schema":null,"JSONSchemas":[${list.map(printGoSchema).join(",")}]}`);
    errors.push(invalid(at, printed, "must only have a single schema if x-kubernetes-list-type is map"));
  } else if (items.type !== "object") {
    const why = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(at.child("type"), items.type ?? "", why));
  } else errors.push(...keyPropertyErrors(keys, items, path));
  return errors;
}

function keyPropertyErrors(keys: readonly string[], items: JsonSchema, path: FieldPath): readonly FieldError[] {
  const at = path.child("x-kubernetes-list-map-keys");
  return keys.flatMap((name, index) => {
    const property = Object.hasOwn(items.properties ?? {}, name) ? items.properties?.[name] : undefined;
    const isScalar = property?.type !== "array" && property?.type !== "object";
    const typeAt = path.child("items", "properties").key(name).child("type");
    const why = "must be a scalar type if parent array's x-kubernetes-list-type is map";
    return [
      ...(property === undefined ? [invalid(at, keys, "entries must all be names of item properties")] : []),
      // Kubernetes prints the type of the items here, not that of the property.
      ...(isScalar ? [] : [invalid(typeAt, items.type ?? "", why)]),
      ...(keys.indexOf(name) < index ? [invalid(at, keys, "must not contain duplicate entries")] : []),
    ];
  });
}

function itemKeys(schema: JsonSchema, items: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  return (schema["x-kubernetes-list-map-keys"] ?? []).flatMap((name) => {
    const property = Object.hasOwn(items.properties ?? {}, name) ? items.properties?.[name] : undefined;
    return property === undefined ? [] : [[name, property] as const];
  });
}
