import { FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";
import { isFreeForm, type ListType, type MapType, type ValueType } from "./value-type.ts";

const reconciled = new WeakMap<ValueType, WeakMap<FieldSet, FieldSet>>();

/**
 * A set that was written under an older schema, as it reads under this one: who owned parts of a list or map that is
 * atomic by now owns the whole of it.
 */
export function reconcileWithType(set: FieldSet, type: ValueType): FieldSet {
  let known = reconciled.get(type);
  if (known === undefined) reconciled.set(type, (known = new WeakMap()));
  const before = known.get(set);
  if (before !== undefined) return before;
  const result = reconcile(set, type);
  known.set(set, result);
  return result;
}

function reconcile(set: FieldSet, type: ValueType): FieldSet {
  if (type.map !== undefined) return reconcileMap(set, type.map);
  if (type.scalar !== undefined || type.list === undefined) return set;
  return reconcileList(set, type.list);
}

function reconcileMap(set: FieldSet, type: MapType): FieldSet {
  if (isFreeForm(type)) return set;
  if (type.atomic) return FieldSet.leaf;
  return reconcileChildren(set, (element) =>
    element.startsWith("f") ? (type.fields.get(element.slice(2)) ?? type.element) : type.element,
  );
}

function reconcileList(set: FieldSet, type: ListType): FieldSet {
  return type.kind === "atomic" ? FieldSet.leaf : reconcileChildren(set, () => type.element);
}

function reconcileChildren(set: FieldSet, typeOf: (element: PathElement) => ValueType | undefined): FieldSet {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    const type = typeOf(element);
    if (type === undefined || child.children.size === 0) continue;
    const result = reconcile(child, type);
    if (result !== child) (children ??= new Map(set.children)).set(element, result);
  }
  return children === undefined ? set : FieldSet.node(set.isMember, children);
}
