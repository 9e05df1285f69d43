import { isJsonObject, type Json } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { itemElement } from "./list-item.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { fieldType, valueKindOf, type ListType, type MapType, type ValueType } from "./value-type.ts";

/**
 * The fields a value names: what an applier owns that hands it in. Where these are the fields of an earlier set, the
 * result is that very set, in whole or in part.
 */
export function fieldSetOf(value: Json, type: ValueType, earlier: FieldSet = FieldSet.empty): FieldSet {
  const set = setOf(value, type, earlier) ?? FieldSet.empty;
  // Nobody owns an object as such.
  return set.isMember ? FieldSet.node(false, set.children) : set;
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

function setOf(value: Json, type: ValueType, earlier: FieldSet): FieldSet | undefined {
  switch (valueKindOf(type, value)) {
    case "scalar":
      return FieldSet.leaf;
    case "list":
      return type.list === undefined ? undefined : setOfList(value, type.list, earlier);
    case "map":
      return type.map === undefined ? undefined : setOfMap(value, type.map, earlier);
  }
}

function setOfMap(value: Json, type: MapType, earlier: FieldSet): FieldSet | undefined {
  if (type.atomic) return FieldSet.leaf;
  if (!isJsonObject(value)) return undefined;
  const nodes = new Nodes(earlier);
  for (const name in value) {
    const inner = value[name] ?? null;
    const declared = type.fields.get(name);
    const innerType = declared ?? type.element;
    if (innerType === undefined) continue;
    const element = fieldElement(name);
    const set = setOf(inner, innerType, earlier.at(element));
    // A struct field is owned through what is in it; a key of a map, or nothing at all, is owned as such.
    const isOwned = declared === undefined || inner === null || isEmptyMap(inner);
    if (isOwned) nodes.add(element, asMember(set, earlier.at(element)));
    else if (set !== undefined) nodes.add(element, set);
  }
  return nodes.result();
}

function setOfList(value: Json, type: ListType, earlier: FieldSet): FieldSet | undefined {
  if (type.kind === "atomic") return FieldSet.leaf;
  if (!Array.isArray(value)) return undefined;
  const nodes = new Nodes(earlier);
  for (const item of value) {
    const element = itemElement(type, item);
    if (element === undefined) continue;
    const before = earlier.at(element);
    nodes.add(element, asMember(setOf(item, type.element, before), before));
  }
  return nodes.result();
}

/** A set with its own node in it; the earlier one where that is the same. */
function asMember(set: FieldSet | undefined, earlier: FieldSet): FieldSet {
  if (set === undefined) return FieldSet.leaf;
  return set.children === earlier.children && earlier.isMember ? earlier : set.asMember();
}

/** The nodes below one; as long as they are those of an earlier set, that set stands for them. */
class Nodes {
  readonly #earlier: FieldSet;
  readonly #same = new Set<PathElement>();
  #children: Map<PathElement, FieldSet> | undefined;

  constructor(earlier: FieldSet) {
    this.#earlier = earlier;
  }

  add(element: PathElement, set: FieldSet): void {
    if (this.#children === undefined && this.#earlier.children.get(element) === set && !this.#same.has(element)) {
      this.#same.add(element);
      return;
    }
    this.#children ??= this.#sameChildren();
    // Of items that are there twice only the step is owned: nobody can tell their fields apart.
    this.#children.set(element, this.#children.has(element) ? FieldSet.leaf : set);
  }

  result(): FieldSet | undefined {
    if (this.#children !== undefined) return FieldSet.node(false, this.#children);
    if (this.#same.size === 0) return undefined;
    const { isMember, children } = this.#earlier;
    if (this.#same.size < children.size) return FieldSet.node(false, this.#sameChildren());
    return isMember ? FieldSet.node(false, children) : this.#earlier;
  }

  #sameChildren(): Map<PathElement, FieldSet> {
    return new Map([...this.#same].map((element) => [element, this.#earlier.at(element)]));
  }
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
