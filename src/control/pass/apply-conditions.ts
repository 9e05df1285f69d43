import type { Logger } from "#base";
import type { ServedKind } from "#client";
import { type Condition, findCondition, sameState } from "#conditions";
import { isConflict, type KubeObject } from "#machinery";
import type { PassClient } from "./pass.ts";
import { storedConditions } from "./write-status.ts";

/** What applying needs from outside. */
interface ConditionApplier<Obj extends KubeObject> {
  readonly kind: ServedKind<Obj>;
  readonly client: PassClient;
  readonly log: Logger;
  /** Is told where the conditions are another manager's. */
  readonly onLeft: () => void;
}

/**
 * Writes conditions only where nobody else owns them: by server-side apply without force. Where another manager does,
 * they are his and stay as they are, so that the two never fight.
 */
export async function applyConditions<Obj extends KubeObject>(
  object: Obj,
  conditions: readonly Condition[],
  { kind, client, log, onLeft }: ConditionApplier<Obj>,
): Promise<boolean> {
  const stored = storedConditions(object);
  const differs = conditions.some((condition) => {
    const present = findCondition(stored, condition.type);
    return present === undefined || !sameState(present, condition);
  });
  if (!differs) return false;
  const { name, namespace } = object.metadata;
  try {
    await client.applyStatus(kind, {
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: { ...(name === undefined ? {} : { name }), ...(namespace === undefined ? {} : { namespace }) },
      status: { conditions },
    });
    return true;
  } catch (error) {
    if (!isConflict(error)) throw error;
    onLeft();
    log.debug("conditions belong to another manager", { types: conditions.map(({ type }) => type) });
    return false;
  }
}
