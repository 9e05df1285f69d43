import { expect, test } from "vitest";
import { minutes, seconds } from "./duration.ts";
import { wrap } from "./errors.ts";
import { awaitChange, describeNext, mostUrgent, requeueAfter, retry } from "./next.ts";

const soon = requeueAfter(seconds(5), "soon");
const later = requeueAfter(minutes(5), "later");
const failed = retry(wrap(new Error("b"), "a"));

test.each([
  ["an error beats a timer", [failed, soon], failed],
  ["the first of two errors stays", [failed, retry(new Error("x"))], failed],
  ["the sooner timer beats the later one", [later, soon], soon],
  ["a timer beats waiting", [awaitChange, later], later],
  ["an error beats waiting", [awaitChange, failed], failed],
  ["waiting twice is waiting", [awaitChange, awaitChange], awaitChange],
] as const)("%s", (_, [a, b], winner) => {
  expect(mostUrgent(a, b)).toBe(winner);
  expect(mostUrgent(b, a).kind).toBe(winner.kind);
});

test("a Next in words", () => {
  expect([awaitChange, later, failed].map(describeNext)).toEqual([
    "none: waits for a change",
    "requeueAfter 5m0s: later",
    "retry with backoff: a: b",
  ]);
});
