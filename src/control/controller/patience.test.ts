import { describe, expect, test } from "vitest";
import { awaitChange, createFakeClock, noTime, parseTimestamp, seconds } from "#base";
import type { PassRecord } from "../pass/pass-record.ts";
import { Patience } from "./patience.ts";

const key = { namespace: "n", name: "a" };

function scene() {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  return { clock, patience: new Patience(clock, seconds(2)) };
}

function pass(change: Partial<PassRecord> = {}): PassRecord {
  return {
    reconciler: "lamp",
    key,
    reconcileId: "1",
    at: parseTimestamp("2026-01-01T00:00:00Z"),
    took: noTime,
    outcome: "judged",
    undeclared: [],
    verdicts: [],
    next: awaitChange,
    errors: [],
    wrote: [],
    ...change,
  };
}

describe("patience", () => {
  test("ends as long after what was put off first, however often it is put off again", async () => {
    const { clock, patience } = scene();
    expect(patience.leftFor(key)).toBe(seconds(2));
    patience.note(pass({ putOff: true }));
    await clock.advance(seconds(1));
    patience.note(pass({ putOff: true }));
    expect(patience.leftFor(key)).toBe(seconds(1));
    await clock.advance(seconds(5));
    expect(patience.leftFor(key)).toBe(noTime);
  });

  test("begins anew with the next thing, but not because a pass has failed", async () => {
    const { clock, patience } = scene();
    patience.note(pass({ putOff: true }));
    await clock.advance(seconds(1));
    patience.note(pass({ outcome: "failed" }));
    expect(patience.leftFor(key)).toBe(seconds(1));
    patience.note(pass());
    expect(patience.leftFor(key)).toBe(seconds(2));
  });

  test("ends in a lull for whatever has been put off", () => {
    const { patience } = scene();
    patience.note(pass({ putOff: true }));
    patience.end();
    expect(patience.leftFor(key)).toBe(noTime);
    expect(patience.leftFor({ namespace: "n", name: "b" })).toBe(seconds(2));
  });
});
