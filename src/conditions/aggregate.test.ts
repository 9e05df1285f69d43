import { parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import { aggregateCondition, type AggregateConditionOptions } from "./aggregate.ts";
import type { Condition, Status } from "./condition.ts";
import { ConditionInputError } from "./errors.ts";
import { mergeStrategy, reasons } from "./merge.ts";
import { defaultPriority } from "./priority.ts";
import { type ConditionSource, controlPlaneLabel, sourceOf } from "./source.ts";

type Said = readonly [name: string, status: Status, message: string];

function says([name, status, message]: Said, kind = "Phase3Obj"): ConditionSource {
  const available: Condition = { type: "Available", status, reason: "Own", message };
  const labels = name.startsWith("cp-") ? { [controlPlaneLabel]: "" } : {};
  return sourceOf({ kind, metadata: { name: name.replace("cp-", ""), labels }, status: { conditions: [available] } });
}

const silent = sourceOf({ kind: "Phase3Obj", metadata: { name: "obj1" } });

describe("the examples of the specification", () => {
  test.each<[string, readonly ConditionSource[], Pick<Condition, "status" | "reason" | "message">]>([
    [
      "one issue",
      [says(["obj0", "False", "Message-1"]), says(["obj1", "True", "Message-99"])],
      { status: "False", reason: "IssuesReported", message: "* Phase3Obj obj0: Message-1" },
    ],
    [
      "one issue of three objects",
      [0, 1, 2].map((n) => says([`obj${n}`, "False", "Message-1"])),
      { status: "False", reason: "IssuesReported", message: "* Phase3Objs obj0, obj1, obj2: Message-1" },
    ],
    [
      "one issue of five objects",
      [0, 1, 2, 3, 4].map((n) => says([`obj${n}`, "False", "Message-1"])),
      { status: "False", reason: "IssuesReported", message: "* Phase3Objs obj0, obj1, obj2, ... (2 more): Message-1" },
    ],
    [
      "five issues of six objects",
      ["1", "2", "4", "5", "1", "3"].map((text, n) => says([`obj${n}`, "False", `Message-${text}`])),
      {
        status: "False",
        reason: "IssuesReported",
        message:
          "* Phase3Objs obj0, obj4: Message-1\n* Phase3Obj obj1: Message-2\n* Phase3Obj obj2: Message-4\nAnd 2 Phase3Objs with other issues",
      },
    ],
    [
      "five issues and something unknown",
      ["1", "2", "3", "4", "5", "6"].map((text, n) =>
        says([`obj${n}`, n === 2 ? "Unknown" : "False", `Message-${text}`]),
      ),
      {
        status: "False",
        reason: "IssuesReported",
        message:
          "* Phase3Obj obj0: Message-1\n* Phase3Obj obj1: Message-2\n* Phase3Obj obj3: Message-4\nAnd 2 Phase3Objs with other issues\nAnd 1 Phase3Obj with status unknown",
      },
    ],
    [
      "nothing but information",
      ["Message-1", "Message-2", "Message-4", "", "Message-1", "Message-3"].map((text, n) =>
        says([`obj${n}`, "True", text]),
      ),
      {
        status: "True",
        reason: "InfoReported",
        message:
          "* Phase3Objs obj0, obj4: Message-1\n* Phase3Obj obj1: Message-2\n* Phase3Obj obj2: Message-4\nAnd 1 Phase3Obj with additional info",
      },
    ],
    [
      "a condition that is missing",
      [says(["obj0", "False", "Message-1"]), silent],
      {
        status: "False",
        reason: "IssuesReported",
        message: "* Phase3Obj obj0: Message-1\n* Phase3Obj obj1: Condition Available not yet reported",
      },
    ],
    [
      "control plane Machines",
      [
        ...(["cp-obj02", "obj01"] as const).map((name) => says([name, "Unknown", "* Message-1"], "Machine")),
        ...(["obj03", "obj04", "obj05"] as const).map((name) => says([name, "False", "* Message-2"], "Machine")),
        says(["obj06", "False", "* Message-3A\n* Message-3B"], "Machine"),
      ],
      {
        status: "False",
        reason: "IssuesReported",
        message:
          "* Machines obj02, obj01:\n  * Message-1\n* Machines obj03, obj04, obj05:\n  * Message-2\n* Machine obj06:\n  * Message-3A\n  * Message-3B",
      },
    ],
  ])("%s", (_, sources, expected) => {
    expect(aggregateCondition(sources, "Available")).toEqual({ type: "Available", ...expected });
  });
});

describe("polarity, target and strategy", () => {
  const troubled = [says(["obj0", "True", "Message-1"])];
  const negative = ["Available"];

  test.each<[string, AggregateConditionOptions, Partial<Condition>]>([
    [
      "a negative condition stays negative",
      { negativePolarityConditionTypes: negative },
      { status: "True", reason: "IssuesReported" },
    ],
    [
      "no negative types are no negative types",
      { negativePolarityConditionTypes: [] },
      { status: "True", reason: "InfoReported" },
    ],
    [
      "a target may have a type of its own",
      { targetConditionType: "Elsewhere" },
      { type: "Elsewhere", status: "True", reason: "InfoReported" },
    ],
    [
      "a strategy is used as it is",
      {
        negativePolarityConditionTypes: negative,
        mergeStrategy: mergeStrategy({ priority: defaultPriority(negative), reason: reasons("Bad", "Eh", "Good") }),
      },
      { status: "False", reason: "Bad" },
    ],
  ])("%s", (_, options, expected) => {
    const message = "* Phase3Obj obj0: Message-1";
    expect(aggregateCondition(troubled, "Available", options)).toEqual({ type: "Available", message, ...expected });
  });

  test.each([[["Ready"]], [["Available", "Ready"]], [["Available", "Available"]]])(
    "negative types %j are refused",
    (negativePolarityConditionTypes) => {
      const strategy = { mergeStrategy: mergeStrategy() };
      const message =
        'negativePolarityConditionTypes can only be set to ["Available"], the condition that is aggregated';
      for (const options of [{}, strategy]) {
        expect(() => aggregateCondition(troubled, "Available", { ...options, negativePolarityConditionTypes })).toThrow(
          new ConditionInputError(message),
        );
      }
    },
  );

  test("no objects are refused", () => {
    expect(() => aggregateCondition([], "Available")).toThrow(new ConditionInputError("sourceObjs can't be empty"));
  });
});

test("the result has no time and no generation of its own", () => {
  const condition: Condition = {
    type: "Available",
    status: "False",
    reason: "Own",
    message: "M",
    lastTransitionTime: parseTimestamp("2025-01-15T12:00:00Z"),
    observedGeneration: 7,
  };
  const source = sourceOf({ kind: "Machine", metadata: { name: "m1" }, status: { conditions: [condition] } });
  expect(aggregateCondition([source], "Available")).toEqual({
    type: "Available",
    status: "False",
    reason: "IssuesReported",
    message: "* Machine m1: M",
  });
});
