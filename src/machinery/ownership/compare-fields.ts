import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { everyFieldOf } from "./field-set-of.ts";
import { itemElement } from "./list-item.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { deepEqual } from "../equal.ts";
import { fieldType, valueKindOf, type ListType, type MapType, type ValueKind, type ValueType } from "./value-type.ts";

/** Which fields one value has and another has not, and which differ. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

/** Nothing differs. */
export const noChange: Comparison = { added: FieldSet.empty, modified: FieldSet.empty, removed: FieldSet.empty };

/** What changed from one value to the next. Parts that are one and the same object are not looked into. */
export function compareFields(before: Json, after: Json, type: ValueType): Comparison {
  const change = compareValues(before, after, type);
  if (change === undefined) return noChange;
  // Nobody owns a whole object, so a change of its root names nothing.
  return {
    added: belowRoot(change.added),
    modified: belowRoot(change.modified),
    removed: belowRoot(change.removed),
  };
}

/** Leaves the given fields, and all below them, out of a comparison. */
export function excluding({ added, modified, removed }: Comparison, fields: FieldSet): Comparison {
  return {
    added: added.differenceBelow(fields),
    modified: modified.differenceBelow(fields),
    removed: removed.differenceBelow(fields),
  };
}

/** A change at one node; what is absent did not happen. */
interface Change {
  readonly added?: FieldSet | undefined;
  readonly modified?: FieldSet | undefined;
  readonly removed?: FieldSet | undefined;
}

const modifiedHere: Change = { modified: FieldSet.leaf };

function belowRoot(set: FieldSet | undefined): FieldSet {
  return set === undefined ? FieldSet.empty : FieldSet.node(false, set.children);
}

function compareValues(before: Json, after: Json, type: ValueType): Change | undefined {
  if (before === after) return undefined;
  const kind = valueKindOf(type, before);
  const nextKind = valueKindOf(type, after);
  if (kind === nextKind) return compareAs(kind, before, after, type);
  // An untyped value that turns into another kind of value counts once as each of them.
  return joined(compareAs(kind, before, after, type), compareAs(nextKind, before, after, type));
}

function compareAs(kind: ValueKind, before: Json, after: Json, type: ValueType): Change | undefined {
  if (kind === "map" && type.map !== undefined) return compareMaps(before, after, type.map);
  if (kind === "list" && type.list !== undefined) return compareLists(before, after, type.list);
  return compareLeaves(before, after);
}

function compareLeaves(before: Json, after: Json): Change | undefined {
  return deepEqual(before, after) ? undefined : modifiedHere;
}

function compareMaps(before: Json, after: Json, type: MapType): Change | undefined {
  const old = membersOf(before);
  const next = membersOf(after);
  if (type.atomic || (old === undefined && next === undefined)) return compareLeaves(before, after);
  const changes = new Changes();
  for (const name in old) {
    const inner = fieldType(type, name);
    const value = old[name];
    if (inner === undefined || value === undefined) continue;
    const other = next !== undefined && Object.hasOwn(next, name) ? next[name] : undefined;
    if (other === undefined) changes.remove(fieldElement(name), everyFieldOf(value, inner));
    else if (other !== value) changes.add(fieldElement(name), compareValues(value, other, inner));
  }
  for (const name in next) {
    if (old !== undefined && Object.hasOwn(old, name)) continue;
    const inner = fieldType(type, name);
    const value = next[name];
    if (inner !== undefined && value !== undefined) changes.appear(fieldElement(name), everyFieldOf(value, inner));
  }
  return changes.result();
}

function compareLists(before: Json, after: Json, type: ListType): Change | undefined {
  const old = Array.isArray(before) ? before : [];
  const next = Array.isArray(after) ? after : [];
  if (type.kind === "atomic" || (old.length === 0 && next.length === 0)) return compareLeaves(before, after);
  const changes = new Changes();
  const oldItems = itemsByElement(old, type);
  const nextItems = itemsByElement(next, type);
  for (const [element, items] of oldItems) compareItems(element, items, nextItems.get(element), { type, changes });
  for (const [element, items] of nextItems) {
    if (!oldItems.has(element)) compareItems(element, undefined, items, { type, changes });
  }
  return changes.result();
}

type Items = readonly [Json, ...Json[]];

/** Items that are there more than once are compared as a whole, under the step they share. */
function compareItems(
  element: PathElement,
  before: Items | undefined,
  after: Items | undefined,
  { type, changes }: { readonly type: ListType; readonly changes: Changes },
): void {
  const wasRepeated = before !== undefined && before.length > 1;
  const isRepeated = after !== undefined && after.length > 1;
  if (wasRepeated && isRepeated) {
    if (!deepEqual(before, after)) changes.add(element, modifiedHere);
    return;
  }
  if (before !== undefined && after !== undefined && !wasRepeated && !isRepeated) {
    changes.add(element, compareValues(before[0], after[0], type.element));
    return;
  }
  if (before !== undefined)
    changes.remove(element, wasRepeated ? FieldSet.leaf : everyFieldOf(before[0], type.element));
  if (after !== undefined) changes.appear(element, isRepeated ? FieldSet.leaf : everyFieldOf(after[0], type.element));
}

function itemsByElement(list: readonly Json[], type: ListType): Map<PathElement, Items> {
  const items = new Map<PathElement, Items>();
  for (const item of list) {
    const element = itemElement(type, item);
    if (element === undefined) continue;
    const others = items.get(element);
    items.set(element, others === undefined ? [item] : [...others, item]);
  }
  return items;
}

function membersOf(value: Json): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  for (const name in value) if (Object.hasOwn(value, name)) return value;
  return undefined;
}

function joined(a: Change | undefined, b: Change | undefined): Change | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { added: both(a.added, b.added), modified: both(a.modified, b.modified), removed: both(a.removed, b.removed) };
}

function both(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  return a === undefined || b === undefined ? (a ?? b) : a.union(b);
}

/** Gathers the changes below a node. */
class Changes {
  #added: Map<PathElement, FieldSet> | undefined;
  #modified: Map<PathElement, FieldSet> | undefined;
  #removed: Map<PathElement, FieldSet> | undefined;

  appear(element: PathElement, set: FieldSet): void {
    (this.#added ??= new Map()).set(element, set);
  }

  remove(element: PathElement, set: FieldSet): void {
    (this.#removed ??= new Map()).set(element, set);
  }

  add(element: PathElement, change: Change | undefined): void {
    if (change === undefined) return;
    if (change.added !== undefined) this.appear(element, change.added);
    if (change.modified !== undefined) (this.#modified ??= new Map()).set(element, change.modified);
    if (change.removed !== undefined) this.remove(element, change.removed);
  }

  result(): Change | undefined {
    if (this.#added === undefined && this.#modified === undefined && this.#removed === undefined) return undefined;
    return { added: nodeOf(this.#added), modified: nodeOf(this.#modified), removed: nodeOf(this.#removed) };
  }
}

function nodeOf(children: Map<PathElement, FieldSet> | undefined): FieldSet | undefined {
  return children === undefined ? undefined : FieldSet.node(false, children);
}
