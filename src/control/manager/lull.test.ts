import { describe, expect, test } from "vitest";
import { createFakeClock, milliseconds, parseTimestamp } from "#base";
import { Lull } from "./lull.ts";

function scene() {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const controllers = ["a", "b"].map((name) => ({
    name,
    isIdle: true,
    isPatient: false,
    hurried: 0,
    hurry() {
      this.hurried++;
      this.isPatient = false;
    },
  }));
  const lull = new Lull(clock, controllers);
  return { clock, controllers, lull, hurried: () => controllers.map(({ hurried }) => hurried) };
}

describe("a lull", () => {
  test("is when nobody has had anything to do for a moment", async () => {
    const { clock, controllers, lull, hurried } = scene();
    const [a, b] = controllers;
    if (a === undefined || b === undefined) throw new Error("there are two");
    a.isPatient = true;
    b.isIdle = false;
    lull.notice();
    await clock.advance(milliseconds(100));
    expect(hurried()).toEqual([0, 0]);
    b.isIdle = true;
    lull.notice();
    await clock.advance(milliseconds(40));
    expect(hurried()).toEqual([0, 0]);
    await clock.advance(milliseconds(10));
    expect(hurried()).toEqual([1, 1]);
  });

  test("begins anew after whatever happens meanwhile", async () => {
    const { clock, controllers, lull, hurried } = scene();
    for (const controller of controllers) controller.isPatient = true;
    lull.notice();
    await clock.advance(milliseconds(40));
    lull.notice();
    await clock.advance(milliseconds(10));
    expect(hurried()).toEqual([0, 0]);
    await clock.advance(milliseconds(50));
    expect(hurried()).toEqual([1, 1]);
  });

  test("is not looked for where nobody waits for it", async () => {
    const { clock, lull, hurried } = scene();
    lull.notice();
    expect(clock.sleepers).toBe(0);
    await clock.advance(milliseconds(100));
    expect(hurried()).toEqual([0, 0]);
  });
});
