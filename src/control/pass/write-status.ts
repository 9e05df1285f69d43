import type { Clock } from "#base";
import type { ServedKind } from "#client";
import {
  applyConditionChanges,
  type Condition,
  type ConditionChange,
  conditionChanges,
  conditionsOf,
} from "#conditions";
import { isConflict, type JsonObject, keyOf, type KubeObject, mergePatchBetween, type Patch } from "#machinery";
import { statusWithoutConditions } from "./active-pass.ts";
import type { PassClient } from "./pass.ts";

/** What the status of an object is to be. */
export interface StatusToWrite {
  /** Everything but the conditions; absent where nothing of it was drafted. */
  readonly status: object | undefined;
  readonly conditions: readonly Condition[];
  /** Types of conditions that nobody else writes. */
  readonly owned: readonly string[];
  /** The version that is written over, where it is newer than that of the object. */
  readonly resourceVersion?: string | undefined;
  /** Whether such changes need not be written yet; all are unless told otherwise. */
  readonly mayWait?: (changes: StatusChanges) => boolean;
}

/** What differs of a status. */
export interface StatusChanges {
  /** Everything but the conditions, as a merge patch. */
  readonly fields: JsonObject;
  readonly conditions: readonly ConditionChange[];
}

/** What writing needs from outside. */
export interface StatusWriter<Obj extends KubeObject> {
  readonly kind: ServedKind<Obj>;
  readonly client: PassClient;
  readonly clock: Clock;
}

const attempts = 5;

/**
 * Writes what differs of a status, in one patch. The list of conditions can only be written whole, so that it goes with
 * the version that it was made from; where another writer was faster, the changes are made again to what he left.
 * Answers the object as it is then, or nothing where there was nothing to write.
 */
export async function writeStatus<Obj extends KubeObject>(
  object: Obj,
  { status, conditions, owned, mayWait, ...at }: StatusToWrite,
  writer: StatusWriter<Obj>,
): Promise<Obj | undefined> {
  const before = storedConditions(object);
  const changes = conditions === before ? [] : conditionChanges(before, conditions);
  const fields = status === undefined ? {} : mergePatchBetween(plain(statusWithoutConditions(object)), plain(status));
  if (changes.length === 0 && Object.keys(fields).length === 0) return undefined;
  if (mayWait?.({ fields, conditions: changes }) === true) return undefined;
  if (changes.length === 0) return await patch(fields);

  let { resourceVersion = object.metadata.resourceVersion } = at;
  let merged = conditions;
  for (let attempt = 1; ; attempt++) {
    try {
      return await patch(plain({ ...fields, conditions: merged }), resourceVersion);
    } catch (error) {
      if (!isConflict(error) || attempt === attempts) throw error;
    }
    // At once: what is read now is as new as can be, and no pass keeps its worker by waiting for a better time.
    const latest = await writer.client.get(writer.kind, keyOf(object));
    resourceVersion = latest.metadata.resourceVersion;
    merged = applyConditionChanges(changes, storedConditions(latest), {
      now: writer.clock.now(),
      ownedConditionTypes: owned,
    });
  }

  function patch(statusPatch: JsonObject, version?: string): Promise<Obj> {
    const metadata = version === undefined ? {} : { metadata: { resourceVersion: version } };
    const body: Patch = {
      kind: "merge",
      patch: { ...metadata, status: statusPatch },
    };
    return writer.client.patchStatus(writer.kind, keyOf(object), body);
  }
}

/** The conditions of an object that a server has checked. */
export function storedConditions(object: KubeObject): readonly Condition[] {
  return conditionsOf(object);
}

/** Parts of objects as what they are on the wire. */
function plain(part: object): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parts of objects are plain data
  return part as JsonObject;
}
