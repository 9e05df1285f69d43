import { expect, test } from "vitest";
import type { Status } from "./condition.ts";
import { defaultPriority, type Priority } from "./priority.ts";

test.each<[string, string, Priority]>([
  ["Good", "True", "info"],
  ["Good", "False", "issue"],
  ["Good", "Unknown", "unknown"],
  ["Bad", "True", "issue"],
  ["Bad", "False", "info"],
  ["Bad", "Unknown", "unknown"],
  ["Good", "true", "unknown"],
  ["Bad", "", "unknown"],
])("%s=%j is %s where True of Bad means trouble", (type, status, priority) => {
  const condition = { type, status: status as Status, reason: "", message: "" };
  expect(defaultPriority(["Bad"])(condition)).toBe(priority);
});
