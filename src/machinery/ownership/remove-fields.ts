import { isJsonObject, type Json, type JsonObjectDraft, setMember } from "../json.ts";
import type { FieldSet } from "./field-set.ts";
import { itemElement } from "./list-item.ts";
import { fieldElement } from "./path-element.ts";
import { fieldType, valueKindOf, type ListType, type MapType, type ValueType } from "./value-type.ts";

/**
 * A value without the fields and items of a set. A container that loses all it had is null, unless it is itself
 * in the set and goes as a whole.
 */
export function removeFields(value: Json, set: FieldSet, type: ValueType): Json {
  if (set.children.size === 0) return value;
  switch (valueKindOf(type, value)) {
    case "scalar":
      return value;
    case "list":
      return type.list === undefined ? value : removeFromList(value, set, type.list);
    case "map":
      return type.map === undefined ? value : removeFromMap(value, set, type.map);
  }
}

/** What a set names of a value, with the keys of list items that it names anything of; undefined for nothing. */
export function extractFields(value: Json, set: FieldSet, type: ValueType): Json | undefined {
  if (set.children.size === 0) return set.isMember ? value : undefined;
  switch (valueKindOf(type, value)) {
    case "scalar":
      return value;
    case "list":
      return type.list === undefined ? value : extractFromList(value, set, type.list);
    case "map":
      return type.map === undefined ? value : extractFromMap(value, set, type.map);
  }
}

function removeFromMap(value: Json, set: FieldSet, type: MapType): Json {
  if (!isJsonObject(value) || type.atomic) return null;
  let left: JsonObjectDraft | undefined;
  for (const [element, child] of set.children) {
    const name = element.slice(2);
    if (!element.startsWith("f") || !Object.hasOwn(value, name)) continue;
    const inner = fieldType(type, name);
    if (child.isMember) delete (left ??= { ...value })[name];
    else if (inner !== undefined) {
      const before = value[name] ?? null;
      const after = removeFields(before, child, inner);
      if (after !== before) setMember((left ??= { ...value }), name, after);
    }
  }
  return nonEmptyMap(left ?? value);
}

function removeFromList(value: Json, set: FieldSet, type: ListType): Json {
  if (!Array.isArray(value) || type.kind === "atomic") return null;
  const left: Json[] = [];
  let changed = false;
  for (const item of value) {
    const element = itemElement(type, item);
    const child = element === undefined ? undefined : set.children.get(element);
    if (child?.isMember === true) changed = true;
    else {
      const after = child === undefined ? item : removeFields(item, child, type.element);
      changed ||= after !== item;
      left.push(after);
    }
  }
  if (left.length === 0) return null;
  return changed ? left : value;
}

function extractFromMap(value: Json, set: FieldSet, type: MapType): Json | undefined {
  if (!isJsonObject(value) || type.atomic) return value;
  const found: JsonObjectDraft = {};
  for (const name in value) {
    const child = set.children.get(fieldElement(name));
    const inner = fieldType(type, name);
    if (child === undefined || inner === undefined) continue;
    const part = extractFields(value[name] ?? null, child, inner);
    if (part !== undefined) setMember(found, name, part);
  }
  return nonEmptyMap(found) ?? (set.isMember ? {} : undefined);
}

function extractFromList(value: Json, set: FieldSet, type: ListType): Json | undefined {
  if (!Array.isArray(value) || type.kind === "atomic") return value;
  const found: Json[] = [];
  for (const item of value) {
    const element = itemElement(type, item);
    const child = element === undefined ? undefined : set.children.get(element);
    const part = child === undefined ? undefined : extractFields(item, child, type.element);
    if (part !== undefined) found.push(withKeys(part, item, type));
  }
  return found.length === 0 ? undefined : found;
}

function withKeys(part: Json, item: Json, type: ListType): Json {
  if (part === item || !isJsonObject(part) || !isJsonObject(item)) return part;
  const whole: JsonObjectDraft = {};
  for (const name in item) {
    const value = Object.hasOwn(part, name) ? part[name] : type.keys.includes(name) ? item[name] : undefined;
    if (value !== undefined) setMember(whole, name, value);
  }
  return whole;
}

function nonEmptyMap<T extends { readonly [name: string]: Json }>(value: T): T | null {
  for (const name in value) if (Object.hasOwn(value, name)) return value;
  return null;
}
