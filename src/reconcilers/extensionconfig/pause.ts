import { annotations, type ExtensionConfig } from "#api";
import { CapstanError, type Clock, describeError } from "#base";
import { type Condition, conditionOf, conditionsOf, decide, findCondition, sameState, setCondition } from "#conditions";
import { type PassClient, pausedTable } from "#control";
import type { PauseFact } from "./facts.ts";
import { withStatus, writeStatus } from "./status-write.ts";

const Paused = pausedTable("ExtensionConfig");

/** What noting a pause needs from outside. */
export interface PauseTools {
  readonly client: Pick<PassClient, "patchStatus">;
  readonly clock: Pick<Clock, "now">;
}

/** What came of noting whether an ExtensionConfig is paused. */
export interface PauseNoted {
  readonly pause: PauseFact;
  readonly config: ExtensionConfig;
}

/**
 * Writes whether an ExtensionConfig is paused, before anything else is done. That it is not paused in its newest
 * generation either is not worth a write of its own; that comes along with the next one.
 */
export async function notePause(config: ExtensionConfig, { client, clock }: PauseTools): Promise<PauseNoted> {
  const wished = pausedCondition(config);
  const stored = findCondition(conditionsOf(config), Paused.type);
  const isPaused = wished.status === "True";
  const isNoted = stored !== undefined && saysSo(stored, wished) && (!isPaused || observes(stored, config));
  if (isNoted) return { pause: { kind: isPaused ? "paused" : "none" }, config };
  try {
    const conditions = withPaused(config, clock);
    return {
      pause: { kind: "just-noted" },
      config: await writeStatus(config, withStatus(config, { conditions }), client),
    };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { pause: { kind: "not-noted", error: describeError(error) }, config };
  }
}

/** The conditions of an ExtensionConfig with a Paused that observes its newest generation. */
export function withPaused(config: ExtensionConfig, { now }: Pick<Clock, "now">): readonly Condition[] {
  const { generation = 0 } = config.metadata;
  return setCondition(conditionsOf(config), pausedCondition(config), { now: now(), generation });
}

function pausedCondition({ metadata }: ExtensionConfig): Condition {
  const annotated = Object.hasOwn(metadata.annotations ?? {}, annotations.paused);
  const { report } = decide(Paused, { annotated, clusterPaused: false });
  const condition = conditionOf(Paused, report);
  if (condition === undefined) throw new TypeError("the table of Paused always reports");
  return condition;
}

/** True where two conditions say the same, of whatever generation. */
function saysSo(stored: Condition, wished: Condition): boolean {
  return sameState({ ...stored, observedGeneration: 0 }, wished);
}

function observes({ observedGeneration = 0 }: Condition, { metadata }: ExtensionConfig): boolean {
  return observedGeneration === (metadata.generation ?? 0);
}
