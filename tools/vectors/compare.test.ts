import { describe, expect, test } from "vitest";
import { compare, type Rules } from "./compare.ts";

const common: Rules = { conditions: "by-type", times: "where-expected", sets: [] };
const inOrder: Rules = { ...common, conditions: "in-order" };
const always: Rules = { ...inOrder, times: "always" };

interface Case {
  readonly expected: unknown;
  readonly actual: unknown;
  readonly rules?: Rules;
}

const noon = "2025-01-15T12:00:00Z";
const foo = { type: "Foo", status: "True", reason: "R", message: "m", observedGeneration: 2 };
const bar = { type: "Bar", status: "False" };

const equal: Readonly<Record<string, Case>> = {
  "equal scalars": { expected: { a: 1, b: "x", c: false }, actual: { c: false, b: "x", a: 1 } },
  "an empty list and none": { expected: { a: [] }, actual: {} },
  "an absent map and an empty one": { expected: {}, actual: { a: {}, b: { c: undefined } } },
  "null and absent": { expected: { condition: null }, actual: {} },
  "a condition that says nothing and one that says so": {
    expected: bar,
    actual: { ...bar, reason: "", message: "", observedGeneration: 0 },
  },
  "a time that was not expected": { expected: foo, actual: { ...foo, lastTransitionTime: noon } },
  "conditions in another order": { expected: { conditions: [foo, bar] }, actual: { conditions: [bar, foo] } },
  "several conditions of one type, in order": { expected: [foo, bar, foo], actual: [bar, foo, foo] },
  "a set in another order": {
    expected: { controllers: ["a", "b"] },
    actual: { controllers: ["b", "a"] },
    rules: { ...common, sets: ["controllers"] },
  },
  "a list called sorted": { expected: { resultSorted: ["a", "b"] }, actual: { resultSorted: ["b", "a"] } },
  "some error": { expected: { error: true }, actual: { error: "whatever it says" } },
  "no error": { expected: { error: null }, actual: {} },
  "no error, said as false": { expected: { error: false }, actual: { error: undefined } },
  "an error with the expected beginning": {
    expected: { error: "(see errorPrefix)", errorPrefix: "cannot dial: " },
    actual: { error: "cannot dial: ECONNREFUSED" },
  },
  "an error deep inside": { expected: { steps: [{ error: true }] }, actual: { steps: [{ error: "x" }] } },
  "a number that needs 64 bits": { expected: 2 ** 64, actual: 2n ** 64n - 1n },
};

const different: Readonly<Record<string, Case & { readonly paths: readonly string[] }>> = {
  "another scalar": { expected: { a: { b: 1 } }, actual: { a: { b: "1" } }, paths: ["a.b"] },
  "a member too many": { expected: {}, actual: { a: 1 }, paths: ["a"] },
  "a member too few": { expected: { a: "" }, actual: {}, paths: ["a"] },
  "false instead of nothing": { expected: {}, actual: { a: false }, paths: ["a"] },
  "an item too many": { expected: { a: [1] }, actual: { a: [1, 2] }, paths: ["a[1]"] },
  "items in another order": { expected: [1, 2], actual: [2, 1], paths: ["[0]", "[1]"] },
  "another message": { expected: foo, actual: { ...foo, message: "n" }, paths: ["message"] },
  "a generation that was not expected": {
    expected: bar,
    actual: { ...bar, observedGeneration: 3 },
    paths: ["observedGeneration"],
  },
  "another time than the expected": {
    expected: { ...foo, lastTransitionTime: noon },
    actual: foo,
    paths: ["lastTransitionTime"],
  },
  "a time that must not be there": {
    expected: foo,
    actual: { ...foo, lastTransitionTime: noon },
    rules: always,
    paths: ["lastTransitionTime"],
  },
  "conditions in another order where it counts": {
    expected: [
      { type: "Foo", status: "True" },
      { type: "Bar", status: "True" },
    ],
    actual: [
      { type: "Bar", status: "True" },
      { type: "Foo", status: "True" },
    ],
    rules: inOrder,
    paths: ["[0].type", "[1].type"],
  },
  "success instead of an error": { expected: { error: true }, actual: { result: 1 }, paths: ["error", "result"] },
  "an error instead of success": { expected: { error: null }, actual: { error: "no" }, paths: ["error"] },
  "another error": { expected: { error: "a" }, actual: { error: "a." }, paths: ["error"] },
  "an error with another beginning": {
    expected: { error: "(see errorPrefix)", errorPrefix: "cannot dial: " },
    actual: { error: "cannot read" },
    paths: ["error"],
  },
};

describe("equal are", () => {
  test.each(Object.entries(equal))("%s", (_, { expected, actual, rules = common }) => {
    expect(compare(expected, actual, rules)).toEqual([]);
  });
});

describe("different are", () => {
  test.each(Object.entries(different))("%s", (_, { expected, actual, rules = common, paths }) => {
    expect(compare(expected, actual, rules).map(({ path }) => path)).toEqual(paths);
  });
});
