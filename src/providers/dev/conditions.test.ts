import { milliseconds, parseTimestamp } from "#base";
import { False, lastKnown, True, Unknown } from "#conditions";
import { everyRow } from "#testkit";
import { expect, test } from "vitest";
import { type DevClusterFacts, DevClusterReady } from "./dev-cluster.ts";
import { DevMachineReady, NodeProvisioned, VMProvisioned } from "./dev-machine-conditions.ts";
import type { DevMachineFacts } from "./dev-machine-facts.ts";
import { readDevClusterFacts, readDevMachineFacts, readDevMachineSummary } from "./read-facts.ts";

const listening: DevClusterFacts = { server: { kind: "listening", port: 6443 } };

everyRow(DevClusterReady, listening, {
  "not-looked-keep": { given: { server: { kind: "not-looked" } }, report: lastKnown },
  failed: {
    given: { server: { kind: "failed", error: "cannot listen on 127.0.0.1:6443" } },
    report: False("NotReady", "cannot listen on 127.0.0.1:6443"),
  },
  stopped: {
    given: { server: { kind: "stopped" } },
    report: False("NotReady", "The API server is stopped on purpose"),
  },
  ready: { given: {}, report: True("Ready") },
});

const running: DevMachineFacts = {
  now: parseTimestamp("2026-01-01T00:00:00Z"),
  gate: { kind: "open" },
  vm: { kind: "up" },
  node: { kind: "up" },
};
const starting = { kind: "starting", left: milliseconds(2000) } as const;

everyRow(VMProvisioned, running, {
  "not-looked-keep": { given: { gate: { kind: "not-looked" } }, report: lastKnown },
  "no-machine": {
    given: { gate: { kind: "no-machine" } },
    report: False("WaitingForBootstrapData", "The Machine that owns this DevMachine is not there"),
  },
  "waiting-for-infrastructure": {
    given: { gate: { kind: "cluster-infrastructure" } },
    report: False("WaitingForClusterInfrastructureReady"),
  },
  "waiting-for-control-plane": {
    given: { gate: { kind: "control-plane" } },
    report: False("WaitingForControlPlaneInitialized"),
  },
  "waiting-for-bootstrap-data": {
    given: { gate: { kind: "bootstrap-data" } },
    report: False("WaitingForBootstrapData"),
  },
  starting: { given: { vm: starting }, report: False("WaitingForStartupTimeout"), next: "requeue" },
  provisioned: { given: {}, report: True("Provisioned") },
});

everyRow(NodeProvisioned, running, {
  "not-looked-keep": { given: { gate: { kind: "not-looked" } }, report: lastKnown },
  "waiting-for-vm": [
    { given: { vm: starting, node: { kind: "not-started" } }, report: False("WaitingForVMProvisioned") },
    { given: { vm: { kind: "not-started" }, node: { kind: "not-started" } }, report: False("WaitingForVMProvisioned") },
  ],
  failed: { given: { node: { kind: "failed", error: "no server" } }, report: Unknown("InternalError", "no server") },
  starting: { given: { node: starting }, report: False("WaitingForStartupTimeout"), next: "requeue" },
  provisioned: { given: {}, report: True("Provisioned") },
});

everyRow(
  DevMachineReady,
  { summary: { kind: "made", status: "True", message: "" } },
  {
    "not-ready": {
      given: { summary: { kind: "made", status: "False", message: "* VMProvisioned: starting" } },
      report: False("NotReady", "* VMProvisioned: starting"),
    },
    ready: { given: {}, report: True("Ready") },
    unknown: [
      {
        given: { summary: { kind: "made", status: "Unknown", message: "nobody knows" } },
        report: Unknown("ReadyUnknown", "nobody knows"),
      },
      { given: { summary: { kind: "failed", error: "x" } }, report: Unknown("ReadyUnknown", "") },
    ],
  },
);

test("facts are read from files as they are, and what is wrong is named", () => {
  expect(readDevClusterFacts(listening)).toEqual(listening);
  expect(readDevMachineFacts({ ...running, vm: starting })).toEqual({ ...running, vm: starting });
  const summed = { summary: { kind: "failed", error: "x" } };
  expect(readDevMachineSummary(summed)).toEqual(summed);
  expect(() => readDevMachineFacts({ ...running, gate: { kind: "ajar" } })).toThrow("facts.gate");
});
