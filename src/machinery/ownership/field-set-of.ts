import { isJsonObject, type Json } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { itemElement } from "./list-item.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { fieldType, valueKindOf, type ListType, type MapType, type ValueType } from "./value-type.ts";

/** The fields a value names: what an applier owns that hands it in. */
export function fieldSetOf(value: Json, type: ValueType): FieldSet {
  const set = setOf(value, type);
  return set === undefined || !set.isMember ? (set ?? FieldSet.empty) : FieldSet.node(false, set.children);
}

/** Every field of a value and the containers around them: what appears or vanishes with the whole value. */
export function everyFieldOf(value: Json, type: ValueType): FieldSet {
  switch (valueKindOf(type, value)) {
    case "scalar":
      return FieldSet.leaf;
    case "list":
      return type.list === undefined ? FieldSet.leaf : everyItem(value, type.list);
    case "map":
      return type.map === undefined ? FieldSet.leaf : everyMember(value, type.map);
  }
}

function setOf(value: Json, type: ValueType): FieldSet | undefined {
  switch (valueKindOf(type, value)) {
    case "scalar":
      return FieldSet.leaf;
    case "list":
      return type.list === undefined ? undefined : setOfList(value, type.list);
    case "map":
      return type.map === undefined ? undefined : setOfMap(value, type.map);
  }
}

function setOfMap(value: Json, type: MapType): FieldSet | undefined {
  if (type.atomic) return FieldSet.leaf;
  if (!isJsonObject(value)) return undefined;
  let children: Map<PathElement, FieldSet> | undefined;
  for (const name in value) {
    const inner = value[name] ?? null;
    const declared = type.fields.get(name);
    const innerType = declared ?? type.element;
    if (innerType === undefined) continue;
    let set = setOf(inner, innerType);
    // A struct field is owned through what is in it; a key of a map, or nothing at all, is owned as such.
    if (declared === undefined || inner === null || isEmptyMap(inner)) set = (set ?? FieldSet.leaf).asMember();
    if (set !== undefined) (children ??= new Map()).set(fieldElement(name), set);
  }
  return children === undefined ? undefined : FieldSet.node(false, children);
}

function setOfList(value: Json, type: ListType): FieldSet | undefined {
  if (type.kind === "atomic") return FieldSet.leaf;
  if (!Array.isArray(value)) return undefined;
  const children = new Map<PathElement, FieldSet>();
  for (const item of value) {
    const element = itemElement(type, item);
    if (element === undefined) continue;
    // Of items that are there twice only the step is owned: nobody can tell their fields apart.
    const set = children.has(element) ? FieldSet.leaf : (setOf(item, type.element) ?? FieldSet.leaf).asMember();
    children.set(element, set);
  }
  return children.size === 0 ? undefined : FieldSet.node(false, children);
}

function everyMember(value: Json, type: MapType): FieldSet {
  if (type.atomic || !isJsonObject(value)) return FieldSet.leaf;
  const children = new Map<PathElement, FieldSet>();
  for (const name in value) {
    const inner = fieldType(type, name);
    if (inner !== undefined) children.set(fieldElement(name), everyFieldOf(value[name] ?? null, inner));
  }
  return FieldSet.node(true, children);
}

function everyItem(value: Json, type: ListType): FieldSet {
  if (type.kind === "atomic" || !Array.isArray(value)) return FieldSet.leaf;
  const children = new Map<PathElement, FieldSet>();
  for (const item of value) {
    const element = itemElement(type, item);
    if (element === undefined) continue;
    children.set(element, children.has(element) ? FieldSet.leaf : everyFieldOf(item, type.element));
  }
  return FieldSet.node(true, children);
}

function isEmptyMap(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) if (Object.hasOwn(value, name)) return false;
  return true;
}
