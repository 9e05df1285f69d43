import { isJsonObject, type Json, type JsonObject, type JsonObjectDraft, setMember } from "../json.ts";
import { itemElement } from "./list-item.ts";
import type { PathElement } from "./path-element.ts";
import { deepEqual } from "../equal.ts";
import { fieldType, valueKindOf, type ListType, type MapType, type ValueType } from "./value-type.ts";

/**
 * A live value with a configuration laid over it. Nothing is removed; what the configuration does not change is the
 * live part itself, so that an apply which changes nothing gives back the live value.
 */
export function mergeFields(live: Json, applied: Json, type: ValueType): Json {
  if (live === applied) return live;
  switch (valueKindOf(type, applied)) {
    case "map":
      return type.map === undefined ? applied : mergeMaps(live, applied, type.map);
    case "list":
      return type.list === undefined ? applied : mergeLists(live, applied, type.list);
    case "scalar":
      return applied;
  }
}

function mergeMaps(live: Json, applied: Json, type: MapType): Json {
  if (type.atomic) return replaced(live, applied);
  const old = isJsonObject(live) ? live : undefined;
  if (old === undefined) return applied;
  // Null laid over fields leaves them as they are; over no fields it keeps the difference between null and empty.
  if (!isJsonObject(applied)) return isEmpty(old) ? applied : live;
  let merged: JsonObjectDraft | undefined;
  for (const name in applied) {
    const value = applied[name] ?? null;
    const inner = fieldType(type, name);
    const before = Object.hasOwn(old, name) ? old[name] : undefined;
    const after = before === undefined || inner === undefined ? value : mergeFields(before, value, inner);
    if (after !== before) setMember((merged ??= { ...old }), name, after);
  }
  return merged ?? live;
}

function mergeLists(live: Json, applied: Json, type: ListType): Json {
  if (type.kind === "atomic") return replaced(live, applied);
  const old = Array.isArray(live) ? live : [];
  const next = Array.isArray(applied) ? applied : [];
  if (old.length === 0) return applied;
  if (next.length === 0) return live;
  const merged = mergeItems(indexed(old, type), indexed(next, type), type);
  return isUnchanged(merged, old) ? live : merged;
}

function replaced(live: Json, applied: Json): Json {
  return deepEqual(live, applied) ? live : applied;
}

/** The items of a list with their steps, and where each step leads. */
interface Indexed {
  readonly elements: readonly PathElement[];
  readonly items: readonly Json[];
  /** Null for a step that several items share: such items are not merged into. */
  readonly byElement: ReadonlyMap<PathElement, Json>;
}

function indexed(list: readonly Json[], type: ListType): Indexed {
  const elements: PathElement[] = [];
  const items: Json[] = [];
  const byElement = new Map<PathElement, Json>();
  for (const item of list) {
    const element = itemElement(type, item);
    if (element === undefined) continue;
    byElement.set(element, byElement.has(element) ? null : item);
    elements.push(element);
    items.push(item);
  }
  return { elements, items, byElement };
}

/**
 * The items of both lists. Items that both have stand in the order of the applied list; live ones that it does not
 * name keep their place among them, and new ones come as early as the applied list has them.
 */
function mergeItems(live: Indexed, applied: Indexed, type: ListType): Json[] {
  const out: Json[] = [];
  const shared = applied.elements.filter((element) => live.byElement.has(element));
  const placed = new Set<PathElement>();
  let nextShared = 0;
  let at = 0;
  let appliedAt = 0;
  const place = (element: PathElement): void => {
    placed.add(element);
    const item = applied.byElement.get(element) ?? null;
    const old = live.byElement.get(element);
    out.push(old === undefined ? item : mergeFields(old, item, type.element));
    if (shared[nextShared] === element) nextShared++;
  };
  while (at < live.elements.length || appliedAt < applied.elements.length) {
    const element = live.elements[at];
    const appliedElement = applied.elements[appliedAt];
    if (element !== undefined && appliedElement !== undefined) {
      if (element === appliedElement) {
        place(element);
        at++;
        appliedAt++;
        continue;
      }
      // An item of both lists whose turn has not come: it will be placed when the applied list gets to it.
      if (applied.byElement.has(element) && nextShared < shared.length && shared[nextShared] !== element) {
        at++;
        continue;
      }
    }
    if (element !== undefined) {
      if (!applied.byElement.has(element)) {
        out.push(live.items[at] ?? null);
        at++;
        continue;
      }
      if (placed.has(element)) at++;
    }
    if (appliedElement !== undefined) {
      place(appliedElement);
      appliedAt++;
    }
  }
  return out;
}

function isUnchanged(merged: readonly Json[], old: readonly Json[]): boolean {
  return merged.length === old.length && merged.every((item, index) => item === old[index]);
}

function isEmpty(object: JsonObject): boolean {
  for (const name in object) if (Object.hasOwn(object, name)) return false;
  return true;
}
