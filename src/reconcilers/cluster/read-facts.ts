import { fact, readSummary } from "#conditions";
import { readProviderLookup } from "#contract";
import type { AvailableFacts } from "./available.ts";
import type { ClusterFacts, ConnectionFacts, DeletionFacts, DescendantFacts, Initialization, Merged } from "./facts.ts";

const merged = fact.byKind<Merged>({
  "no-sources": {},
  merged: { status: fact.oneOf("True", "False", "Unknown"), message: fact.text },
  failed: { error: fact.text },
});

const remaining = { remaining: fact.text };

const clusterFacts = fact.object<ClusterFacts>({
  now: fact.time,
  cluster: fact.object<ClusterFacts["cluster"]>({
    deleting: fact.flag,
    hasTopology: fact.flag,
    infrastructureProvisioned: fact.flag,
    controlPlaneInitialized: fact.flag,
    initializedReported: fact.flag,
  }),
  connection: fact.object<ConnectionFacts>({
    lastProbeSuccess: fact.optional(fact.time),
    consecutiveFailures: fact.count,
    gracePeriod: fact.duration,
    reported: fact.flag,
  }),
  infrastructure: readProviderLookup,
  controlPlane: readProviderLookup,
  initialization: fact.byKind<Initialization>({ none: {}, pending: {}, done: {}, unreadable: { error: fact.text } }),
  descendants: fact.byKind<DescendantFacts>({
    failed: { error: fact.text },
    listed: {
      rollingOut: merged,
      scalingUp: merged,
      scalingDown: merged,
      workersAvailable: merged,
      controlPlaneMachinesAvailable: merged,
      controlPlaneMachinesReady: merged,
      workerMachinesReady: merged,
      controlPlaneMachinesUpToDate: merged,
      workerMachinesUpToDate: merged,
      remediating: merged,
      unhealthyMachines: fact.list(fact.text),
      controlPlaneMachineHasNode: fact.flag,
    },
  }),
  deletion: fact.byKind<DeletionFacts>({
    "not-deleting": {},
    "waiting-for-hook": { message: fact.text },
    "waiting-for-workers": remaining,
    "waiting-for-control-plane": remaining,
    "waiting-for-infrastructure": remaining,
    completed: {},
    failed: { error: fact.text },
  }),
});

const availableFacts = fact.object<AvailableFacts>({ summary: readSummary });

/** Reads what a file says of a Cluster; an error names the field that is missing or wrong. */
export function readClusterFacts(value: unknown): ClusterFacts {
  return clusterFacts(value, "facts");
}

/** Reads what a file says of the conditions of a Cluster together. */
export function readAvailableFacts(value: unknown): AvailableFacts {
  return availableFacts(value, "facts");
}
