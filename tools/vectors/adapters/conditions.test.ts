import { expect, test } from "vitest";
import { conditions } from "./conditions.ts";

const now = "2025-01-15T12:00:00Z";
const ready = { type: "Ready", status: "True", reason: "R", message: "m" };
const readyNow = { ...ready, lastTransitionTime: now, observedGeneration: 0 };

interface Case {
  readonly op: string;
  readonly input: object;
  readonly answer: object;
}

const cases: Readonly<Record<string, Case>> = {
  "an object without conditions is set one": {
    op: "set",
    input: { conditions: null, set: ready },
    answer: { conditions: [readyNow] },
  },
  "of an object without conditions nothing is deleted": {
    op: "delete",
    input: { conditions: null, delete: ["Ready"] },
    answer: { types: [] },
  },
  "a patch without options happens at the time of the file": {
    op: "patchApply",
    input: { before: [], after: [ready], latest: [], options: null },
    answer: { conditions: [{ ...ready, lastTransitionTime: now }] },
  },
  "a missing object mirrors as one that reports nothing": {
    op: "mirror",
    input: { object: null, sourceConditionType: "Ready", options: null },
    answer: {
      condition: {
        type: "Ready",
        status: "Unknown",
        reason: "NotYetReported",
        message: "Condition Ready not yet reported",
      },
    },
  },
  "a fallback without a status is none": {
    op: "mirror",
    input: {
      object: { kind: "K", metadata: null },
      sourceConditionType: "Ready",
      options: { fallbackCondition: { reason: "R" } },
    },
    answer: { condition: { type: "Ready", status: "Unknown" } },
  },
  "options that are null are left out": {
    op: "aggregate",
    input: {
      objects: [{ kind: "K", metadata: { name: "n" }, status: { conditions: [ready] } }],
      sourceConditionType: "Ready",
      options: { targetConditionType: null, negativePolarityConditionTypes: null, mergeStrategy: null },
    },
    answer: { condition: { type: "Ready", status: "True", message: "* K n: m" } },
  },
};

test.each(Object.entries(cases))("%s", (_, { op, input, answer }) => {
  expect(conditions[op]?.(input, { now })).toMatchObject(answer);
});
