import { describe, expect, test } from "vitest";
import { createFakeClock, minutes, parseTimestamp, seconds } from "#base";
import { Correlator, type Happening } from "./correlator.ts";

function scene() {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const correlator = new Correlator(clock);
  const tell = (change: Partial<Happening> = {}) =>
    correlator.correlate({
      type: "Warning",
      reason: "Broken",
      message: "it broke",
      about: "lamp a",
      component: "lamp",
      ...change,
    });
  return { clock, correlator, tell };
}

describe("what is told about an object", () => {
  test("counts again when it is told again, and anew when its Event is gone", async () => {
    const { clock, correlator, tell } = scene();
    const first = tell();
    await clock.advance(seconds(5));
    expect([first, tell()]).toMatchObject([
      { count: 1, firstTimestamp: "2026-01-01T00:00:00Z", lastTimestamp: "2026-01-01T00:00:00Z" },
      { count: 2, firstTimestamp: "2026-01-01T00:00:00Z", lastTimestamp: "2026-01-01T00:00:05Z" },
    ]);
    correlator.forget(first?.id ?? "");
    expect(tell()?.count).toBe(1);
  });

  test("is combined after ten different messages in ten minutes", async () => {
    const { clock, tell } = scene();
    const messages = Array.from(
      { length: 12 },
      (_, index) => tell({ message: `it broke in ${index} places` })?.message,
    );
    expect(messages.slice(8)).toEqual([
      "it broke in 8 places",
      "(combined from similar events): it broke in 9 places",
      "(combined from similar events): it broke in 10 places",
      "(combined from similar events): it broke in 11 places",
    ]);
    await clock.advance(minutes(11));
    expect(tell({ message: "it broke later" })?.message).toBe("it broke later");
  });

  test("is dropped after 25, and again heard every five minutes, while other objects are heard", async () => {
    const { clock, tell } = scene();
    const heard = Array.from({ length: 30 }, () => tell()).filter((telling) => telling !== undefined);
    expect(heard).toHaveLength(25);
    expect(tell({ about: "lamp b" })).toBeDefined();
    await clock.advance(minutes(5));
    expect([tell()?.count, tell()]).toEqual([26, undefined]);
  });
});
