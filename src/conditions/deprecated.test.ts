import { parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import type { Condition } from "./condition.ts";
import { type DeprecatedCondition, setDeprecatedTwin } from "./deprecated.ts";

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const later = parseTimestamp("2025-01-15T13:00:00Z");
const twin = { type: "Reconciled", severity: "Warning", reasons: { NotUpToDate: "Outdated" } } as const;

const upToDate: Condition = { type: "UpToDate", status: "True", reason: "UpToDate", message: "" };
const outdated: Condition = { type: "UpToDate", status: "False", reason: "NotUpToDate", message: "one is old" };
const unknown: Condition = { type: "UpToDate", status: "Unknown", reason: "InternalError", message: "see the logs" };

describe("the deprecated twin of a condition", () => {
  test.each<[string, Condition, Partial<DeprecatedCondition>]>([
    ["says nothing but True", upToDate, { status: "True" }],
    [
      "has its own reason and a severity where it is False",
      outdated,
      { status: "False", severity: "Warning", reason: "Outdated", message: "one is old" },
    ],
    [
      "has no severity where it is Unknown",
      unknown,
      { status: "Unknown", reason: "InternalError", message: "see the logs" },
    ],
    [
      "has no empty message",
      { ...outdated, message: "" },
      { status: "False", severity: "Warning", reason: "Outdated" },
    ],
  ])("%s", (_, condition, expected) => {
    expect(setDeprecatedTwin([], condition, { twin, now: noon })).toEqual([
      { type: "Reconciled", lastTransitionTime: noon, ...expected },
    ]);
  });

  test("keeps its time and its list while it says the same", () => {
    const before = setDeprecatedTwin([], outdated, { twin, now: noon });
    expect(setDeprecatedTwin(before, outdated, { twin, now: later })).toBe(before);
  });

  test("gets a new time with another message", () => {
    const before = setDeprecatedTwin([], outdated, { twin, now: noon });
    const [after] = setDeprecatedTwin(before, { ...outdated, message: "two are old" }, { twin, now: later });
    expect(after).toMatchObject({ message: "two are old", lastTransitionTime: later });
  });

  test("takes its place by its type, after Ready", () => {
    const others = ["Ready", "Aaa", "Zzz"].map((type) => ({ type, status: "True", lastTransitionTime: noon }));
    const types = setDeprecatedTwin(others, upToDate, { twin, now: noon }).map(({ type }) => type);
    expect(types).toEqual(["Ready", "Aaa", "Reconciled", "Zzz"]);
  });
});
