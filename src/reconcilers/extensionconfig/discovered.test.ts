import { describe, expect, test } from "vitest";
import { describeError } from "#base";
import { decide, False, lastKnown, True } from "#conditions";
import { everyRow } from "#testkit";
import { Discovered } from "./discovered.ts";
import type { DiscoveryFacts } from "./facts.ts";
import { readDiscoveryFacts } from "./read-facts.ts";

const fine: DiscoveryFacts = {
  config: "ext1",
  mode: "writing",
  registry: "ready",
  deleting: false,
  pause: { kind: "none" },
  validity: { kind: "valid" },
  authority: { kind: "settled" },
  discovery: { kind: "found", handlers: ["a.ext1"] },
  status: { kind: "written" },
};

const failed = { kind: "failed", error: "boom" } as const;

everyRow(Discovered, fine, {
  "registry-cold-keep": { given: { registry: "cold" }, report: lastKnown, next: "requeue" },
  "deleting-keep": { given: { deleting: true }, report: lastKnown },
  "paused-keep": [
    { given: { pause: { kind: "paused" } }, report: lastKnown },
    { given: { pause: { kind: "paused" }, mode: "reading" }, report: lastKnown },
  ],
  "pause-noted-keep": { given: { pause: { kind: "just-noted" } }, report: lastKnown },
  "pause-not-noted-keep": {
    given: { pause: { kind: "not-noted", error: "conflict" } },
    report: lastKnown,
    next: "retry",
  },
  invalid: {
    given: { mode: "reading", validity: { kind: "invalid", error: "caBundle is not set on ExtensionConfig ext1" } },
    report: False("NotDiscovered", "Error in discovery: caBundle is not set on ExtensionConfig ext1"),
    next: "retry",
  },
  "taken-over": { given: { mode: "reading" }, report: True("Discovered") },
  "authority-failed-keep": { given: { authority: failed }, report: lastKnown, next: "retry" },
  "not-written-keep": {
    given: { status: { kind: "not-written", error: "conflict" } },
    report: lastKnown,
    next: "retry",
  },
  "discovery-failed": {
    given: { discovery: failed },
    report: False("NotDiscovered", "Error in discovery: boom"),
    next: "retry",
  },
  discovered: { given: {}, report: True("Discovered") },
});

describe("what went wrong is told with the object", () => {
  const errorOf = (given: Partial<DiscoveryFacts>) => {
    const { next } = decide(Discovered, { ...fine, ...given });
    return next.kind === "retry" ? describeError(next.error) : undefined;
  };

  test.each<[string, Partial<DiscoveryFacts>]>([
    ["failed to reconcile ExtensionConfig: failed to discover ExtensionConfig ext1: boom", { discovery: failed }],
    ["failed to reconcile ExtensionConfig: boom", { authority: failed }],
    [
      "failed to reconcile ExtensionConfig: [failed to discover ExtensionConfig ext1: boom, conflict]",
      { discovery: failed, status: { kind: "not-written", error: "conflict" } },
    ],
    ["failed to validate ExtensionConfig: no", { mode: "reading", validity: { kind: "invalid", error: "no" } }],
  ])("%s", (text, given) => {
    expect(errorOf(given)).toBe(text);
  });
});

test("facts come back from a file as they were", () => {
  expect(readDiscoveryFacts(JSON.parse(JSON.stringify(fine)))).toEqual(fine);
  expect(() => readDiscoveryFacts({ ...fine, mode: "both" })).toThrow("mode");
});
