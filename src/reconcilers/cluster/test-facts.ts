import { parseTimestamp, seconds } from "#base";
import type { ClusterFacts, DescendantFacts, Merged } from "./facts.ts";

/** Noon of the day on which all tests of this folder happen. */
export const noon = parseTimestamp("2025-01-15T12:00:00Z");
export const aMinuteAgo = parseTimestamp("2025-01-15T11:59:00Z");

type Listed = Extract<DescendantFacts, { readonly kind: "listed" }>;

/** Objects below a Cluster that are all well. */
export const fineDescendants: Listed = {
  kind: "listed",
  rollingOut: merged("False"),
  scalingUp: merged("False"),
  scalingDown: merged("False"),
  workersAvailable: merged("True"),
  controlPlaneMachinesAvailable: merged("True"),
  controlPlaneMachinesReady: merged("True"),
  workerMachinesReady: merged("True"),
  controlPlaneMachinesUpToDate: merged("True"),
  workerMachinesUpToDate: merged("True"),
  remediating: { kind: "no-sources" },
  unhealthyMachines: [],
  controlPlaneMachineHasNode: true,
};

/** A Cluster that is well, with an infrastructure and a control plane object that report so. */
export const fine: ClusterFacts = {
  now: noon,
  cluster: {
    deleting: false,
    hasTopology: false,
    infrastructureProvisioned: true,
    controlPlaneInitialized: true,
    initializedReported: false,
  },
  clusterClass: { kind: "none" },
  connection: { lastProbeSuccess: noon, consecutiveFailures: 0, gracePeriod: seconds(50), reported: true },
  infrastructure: {
    kind: "found",
    objectKind: "DevCluster",
    condition: { kind: "reported", status: "True", reason: "Provisioned", message: "all there", since: aMinuteAgo },
  },
  controlPlane: {
    kind: "found",
    objectKind: "DevControlPlane",
    condition: { kind: "reported", status: "True", reason: "Up", message: "", since: aMinuteAgo },
  },
  initialization: { kind: "done" },
  descendants: fineDescendants,
  replicas: {},
  deletion: { kind: "not-deleting" },
};

/** What many objects say together. */
export function merged(status: "True" | "False" | "Unknown", message = ""): Merged {
  return { kind: "merged", status, message };
}

/** The same Cluster with other things to say of its descendants. */
export function withDescendants(change: Partial<Listed>): Partial<ClusterFacts> {
  return { descendants: { ...fineDescendants, ...change } };
}

/** A Cluster whose descendants could not be listed. */
export const unlisted: Partial<ClusterFacts> = { descendants: { kind: "failed", error: "the server is away" } };

/** What cannot be merged. */
export const unmergeable: Merged = { kind: "failed", error: "can't merge" };
