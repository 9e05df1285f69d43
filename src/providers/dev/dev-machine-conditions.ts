import { requeueAfter } from "#base";
import {
  type ConditionSource,
  defineCondition,
  False,
  finds,
  holds,
  lastKnown,
  mergeStrategy,
  nothing,
  otherwise,
  row,
  summarize,
  summaryIs,
  True,
  Unknown,
} from "#conditions";
import type { DevMachineFacts, DevMachineSummary, Gate } from "./dev-machine-facts.ts";

/** Tells whether the simulated machine runs. */
export const VMProvisioned = defineCondition({
  of: "DevMachine",
  type: "VMProvisioned",
  summary: "Tells whether the simulated machine runs.",
  reasons: [
    "WaitingForClusterInfrastructureReady",
    "WaitingForControlPlaneInitialized",
    "WaitingForBootstrapData",
    "WaitingForStartupTimeout",
    "Provisioned",
  ],
  rows: [
    row({
      id: "not-looked-keep",
      when: holds("nobody looked, on the way out", waitsFor("not-looked")),
      ensure: nothing("it goes with its Machine"),
      report: lastKnown,
    }),
    row({
      id: "no-machine",
      when: holds("the Machine that owns it is not there", waitsFor("no-machine")),
      ensure: nothing("it goes with its Machine"),
      report: False("WaitingForBootstrapData", "The Machine that owns this DevMachine is not there"),
    }),
    row({
      id: "waiting-for-infrastructure",
      when: holds("the infrastructure of the Cluster is not provisioned", waitsFor("cluster-infrastructure")),
      ensure: nothing("waiting for the Cluster's infrastructure"),
      report: False("WaitingForClusterInfrastructureReady"),
    }),
    row({
      id: "waiting-for-control-plane",
      when: holds("the machine is a worker, and the control plane is not initialized", waitsFor("control-plane")),
      ensure: nothing("waiting for the control plane"),
      report: False("WaitingForControlPlaneInitialized"),
    }),
    row({
      id: "waiting-for-bootstrap-data",
      when: holds("the Machine names no bootstrap data secret", waitsFor("bootstrap-data")),
      ensure: nothing("waiting for the bootstrap provider"),
      report: False("WaitingForBootstrapData"),
    }),
    row({
      id: "starting",
      when: finds("the machine has not run for as long as it takes to start", ({ vm }: DevMachineFacts) =>
        vm.kind === "starting" ? { left: vm.left } : undefined,
      ),
      ensure: nothing("time will tell"),
      report: False("WaitingForStartupTimeout"),
      next: (startup) => requeueAfter(startup.left, "the simulated machine is starting"),
    }),
  ],
  otherwise: otherwise({
    id: "provisioned",
    when: "the machine runs",
    ensure: nothing("its provider id is set"),
    report: True("Provisioned"),
  }),
});

/** Tells whether the Node of the simulated machine has joined. */
export const NodeProvisioned = defineCondition({
  of: "DevMachine",
  type: "NodeProvisioned",
  summary: "Tells whether the Node of the simulated machine has joined its cluster.",
  reasons: ["WaitingForVMProvisioned", "WaitingForStartupTimeout", "Provisioned", "InternalError"],
  rows: [
    row({
      id: "not-looked-keep",
      when: holds("nobody looked, on the way out", waitsFor("not-looked")),
      ensure: nothing("it goes with its Machine"),
      report: lastKnown,
    }),
    row({
      id: "waiting-for-vm",
      when: holds("the machine does not run yet", ({ vm }: DevMachineFacts) => vm.kind !== "up"),
      ensure: nothing("the machine comes first"),
      report: False("WaitingForVMProvisioned"),
    }),
    row({
      id: "failed",
      when: finds("the Node could not be made", ({ node }: DevMachineFacts) =>
        node.kind === "failed" ? { error: node.error } : undefined,
      ),
      ensure: nothing("it is tried again"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "starting",
      when: finds("the kubelet has not run for as long as it takes to join", ({ node }: DevMachineFacts) =>
        node.kind === "starting" ? { left: node.left } : undefined,
      ),
      ensure: nothing("time will tell"),
      report: False("WaitingForStartupTimeout"),
      next: (startup) => requeueAfter(startup.left, "the simulated Node is joining"),
    }),
  ],
  otherwise: otherwise({
    id: "provisioned",
    when: "the Node has joined",
    ensure: nothing("the Node is kept as it is to be"),
    report: True("Provisioned"),
  }),
});

/** Sums up a DevMachine. */
export const DevMachineReady = defineCondition({
  of: "DevMachine",
  type: "Ready",
  summary: "Sums up VMProvisioned and NodeProvisioned.",
  reasons: ["Ready", "NotReady", "ReadyUnknown"],
  rows: [
    row({
      id: "not-ready",
      when: finds("something is not there yet", ({ summary }: DevMachineSummary) => summaryIs(summary, "False")),
      ensure: nothing("sum up"),
      report: (summary) => False("NotReady", summary.message),
    }),
    row({
      id: "ready",
      when: finds("everything is there", ({ summary }: DevMachineSummary) => summaryIs(summary, "True")),
      ensure: nothing("sum up"),
      report: True("Ready"),
    }),
  ],
  otherwise: otherwise({
    id: "unknown",
    when: "nobody can tell",
    sees: ({ summary }: DevMachineSummary) => summaryIs(summary, "Unknown") ?? { message: "" },
    ensure: nothing("sum up"),
    report: (summary) => Unknown("ReadyUnknown", summary.message),
  }),
});

/** What the conditions of a DevMachine say together. */
export function summarizeDevMachine(source: ConditionSource): DevMachineSummary {
  return {
    summary: summarize(source, "Ready", {
      forConditionTypes: ["VMProvisioned", "NodeProvisioned"],
      mergeStrategy: mergeStrategy(),
    }),
  };
}

function waitsFor(kind: Gate["kind"]) {
  return ({ gate }: DevMachineFacts): boolean => gate.kind === kind;
}
