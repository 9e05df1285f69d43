import { duplicate, type FieldError, invalid } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { isJsonObject, type Json } from "../json.ts";
import { listMapKeys, repetitions } from "./list-uniqueness.ts";
import { fieldNode, type SchemaNode } from "./schema-node.ts";

/** The members of sets and list maps in a value that are there twice. */
export function listTypeErrors(node: SchemaNode, value: Json, path: FieldPath): readonly FieldError[] {
  if (!node.below.listTypes) return [];
  if (Array.isArray(value)) return listErrors(node, value, path);
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .toSorted()
    .flatMap((name) => {
      const child = fieldNode(node, name);
      const at = node.properties.has(name) ? path.child(name) : path.key(name);
      return child === undefined ? [] : listTypeErrors(child, value[name] ?? null, at);
    });
}

function listErrors(node: SchemaNode, list: readonly Json[], path: FieldPath): readonly FieldError[] {
  const { items } = node;
  const below =
    items === undefined ? [] : list.flatMap((item, index) => listTypeErrors(items, item, path.index(index)));
  if (node.listType === undefined) return below;
  return [...(node.listType === "set" ? setErrors(list, path) : mapErrors(node, list, path)), ...below];
}

function setErrors(list: readonly Json[], path: FieldPath): readonly FieldError[] {
  return repetitions(list).map((index) => duplicate(path.index(index), list[index]));
}

function mapErrors({ listKeys }: SchemaNode, list: readonly Json[], path: FieldPath): readonly FieldError[] {
  const stranger = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    return [invalid(path.index(stranger), list[stranger], "must be an object for an array of list-type map")];
  }
  const keys = listMapKeys(list, listKeys);
  return repetitions(keys).map((index) => duplicate(path.index(index), keys[index]));
}
