import type { WireField, WireType } from "#apiserver/builtin";

/** What to do with the fields of a message, by their numbers. */
export type MessagePlan = ReadonlyMap<number, FieldPlan>;

export type FieldPlan =
  | { readonly kind: "field"; readonly field: WireField }
  /** A message whose fields JSON shows as if they stood one level up. */
  | { readonly kind: "inlined"; readonly plan: MessagePlan };

const plans = new WeakMap<WireType, MessagePlan>();

/** The plan of a type, made when the first message of it comes. */
export function planOf(type: WireType): MessagePlan {
  const known = plans.get(type);
  if (known !== undefined) return known;
  const plan = makePlan([...type.fields.values()], 0);
  plans.set(type, plan);
  return plan;
}

function makePlan(fields: readonly WireField[], level: number): MessagePlan {
  const plan = new Map<number, FieldPlan>();
  const wrapped = new Map<number, WireField[]>();
  for (const field of fields) {
    const wrapper = field.via[level];
    if (wrapper === undefined) plan.set(field.number, { kind: "field", field });
    else wrapped.set(wrapper, [...(wrapped.get(wrapper) ?? []), field]);
  }
  for (const [number, inside] of wrapped) plan.set(number, { kind: "inlined", plan: makePlan(inside, level + 1) });
  return plan;
}
