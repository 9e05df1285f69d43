import { describe, expect, test } from "vitest";
import { MalformedConditionsError } from "./errors.ts";
import { readCondition, readConditions } from "./untyped.ts";

const entry = { type: "Ready", status: "True", reason: "Fine", message: "all well" };

describe("where conditions are found", () => {
  const newer = { ...entry, reason: "Newer" };

  test.each([
    ["in status.conditions", { conditions: [entry] }, ["Fine"]],
    ["in status.v1beta2.conditions first", { v1beta2: { conditions: [newer] }, conditions: [entry] }, ["Newer"]],
    ["in status.v1beta2.conditions even if empty", { v1beta2: { conditions: [] }, conditions: [entry] }, []],
    ["past a v1beta2 list that is none", { v1beta2: { conditions: "none" }, conditions: [entry] }, ["Fine"]],
    ["past a v1beta2 that is no object", { v1beta2: [], conditions: [entry] }, ["Fine"]],
    ["nowhere if the list is no list", { conditions: { Ready: entry } }, []],
    ["nowhere if the list is null", { conditions: null }, []],
    ["nowhere if the status is no object", "Running", []],
    ["nowhere if there is no status", undefined, []],
  ])("%s", (_, status, reasons) => {
    expect(readConditions({ kind: "Foo", status }).map(({ reason }) => reason)).toEqual(reasons);
  });
});

describe("how an entry is read", () => {
  test.each([
    ["all of its fields", { ...entry, observedGeneration: 3 }, { ...entry, observedGeneration: 3 }],
    ["no reason", { type: "Ready", status: "True" }, { ...entry, reason: "NoReasonReported", message: "" }],
    ["a null message", { ...entry, message: null }, { ...entry, message: "" }],
    ["a null time", { ...entry, lastTransitionTime: null }, entry],
    ["an empty time", { ...entry, lastTransitionTime: "" }, entry],
    ['the time "null"', { ...entry, lastTransitionTime: "null" }, entry],
    [
      "a time of another zone with a fraction",
      { ...entry, lastTransitionTime: "2025-01-15T13:00:00.5+01:00" },
      { ...entry, lastTransitionTime: "2025-01-15T12:00:00Z" },
    ],
    ["a field of the older shape", { ...entry, severity: "Error" }, entry],
  ])("%s", (_, raw, condition) => {
    expect(readConditions({ kind: "Foo", status: { conditions: [raw] } })).toEqual([condition]);
  });

  test("entries that are no objects are passed over", () => {
    expect(readConditions({ status: { conditions: ["Ready", null, 7, [entry], entry] } })).toEqual([entry]);
  });

  test("a message of 100 kB is read to the byte", () => {
    const message = "ä\n".repeat(50_000);
    expect(readConditions({ status: { conditions: [{ ...entry, message }] } })).toEqual([{ ...entry, message }]);
  });

  test("the first condition of a type is the one", () => {
    const conditions = [{ ...entry, type: "Available" }, entry, { ...entry, reason: "Second" }];
    expect(readCondition({ status: { conditions } }, "Ready")).toEqual(entry);
    expect(readCondition({ status: { conditions } }, "Paused")).toBeUndefined();
  });
});

describe("what cannot be read", () => {
  test.each([
    ["no type", { status: "True" }, "type must be set for all conditions"],
    ["a type that is no text", { type: 7, status: "True" }, "type must be set for all conditions"],
    ["no status", { type: "Ready" }, "status must be set for the Ready condition"],
    [
      "a status that is none of three",
      { type: "Ready", status: "true" },
      "status for the Ready condition must be one of True, False, Unknown",
    ],
    [
      "a time that is none",
      { ...entry, lastTransitionTime: "yesterday" },
      'lastTransitionTime of the Ready condition is not a time: "yesterday"',
    ],
    [
      "a time that is no text",
      { ...entry, lastTransitionTime: 1736942400 },
      "lastTransitionTime of the Ready condition must be a time",
    ],
  ])("%s fails the whole list", (_, bad, why) => {
    const conditions = [entry, bad];
    expect(() => readConditions({ kind: "Foo", status: { conditions } })).toThrow(
      new MalformedConditionsError(`failed to convert status.conditions from Foo to []metav1.Condition: ${why}`),
    );
    expect(() => readConditions({ kind: "Foo", status: { v1beta2: { conditions } } })).toThrow(
      new MalformedConditionsError(
        `failed to convert status.v1beta2.conditions from Foo to []metav1.Condition: ${why}`,
      ),
    );
  });

  test.each([[null], [undefined], ["Foo"], [7], [[]]])("%j is no object", (nothing) => {
    expect(() => readConditions(nothing)).toThrow(
      new MalformedConditionsError("cannot read conditions: there is no object"),
    );
  });
});
