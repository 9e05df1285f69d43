import { type Condition, findCondition, spelled } from "#conditions";
import { fieldAt, isJsonObject, type KubeObject, type ManagedFieldsEntry } from "#machinery";
import type { JudgedCondition, JudgedObject } from "./judged-object.ts";

/** How the condition on the object differs from what its table says now, and why it may. */
export interface Difference {
  /** What stands on the object; absent where nothing does. */
  readonly stored?: Pick<Condition, "status" | "reason" | "message">;
  readonly why: readonly string[];
}

/** Where the stored condition says something else than the table does now; either spelling of a reason will do. */
export function differenceOf(
  { table, explanation }: JudgedCondition,
  { object, stored, paused }: JudgedObject,
): Difference | undefined {
  const { report, undecided } = explanation;
  if (undecided !== undefined || report.kind === "last-known") return undefined;
  const condition = findCondition(stored, table.type);
  if (condition === undefined) return { why: ["nobody has reported it yet", ...pausing(paused)] };
  const reason = (text: string) => spelled(table, text, "documented");
  const isSame =
    condition.status === report.status &&
    condition.message === report.message &&
    reason(condition.reason) === reason(report.reason);
  if (isSame) return undefined;
  const { status, reason: storedReason, message } = condition;
  const why = [...pausing(paused), ...lagging(condition, object), ...writing(table.type, object)];
  return {
    stored: { status, reason: storedReason, message },
    why: why.length > 0 ? why : ["something has changed since it was written; the next pass writes it anew"],
  };
}

function pausing(paused: boolean): readonly string[] {
  return paused ? ["the object is paused: nobody judges it"] : [];
}

function lagging({ observedGeneration }: Condition, { metadata }: KubeObject): readonly string[] {
  const { generation } = metadata;
  if (generation === undefined || observedGeneration === undefined || observedGeneration === generation) return [];
  return [`not yet reconciled: it was judged at generation ${observedGeneration}, the object is at ${generation}`];
}

/** Who wrote the condition last, where that is not who writes the others of the object. */
function writing(type: string, { metadata }: KubeObject): readonly string[] {
  const entries = metadata.managedFields ?? [];
  const writer = entries
    .filter((entry) => ownsCondition(entry, type))
    .toSorted(byTime)
    .at(-1);
  const usual = entries.toSorted((a, b) => conditionsOwned(b) - conditionsOwned(a)).at(0);
  if (writer === undefined || usual === undefined) return [];
  const at = writer.time === undefined ? "" : ` at ${writer.time}`;
  if (writer.manager === usual.manager) return [];
  return [
    `${writer.manager ?? "somebody"} wrote it${at}; ${usual.manager ?? "somebody else"} writes the other conditions`,
  ];
}

function byTime(a: ManagedFieldsEntry, b: ManagedFieldsEntry): number {
  return (a.time ?? "") < (b.time ?? "") ? -1 : 1;
}

function ownedConditions(entry: ManagedFieldsEntry): readonly string[] {
  const conditions = fieldAt(entry.fieldsV1, "f:status", "f:conditions");
  return isJsonObject(conditions) ? Object.keys(conditions).filter((key) => key.startsWith("k:")) : [];
}

function conditionsOwned(entry: ManagedFieldsEntry): number {
  return ownedConditions(entry).length;
}

function ownsCondition(entry: ManagedFieldsEntry, type: string): boolean {
  return ownedConditions(entry).includes(`k:${JSON.stringify({ type })}`);
}
