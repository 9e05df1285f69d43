import { expect, test } from "vitest";
import { nextInTime } from "./next-in-time.ts";

const at = "2025-01-15T12:00:00Z";

test.each([
  ["requeueAfter 30s: the Node drains", "looks again at 2025-01-15T12:00:30Z: the Node drains"],
  [
    "retry with backoff: connection refused",
    "tried again with backoff, at the latest at 2025-01-15T12:16:40Z: connection refused",
  ],
  ["none: waits for a change", "none: waits for a change"],
])("after a pass at noon %s is told as %s", (next, told) => {
  expect(nextInTime({ at, next })).toBe(told);
});

test("a pass that does not say when it was leaves it as it is", () => {
  expect(nextInTime({ at: "", next: "requeueAfter 30s: why" })).toBe("requeueAfter 30s: why");
});
