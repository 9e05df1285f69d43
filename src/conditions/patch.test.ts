import { parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import type { Condition } from "./condition.ts";
import { ConditionConflictError, ConditionInputError } from "./errors.ts";
import { applyConditionChanges, type ApplyOptions, conditionChanges } from "./patch.ts";

const eleven = parseTimestamp("2025-01-15T11:00:00Z");
const noon = parseTimestamp("2025-01-15T12:00:00Z");

const good: Condition = { type: "Ready", status: "True", reason: "Fine", message: "", lastTransitionTime: eleven };
const bad: Condition = { ...good, status: "False", reason: "Broken", lastTransitionTime: noon };
const worse: Condition = { ...bad, reason: "Lost" };
const other: Condition = { type: "Available", status: "True", reason: "Here", message: "", lastTransitionTime: eleven };

describe("what changed", () => {
  test.each([
    ["nothing", [good], [good], []],
    ["nothing, since no generation is generation 0", [good], [{ ...good, observedGeneration: 0 }], []],
    ["an addition", [], [good], [{ op: "Add", after: good }]],
    ["a change", [good], [bad], [{ op: "Change", before: good, after: bad }]],
    [
      "a change of nothing but the time",
      [good],
      [{ ...good, lastTransitionTime: noon }],
      [{ op: "Change", before: good, after: { ...good, lastTransitionTime: noon } }],
    ],
    ["a removal", [good], [], [{ op: "Remove", before: good }]],
    [
      "removals come last",
      [good],
      [other],
      [
        { op: "Add", after: other },
        { op: "Remove", before: good },
      ],
    ],
  ])("%s", (_, before, after, changes) => {
    expect(conditionChanges(before, after)).toEqual(changes);
  });

  test.each([
    [null, [good]],
    [[good], undefined],
  ])("an object that is missing is an error", (before, after) => {
    expect(() => conditionChanges(before, after)).toThrow(ConditionInputError);
  });
});

type Lists = readonly [before: readonly Condition[], after: readonly Condition[], latest: readonly Condition[]];

function apply([before, after, latest]: Lists, options: Partial<ApplyOptions> = {}): readonly Condition[] {
  return applyConditionChanges(conditionChanges(before, after), latest, { now: noon, ...options });
}

describe("what another writer has not touched", () => {
  test.each<[string, Lists, readonly Condition[]]>([
    ["an addition is written", [[], [good], []], [good]],
    [
      "an addition that the other made too is left as it is",
      [[], [{ ...good, lastTransitionTime: noon }], [good]],
      [good],
    ],
    ["a change is written", [[good], [bad], [good]], [bad]],
    [
      "a change that keeps the status keeps the time",
      [[good], [{ ...good, reason: "Better", lastTransitionTime: noon }], [good]],
      [{ ...good, reason: "Better" }],
    ],
    [
      "a change that the other made too is left as it is",
      [[good], [bad], [{ ...bad, lastTransitionTime: eleven }]],
      [{ ...bad, lastTransitionTime: eleven }],
    ],
    ["a removal is done", [[good], [], [good, other]], [other]],
    ["a removal does not ask for the time", [[good], [], [{ ...good, lastTransitionTime: noon }]], []],
    ["a removal that the other made too is done", [[good], [], []], []],
    ["what the other added stays, in its place", [[good], [bad], [good, other]], [other, bad]],
  ])("%s", (_, lists, expected) => {
    expect(apply(lists)).toEqual(expected);
  });
});

const conflicts: readonly (readonly [string, Lists, string, readonly Condition[]])[] = [
  [
    "an addition of another state",
    [[], [good], [bad]],
    "condition Ready cannot be added: it has been added by another writer with another state",
    [good],
  ],
  [
    "a change of what was changed",
    [[good], [bad], [worse]],
    "condition Ready cannot be changed: it has been changed by another writer",
    [bad],
  ],
  [
    "a change of what was deleted",
    [[good], [bad], []],
    "condition Ready cannot be changed: it has been deleted by another writer",
    [bad],
  ],
  [
    "a removal of what was changed",
    [[good], [], [bad]],
    "condition Ready cannot be removed: it has been changed by another writer",
    [],
  ],
];

describe("what another writer has touched", () => {
  test.each(conflicts)("%s is a conflict", (_, lists, message) => {
    expect(() => apply(lists)).toThrow(new ConditionConflictError(message));
  });

  test.each(conflicts)("%s is done by the owner of the type, and by force", (_, lists, __, expected) => {
    const statuses = expected.map(({ status, reason }) => ({ status, reason }));
    const statusesOf = (options: Partial<ApplyOptions>) =>
      apply(lists, options).map(({ status, reason }) => ({ status, reason }));
    expect(statusesOf({ ownedConditionTypes: ["Ready"] })).toEqual(statuses);
    expect(statusesOf({ forceOverwrite: true })).toEqual(statuses);
    expect(() => apply(lists, { ownedConditionTypes: ["Available"] })).toThrow(ConditionConflictError);
  });
});

test("no change is no change, even where the object is gone", () => {
  expect(applyConditionChanges([], null, { now: noon })).toEqual([]);
  expect(applyConditionChanges([], [bad, other], { now: noon })).toEqual([bad, other]);
});

test("a change of an object that is gone is an error", () => {
  expect(() => applyConditionChanges([{ op: "Add", after: good }], undefined, { now: noon })).toThrow(
    new ConditionInputError("cannot patch conditions: the object is missing"),
  );
});
