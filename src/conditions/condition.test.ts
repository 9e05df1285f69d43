import { parseTimestamp } from "#base";
import { describe, expect, test } from "vitest";
import {
  type Condition,
  type Conditioned,
  conditionsOf,
  getCondition,
  hasCondition,
  isFalse,
  isTrue,
  isUnknown,
  lastTransitionTimeOf,
  messageOf,
  reasonOf,
  sameCondition,
  sameState,
} from "./condition.ts";

const noon = parseTimestamp("2025-01-15T12:00:00Z");
const eleven = parseTimestamp("2025-01-15T11:00:00Z");

const ready: Condition = {
  type: "Ready",
  status: "True",
  reason: "Fine",
  message: "all well",
  lastTransitionTime: noon,
};
const object: Conditioned = {
  status: {
    conditions: [
      ready,
      { type: "Ready", status: "False", reason: "Later", message: "" },
      { type: "Paused", status: "False", reason: "NotPaused", message: "" },
      { type: "Available", status: "Unknown", reason: "Asked", message: "" },
    ],
  },
};

describe("reading conditions", () => {
  test.each([
    { type: "Ready", has: true, isTrue: true, isFalse: false, isUnknown: false, reason: "Fine", message: "all well" },
    { type: "Paused", has: true, isTrue: false, isFalse: true, isUnknown: false, reason: "NotPaused", message: "" },
    { type: "Available", has: true, isTrue: false, isFalse: false, isUnknown: true, reason: "Asked", message: "" },
    { type: "Missing", has: false, isTrue: false, isFalse: false, isUnknown: true, reason: "", message: "" },
  ])("$type is read by its first entry", ({ type, ...expected }) => {
    expect({
      has: hasCondition(object, type),
      isTrue: isTrue(object, type),
      isFalse: isFalse(object, type),
      isUnknown: isUnknown(object, type),
      reason: reasonOf(object, type),
      message: messageOf(object, type),
    }).toEqual(expected);
  });

  test.each<[string, Conditioned | undefined]>([
    ["no object", undefined],
    ["an object without a status", {}],
    ["a status without conditions", { status: {} }],
  ])("%s has no conditions", (_, nothing) => {
    expect(conditionsOf(nothing)).toEqual([]);
    expect(getCondition(nothing, "Ready")).toBeUndefined();
    expect(isUnknown(nothing, "Ready")).toBe(true);
  });

  test("a time is absent where the condition is missing or has none", () => {
    expect(lastTransitionTimeOf(object, "Ready")).toBe(noon);
    expect(lastTransitionTimeOf(object, "Paused")).toBeUndefined();
    expect(lastTransitionTimeOf(object, "Missing")).toBeUndefined();
  });
});

describe("comparing conditions", () => {
  test.each<[string, Partial<Condition>, { state: boolean; whole: boolean }]>([
    ["nothing", {}, { state: true, whole: true }],
    ["an observed generation of 0 that the other leaves out", { observedGeneration: 0 }, { state: true, whole: true }],
    ["the time", { lastTransitionTime: eleven }, { state: true, whole: false }],
    ["the type", { type: "Available" }, { state: false, whole: false }],
    ["the status", { status: "False" }, { state: false, whole: false }],
    ["the reason", { reason: "Other" }, { state: false, whole: false }],
    ["the message", { message: "" }, { state: false, whole: false }],
    ["the observed generation", { observedGeneration: 2 }, { state: false, whole: false }],
  ])("%s tells two conditions apart or not", (_, change, expected) => {
    const other = { ...ready, ...change };
    expect({ state: sameState(ready, other), whole: sameCondition(ready, other) }).toEqual(expected);
  });
});
