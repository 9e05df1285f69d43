import { InvalidTimestampError, parseTimestamp, type Timestamp } from "#base";
import { describe, expect, test } from "vitest";
import type { Condition } from "./condition.ts";
import { deleteCondition, setCondition } from "./set.ts";

const eleven = parseTimestamp("2025-01-15T11:00:00Z");
const noon = parseTimestamp("2025-01-15T12:00:00Z");
const later = parseTimestamp("2025-01-15T13:00:00Z");

const timeless: Condition = {
  type: "Ready",
  status: "True",
  reason: "Fine",
  message: "all well",
  observedGeneration: 4,
};

const present: Condition = { ...timeless, lastTransitionTime: eleven };

const paused: Condition = { type: "Paused", status: "False", reason: "NotPaused", message: "" };

describe("setting a condition", () => {
  test.each<[string, Partial<Condition>, Partial<Condition>]>([
    ["another status starts a new time", { status: "False" }, { status: "False", lastTransitionTime: noon }],
    [
      "another status takes the time that the caller gives",
      { status: "False", lastTransitionTime: later },
      { status: "False", lastTransitionTime: later },
    ],
    ["another reason keeps the time", { reason: "Better" }, { reason: "Better" }],
    ["another message keeps the time", { message: "" }, { message: "" }],
    [
      "an equal status keeps the time even if the caller gives one",
      { reason: "Better", lastTransitionTime: later },
      { reason: "Better" },
    ],
  ])("%s", (_, change, expected) => {
    const set = setCondition([present], { ...timeless, ...change }, { now: noon, generation: 4 });
    expect(set).toEqual([{ ...present, ...expected }]);
  });

  test("the generation of the object replaces whatever the caller says", () => {
    const set = setCondition([present], { ...timeless, observedGeneration: 99 }, { now: noon, generation: 5 });
    expect(set).toEqual([{ ...present, observedGeneration: 5 }]);
  });

  test("an object without a generation counts as generation 0", () => {
    expect(setCondition([], paused, { now: noon })).toEqual([
      { ...paused, observedGeneration: 0, lastTransitionTime: noon },
    ]);
  });

  test("a present condition without a time stays without one while its status stays", () => {
    const set = setCondition([timeless], { ...timeless, reason: "Better" }, { now: noon, generation: 4 });
    expect(set).toEqual([{ ...timeless, reason: "Better" }]);
  });

  test.each([
    ["2025-01-15T12:00:00.999Z", "2025-01-15T12:00:00Z"],
    ["2025-01-15T13:00:00+01:00", "2025-01-15T12:00:00Z"],
    ["2025-01-15T12:00:00Z", "2025-01-15T12:00:00Z"],
  ])("the time %s is written as %s", (given, written) => {
    const [set] = setCondition([], { ...paused, lastTransitionTime: given as Timestamp }, { now: noon });
    expect(set?.lastTransitionTime).toBe(written);
  });

  test("a time that is none is refused by name", () => {
    const broken = { ...paused, lastTransitionTime: "yesterday" as Timestamp };
    expect(() => setCondition([], broken, { now: noon })).toThrow(
      new InvalidTimestampError('parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": not an RFC 3339 time'),
    );
  });

  test("nothing changed: the very list comes back, in the order that it had", () => {
    const unsorted = [paused, present];
    expect(setCondition(unsorted, timeless, { now: noon, generation: 4 })).toBe(unsorted);
  });

  test("something changed: the whole list is sorted, and the old list is left alone", () => {
    const unsorted = [paused, { ...paused, type: "Zeta" }, present];
    const set = setCondition(unsorted, { ...timeless, type: "Available" }, { now: noon });
    expect(set.map(({ type }) => type)).toEqual(["Available", "Ready", "Zeta", "Paused"]);
    expect(unsorted.map(({ type }) => type)).toEqual(["Paused", "Zeta", "Ready"]);
  });

  test("of a type that stands twice, the first is set", () => {
    const twice = [present, { ...present, reason: "Second" }];
    const set = setCondition(twice, { ...timeless, reason: "Better" }, { now: noon, generation: 4 });
    expect(set.map(({ reason }) => reason)).toEqual(["Better", "Second"]);
  });

  test("a message of 100 kB is kept to the byte", () => {
    const message = "x".repeat(100_000);
    expect(setCondition([], { ...paused, message }, { now: noon })[0]?.message).toBe(message);
  });
});

describe("deleting a condition", () => {
  test("all entries of the type go, the others keep their order", () => {
    const list = [paused, present, { ...paused, type: "Zeta" }, present];
    expect(deleteCondition(list, "Ready").map(({ type }) => type)).toEqual(["Paused", "Zeta"]);
  });

  test("a type that is not there changes nothing", () => {
    const list = [paused];
    expect(deleteCondition(list, "Ready")).toBe(list);
  });
});
