import { minutes } from "#base";
import { InvalidFactsError } from "#conditions";
import { expect, test } from "vitest";
import { readNodeFacts } from "./read-facts.ts";

const facts = {
  now: "2025-01-15T12:00:00Z",
  gracePeriod: "5m",
  cluster: {
    infrastructureProvisioned: true,
    controlPlaneInitialized: { kind: "done", since: "2025-01-15T11:00:00Z" },
  },
  connection: { lastProbeSuccess: "2025-01-15T11:59:50Z", consecutiveFailures: 0 },
  machine: {
    deleting: false,
    nodeName: "node-1",
    providerID: "dev://1",
    infrastructureKind: "DevMachine",
    nodeConditionsReported: true,
  },
  node: {
    kind: "found",
    conditions: [{ type: "Ready", status: "True", message: "", since: "2025-01-15T11:00:00Z" }],
  },
};

test("facts are read, the grace period as a Go duration", () => {
  expect(readNodeFacts(facts)).toEqual({ ...facts, gracePeriod: minutes(5) });
});

test("facts that were written as JSON are read again", () => {
  const read = readNodeFacts(facts);
  expect(readNodeFacts(JSON.parse(JSON.stringify(read)))).toEqual(read);
});

test("an empty name of a Node or provider ID is none", () => {
  const machine = { ...facts.machine, nodeName: "", providerID: "" };
  expect(readNodeFacts({ ...facts, machine }).machine).toEqual({
    deleting: false,
    infrastructureKind: "DevMachine",
    nodeConditionsReported: true,
  });
});

test.each([
  ["a missing part", { ...facts, node: undefined }, "facts.node is missing: it must be an object"],
  [
    "a Node that is nowhere",
    { ...facts, node: { kind: "lost" } },
    "facts.node.kind must be one of found, absent, not-connected, failed",
  ],
  [
    "a status that is none of three",
    { ...facts, node: { kind: "found", conditions: [{ type: "Ready", status: "true", message: "" }] } },
    "facts.node.conditions[0].status must be one of True, False, Unknown",
  ],
  ["a grace period without a unit", { ...facts, gracePeriod: "5" }, "facts.gracePeriod must be a duration such as 5m"],
])("%s is refused by name", (_, wrong, message) => {
  expect(() => readNodeFacts(wrong)).toThrow(InvalidFactsError);
  expect(() => readNodeFacts(wrong)).toThrow(message);
});
