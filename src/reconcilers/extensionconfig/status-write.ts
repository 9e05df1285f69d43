import { ExtensionConfig } from "#api";
import { CapstanError, describeError } from "#base";
import type { Condition, DeprecatedCondition } from "#conditions";
import type { PassClient } from "#control";
import { deepEqual, describeKey, type JsonObject, keyOf, mergePatchBetween } from "#machinery";
import type { ExtensionHandler } from "#extensions";
import { ExtensionConfigError } from "./errors.ts";

/** What is to stand in the status of an ExtensionConfig. */
export interface StatusToWrite {
  readonly conditions: readonly Condition[];
  /** As they are unless told. */
  readonly handlers?: readonly ExtensionHandler[];
  /** As they are unless told. */
  readonly deprecated?: readonly DeprecatedCondition[];
}

/** The ExtensionConfig with another status, in memory. */
export function withStatus(
  config: ExtensionConfig,
  { conditions, handlers, deprecated }: StatusToWrite,
): ExtensionConfig {
  const { handlers: before = [], deprecated: old, ...rest } = config.status ?? {};
  const stay = handlers ?? before;
  const twins = deprecated === undefined ? old : { ...old, v1beta1: { ...old?.v1beta1, conditions: deprecated } };
  return {
    ...config,
    status: {
      ...rest,
      ...(conditions.length === 0 ? {} : { conditions: conditions.map(timed) }),
      ...(stay.length === 0 ? {} : { handlers: stay }),
      ...(twins === undefined ? {} : { deprecated: twins }),
    },
  };
}

/**
 * Writes what differs in the status, in one patch and only over what was read: where somebody else was faster, the pass
 * is made again. Answers the object as the server has it then.
 */
export async function writeStatus(
  before: ExtensionConfig,
  after: ExtensionConfig,
  client: Pick<PassClient, "patchStatus">,
): Promise<ExtensionConfig> {
  const status = mergePatchBetween(plain(before.status ?? {}), plain(after.status ?? {}));
  if (Object.keys(status).length === 0) return before;
  const { resourceVersion } = before.metadata;
  const metadata = resourceVersion === undefined ? {} : { metadata: { resourceVersion } };
  try {
    return await client.patchStatus(ExtensionConfig, keyOf(before), { kind: "merge", patch: { ...metadata, status } });
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    throw new ExtensionConfigError(failureOf(before, after, describeError(error)));
  }
}

/** The reference writes conditions and the rest one after the other, and tells of both. */
function failureOf(before: ExtensionConfig, after: ExtensionConfig, error: string): string {
  const rest = `failed to patch status: ${error}`;
  const sameConditions =
    deepEqual(before.status?.conditions ?? [], after.status?.conditions ?? []) &&
    deepEqual(before.status?.deprecated ?? {}, after.status?.deprecated ?? {});
  const failures = sameConditions ? rest : `[failed to patch status conditions: ${error}, ${rest}]`;
  return `failed to patch ExtensionConfig ${describeKey(keyOf(before))}: ${failures}`;
}

type StoredCondition = NonNullable<NonNullable<ExtensionConfig["status"]>["conditions"]>[number];

/** A condition as it is stored: setting it has given it a time. */
function timed(condition: Condition): StoredCondition {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a condition that nobody set has no time
  return condition as StoredCondition;
}

function plain(status: object): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parts of objects are plain data
  return status as JsonObject;
}
