import { describe, expect, test } from "vitest";
import type { Condition, Status } from "./condition.ts";
import { ConditionInputError } from "./errors.ts";
import { mergeStrategy, reasons } from "./merge.ts";
import { type ConditionSource, sourceOf } from "./source.ts";
import { summaryCondition, type SummaryConditionOptions } from "./summary.ts";

function condition(type: string, status: Status, message = `Message-${type}`): Condition {
  return { type, status, reason: `Reason-${type}`, message };
}

function objectWith(...conditions: readonly Condition[]): ConditionSource {
  return sourceOf({ kind: "Phase3Obj", metadata: { name: "SourceObject" }, status: { conditions } });
}

const options: SummaryConditionOptions = {
  forConditionTypes: ["A", "B", "!C"],
  negativePolarityConditionTypes: ["!C"],
};

describe("summing up", () => {
  test.each<[string, ConditionSource, SummaryConditionOptions, Omit<Condition, "type">]>([
    [
      "the example of the specification",
      objectWith(condition("B", "False"), condition("A", "Unknown"), condition("!C", "True")),
      options,
      { status: "False", reason: "IssuesReported", message: "* A: Message-A\n* B: Message-B\n* !C: Message-!C" },
    ],
    [
      "all is well",
      objectWith(condition("B", "True", ""), condition("A", "True"), condition("!C", "False")),
      options,
      { status: "True", reason: "InfoReported", message: "* A: Message-A\n* !C: Message-!C" },
    ],
    [
      "conditions out of scope do not count",
      objectWith(condition("A", "True", ""), condition("Z", "False")),
      { forConditionTypes: ["A"] },
      { status: "True", reason: "InfoReported", message: "" },
    ],
    [
      "a missing condition is unknown, and its entry does not repeat the type",
      objectWith(condition("A", "True")),
      { ...options, ignoreTypesIfMissing: ["B"] },
      { status: "Unknown", reason: "UnknownReported", message: "* !C: Condition not yet reported" },
    ],
    [
      "a type that is listed twice is missing once",
      objectWith(condition("A", "True")),
      { forConditionTypes: ["A", "B", "B"] },
      { status: "Unknown", reason: "UnknownReported", message: "* B: Condition not yet reported" },
    ],
    [
      "a condition may be overridden",
      objectWith(condition("A", "True"), condition("B", "True")),
      { forConditionTypes: ["A", "B"], overrideConditions: [condition("B", "False", "over")] },
      { status: "False", reason: "IssuesReported", message: "* B: over" },
    ],
    [
      "a strategy is used as it is",
      objectWith(condition("A", "False")),
      { forConditionTypes: ["A"], mergeStrategy: mergeStrategy({ reason: reasons("Bad", "Eh", "Good") }) },
      { status: "False", reason: "Bad", message: "* A: Message-A" },
    ],
  ])("%s", (_, source, given, expected) => {
    expect(summaryCondition(source, "Available", given)).toEqual({ type: "Available", ...expected });
  });
});

describe("what cannot be summed up", () => {
  test.each<[string, SummaryConditionOptions, string]>([
    ["no types", { forConditionTypes: [] }, "forConditionTypes can't be empty"],
    [
      "the target itself",
      { forConditionTypes: ["A", "Available"] },
      "forConditionTypes can't contain the target condition Available",
    ],
    [
      "two overrides of a type",
      { forConditionTypes: ["A"], overrideConditions: [condition("A", "True"), condition("A", "True")] },
      "condition A is overridden more than once",
    ],
    [
      "an override of what is not there",
      { forConditionTypes: ["A", "B"], overrideConditions: [condition("B", "True")] },
      "condition B is overridden but does not exist on SourceObject",
    ],
    [
      "nothing, since all that is missing is ignored",
      { forConditionTypes: ["B"], ignoreTypesIfMissing: ["B"] },
      "summary can't be performed when the list of conditions is empty",
    ],
  ])("%s", (_, given, message) => {
    expect(() => summaryCondition(objectWith(condition("A", "True")), "Available", given)).toThrow(
      new ConditionInputError(message),
    );
  });
});
