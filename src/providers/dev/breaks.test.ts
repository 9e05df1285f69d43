import { seconds } from "#base";
import { expect, test } from "vitest";
import { apiServerBreakOf, breakAnnotations, nodeBreakOf } from "./breaks.ts";

function annotated(annotations: Readonly<Record<string, string>>) {
  return { apiVersion: "v1", kind: "Thing", metadata: { name: "a", annotations } };
}

test.each([
  ["down", "down"],
  ["gone", "gone"],
  ["sideways", "none"],
  ["", "none"],
] as const)("the annotation %j breaks a Node as %s", (text, broken) => {
  expect(nodeBreakOf(annotated({ [breakAnnotations.node]: text }))).toBe(broken);
});

test.each([
  ["stopped", { kind: "stopped" }],
  ["2s", { kind: "slow", delay: seconds(2) }],
  ["0s", { kind: "none" }],
  ["-3s", { kind: "none" }],
  ["slowly", { kind: "none" }],
  ["", { kind: "none" }],
] as const)("the annotation %j breaks an API server", (text, broken) => {
  expect(apiServerBreakOf(annotated({ [breakAnnotations.apiServer]: text }))).toEqual(broken);
});

test("what nobody broke is whole", () => {
  const whole = { apiVersion: "v1", kind: "Thing", metadata: { name: "a" } };
  expect([nodeBreakOf(whole), apiServerBreakOf(whole)]).toEqual(["none", { kind: "none" }]);
});
