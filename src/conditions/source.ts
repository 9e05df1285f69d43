import type { ObjectMeta } from "#machinery";
import { type Condition, type Conditioned, conditionsOf } from "./condition.ts";
import type { OwnedCondition } from "./message.ts";

/** An object seen as something that reports conditions. */
export interface ConditionSource {
  readonly owner: OwnedCondition["owner"];
  readonly conditions: readonly Condition[];
}

interface Reporter extends Conditioned {
  readonly kind: string;
  readonly metadata: ObjectMeta;
}

/** Marks a Machine as part of the control plane, whatever its value. */
export const controlPlaneLabel = "cluster.x-k8s.io/control-plane";

/** An object as a source; conditions of a kind that is not ours are read first and handed in. */
export function sourceOf(object: Reporter, conditions: readonly Condition[] = conditionsOf(object)): ConditionSource {
  const { kind, metadata } = object;
  const isControlPlaneMachine = kind === "Machine" && Object.hasOwn(metadata.labels ?? {}, controlPlaneLabel);
  return { owner: { kind, name: metadata.name ?? "", isControlPlaneMachine }, conditions };
}
