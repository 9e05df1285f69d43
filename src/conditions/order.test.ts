import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Condition } from "./condition.ts";
import { compareText, compareTypes, sortConditions } from "./order.ts";

function entry(type: string, reason: string): Condition {
  return { type, reason, status: "True", message: "" };
}

describe("the order of conditions on an object", () => {
  test.each([
    ["the well-known go first", ["B", "Ready", "A", "Available"], ["Available", "Ready", "A", "B"]],
    ["pausing and deleting go last", ["Deleting", "Paused", "Zeta"], ["Zeta", "Paused", "Deleting"]],
    ["NodeHealthy stands before NodeReady", ["NodeReady", "NodeHealthy"], ["NodeHealthy", "NodeReady"]],
    [
      "RollingOut stands before what scales",
      ["ScalingUp", "ScalingDown", "Remediating", "RollingOut", "WorkersAvailable"],
      ["WorkersAvailable", "RollingOut", "Remediating", "ScalingDown", "ScalingUp"],
    ],
    [
      "a gate of a user stands behind all that is known",
      ["Gate", "WorkerMachinesUpToDate"],
      ["WorkerMachinesUpToDate", "Gate"],
    ],
    ["capitals go before small letters", ["a", "B"], ["B", "a"]],
  ])("%s", (_, types, sorted) => {
    expect(types.toSorted(compareTypes)).toEqual(sorted);
  });

  test("entries of one type keep their order", () => {
    const sorted = sortConditions([entry("X", "1"), entry("Ready", "2"), entry("X", "3")]);
    expect(sorted.map(({ reason }) => reason)).toEqual(["2", "1", "3"]);
  });
});

describe("comparing texts", () => {
  test("texts compare as their bytes do", () => {
    const text = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareText(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  test("a character beyond U+FFFF comes after one right below", () => {
    expect(compareText("😀", "\uffee")).toBeGreaterThan(0);
  });
});
