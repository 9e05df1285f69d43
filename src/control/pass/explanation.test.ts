import { describe, expect, test } from "vitest";
import type { Condition, ConditionChange } from "#conditions";
import { isExplanation } from "./explanation.ts";

function condition(type: string, status: Condition["status"]): Condition {
  return { type, status, reason: "Because", message: "" };
}

function changed(from: Condition["status"], to: Condition["status"]): ConditionChange {
  return { op: "Change", before: condition("Lit", from), after: condition("Lit", to) };
}

const appeared = (status: Condition["status"]): ConditionChange => ({ op: "Add", after: condition("Lit", status) });
const vanished = (status: Condition["status"]): ConditionChange => ({ op: "Remove", before: condition("Lit", status) });

describe("a status only explains", () => {
  const said = [condition("Lit", "False")];
  const cases: Record<string, [Parameters<typeof isExplanation>[0], readonly Condition[], boolean]> = {
    "where a reason changes": [{ fields: {}, conditions: [changed("False", "False")] }, said, true],
    "where something is not known any more": [{ fields: {}, conditions: [changed("False", "Unknown")] }, said, true],
    "where a condition goes that was not True": [{ fields: {}, conditions: [vanished("False")] }, said, true],
    "not where something ceases to be True": [{ fields: {}, conditions: [changed("True", "Unknown")] }, said, false],
    "not where something that was True goes": [{ fields: {}, conditions: [vanished("True")] }, said, false],
    "where it was True and still is": [{ fields: {}, conditions: [changed("True", "True")] }, said, true],
    "not where something becomes True": [{ fields: {}, conditions: [changed("Unknown", "True")] }, said, false],
    "not where something is new and True": [{ fields: {}, conditions: [appeared("True")] }, said, false],
    "where nothing was said before": [{ fields: {}, conditions: [appeared("True")] }, [], true],
    "where only Paused was said before": [
      { fields: {}, conditions: [appeared("True")] },
      [condition("Paused", "False")],
      true,
    ],
    "where only counts differ": [{ fields: { replicas: 3 }, conditions: [] }, said, true],
    "not where another field differs": [
      { fields: { address: "a" }, conditions: [changed("True", "False")] },
      [],
      false,
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [changes, before, expected]) => {
    expect(isExplanation(changes, { before, bookkeeping: ["replicas"] })).toBe(expected);
  });
});
