import { parseTimestamp } from "#base";
import { expect, test } from "vitest";
import type { Condition } from "./condition.ts";
import { mirrorCondition, type MirrorConditionOptions } from "./mirror.ts";

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const ready: Condition = {
  type: "Ready",
  status: "False",
  reason: "Broken",
  message: "it broke",
  lastTransitionTime: noon,
  observedGeneration: 7,
};
const fallback = { status: "False", reason: "Waiting", message: "not there yet" } as const;

test.each<[string, readonly Condition[], MirrorConditionOptions, Condition]>([
  [
    "a condition is taken over with its time, but not with its generation",
    [ready],
    {},
    { type: "Ready", status: "False", reason: "Broken", message: "it broke", lastTransitionTime: noon },
  ],
  [
    "it may be called otherwise",
    [ready],
    { targetConditionType: "InfrastructureReady", fallbackCondition: fallback },
    { type: "InfrastructureReady", status: "False", reason: "Broken", message: "it broke", lastTransitionTime: noon },
  ],
  [
    "a missing condition is unknown, and named by its own type",
    [],
    { targetConditionType: "InfrastructureReady" },
    {
      type: "InfrastructureReady",
      status: "Unknown",
      reason: "NotYetReported",
      message: "Condition Ready not yet reported",
    },
  ],
  [
    "a missing condition falls back to what is given",
    [],
    { fallbackCondition: fallback },
    { type: "Ready", ...fallback },
  ],
])("%s", (_, conditions, options, expected) => {
  expect(mirrorCondition(conditions, "Ready", options)).toEqual(expected);
});
