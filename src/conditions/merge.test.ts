import { InvalidTimestampError, type Timestamp } from "#base";
import { describe, expect, test } from "vitest";
import type { Condition, Status } from "./condition.ts";
import { ConditionInputError } from "./errors.ts";
import { mergeStrategy, type MergeStrategyOptions, reasons, sortForMerge, splitByPriority } from "./merge.ts";
import type { OwnedCondition } from "./message.ts";
import { defaultPriority } from "./priority.ts";

function condition(type: string, status: Status, minute?: number | string): OwnedCondition {
  const owner = { kind: "Machine", name: `m-${minute ?? "x"}`, isControlPlaneMachine: false };
  const time = typeof minute === "number" ? `2025-01-15T12:0${minute}:00Z` : minute;
  const whole: OwnedCondition = { type, status, reason: "R", message: `${type} is ${status}`, owner };
  return time === undefined ? whole : { ...whole, lastTransitionTime: time as Timestamp };
}

describe("the strategy", () => {
  test.each<[string, readonly Status[], MergeStrategyOptions, Pick<Condition, "status" | "reason">]>([
    ["one issue decides", ["True", "Unknown", "False"], {}, { status: "False", reason: "IssuesReported" }],
    ["else one unknown decides", ["True", "Unknown"], {}, { status: "Unknown", reason: "UnknownReported" }],
    ["else all is well", ["True", "True"], {}, { status: "True", reason: "InfoReported" }],
    [
      "an issue is True where the target is negative",
      ["True", "False"],
      { targetHasPositivePolarity: false, priority: defaultPriority(["A"]) },
      { status: "True", reason: "IssuesReported" },
    ],
    [
      "no issue is False where the target is negative",
      ["False", "False"],
      { targetHasPositivePolarity: false, priority: defaultPriority(["A"]) },
      { status: "False", reason: "InfoReported" },
    ],
    [
      "reasons are what they are told to be",
      ["False"],
      { reason: reasons("Bad", "Eh", "Good") },
      { status: "False", reason: "Bad" },
    ],
    ["priorities too", ["False"], { priority: () => "info" }, { status: "True", reason: "InfoReported" }],
  ])("%s", (_, statuses, options, expected) => {
    const conditions = statuses.map((status, minute) => condition("A", status, minute));
    const { status, reason } = mergeStrategy(options).merge("aggregate", conditions, ["A"]);
    expect({ status, reason }).toEqual(expected);
  });

  test("the transform has the last word on the entries of a summary, and none on an aggregate", () => {
    const strategy = mergeStrategy({
      summaryMessageTransform: (entries) => entries.map((entry) => entry.toUpperCase()),
    });
    const conditions = [condition("A", "False"), condition("B", "False")];
    expect(strategy.merge("summary", conditions, ["A", "B"]).message).toBe("* A: A IS FALSE\n* B: B IS FALSE");
    expect(strategy.merge("aggregate", conditions, ["A", "B"]).message).toBe(
      "* Machine m-x: A is False\n* Machine m-x: B is False",
    );
  });

  test("a type that is named twice has the place where it is named last", () => {
    const conditions = [condition("A", "False"), condition("B", "False")];
    expect(mergeStrategy().merge("summary", conditions, ["A", "B", "A"]).message).toBe(
      "* B: B is False\n* A: A is False",
    );
  });

  test("of nothing comes an error", () => {
    expect(() => mergeStrategy().merge("summary", [], ["A"])).toThrow(
      new ConditionInputError("can't merge an empty list of conditions"),
    );
  });

  test("a time that is none is refused by name", () => {
    expect(() => sortForMerge([condition("A", "True", "soon"), condition("A", "True", 1)], ["A"])).toThrow(
      InvalidTimestampError,
    );
  });
});

describe("the order in which conditions are merged", () => {
  test.each<[string, readonly OwnedCondition[], readonly string[], readonly number[]]>([
    ["by place in the list of types", [condition("B", "True", 1), condition("A", "True", 2)], ["A", "B"], [1, 0]],
    ["then by age", [condition("A", "True", 2), condition("A", "True", 1)], ["A"], [1, 0]],
    ["without a time is oldest", [condition("A", "True", 1), condition("A", "True")], ["A"], [1, 0]],
    [
      "a type that is not listed goes with the first",
      [condition("X", "True", 2), condition("A", "True", 1)],
      ["A", "B"],
      [1, 0],
    ],
    ["what is equal keeps its order", [condition("A", "True", 1), condition("A", "False", 1)], ["A"], [0, 1]],
    [
      "fractions and zones count",
      [condition("A", "True", "2025-01-15T13:00:00.9+01:00"), condition("A", "True", "2025-01-15T12:00:00.1Z")],
      ["A"],
      [1, 0],
    ],
  ])("%s", (_, conditions, types, order) => {
    expect(sortForMerge(conditions, types)).toEqual(order.map((index) => conditions[index]));
  });

  test("groups keep the order", () => {
    const [one, two, three, four] = [
      condition("A", "False", 1),
      condition("A", "True", 2),
      condition("B", "False", 3),
      condition("A", "Unknown", 4),
    ] as const;
    expect(splitByPriority([one, two, three, four], defaultPriority([]))).toEqual({
      issue: [one, three],
      unknown: [four],
      info: [two],
    });
  });
});
