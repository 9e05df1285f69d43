import { FieldSet } from "./field-set.ts";
import type { PathElement } from "./path-element.ts";
import type { ValueType } from "./value-type.ts";

/**
 * A set with every struct field in it that it names anything of. Structs are owned only through what is in them, yet
 * they go when the last of that goes.
 */
export function withNamedFields(set: FieldSet, type: ValueType | undefined): FieldSet {
  let children: Map<PathElement, FieldSet> | undefined;
  for (const [element, child] of set.children) {
    if (child.children.size === 0) continue;
    const named = element.startsWith("f") && type?.map?.fields.has(element.slice(2)) === true;
    const inner = withNamedFields(child, typeBelow(type, element));
    const result = named ? inner.asMember() : inner;
    if (result !== child) (children ??= new Map(set.children)).set(element, result);
  }
  return children === undefined ? set : FieldSet.node(set.isMember, children);
}

function typeBelow(type: ValueType | undefined, element: PathElement): ValueType | undefined {
  if (element.startsWith("f")) return type?.map?.fields.get(element.slice(2)) ?? type?.map?.element;
  return element.startsWith("k") ? type?.list?.element : undefined;
}
