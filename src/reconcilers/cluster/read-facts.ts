import { fact, readSummary } from "#conditions";
import { readProviderLookup } from "#contract";
import type { AvailabilityGate, AvailableFacts } from "./available.ts";
import type {
  ClassLookup,
  ClusterFacts,
  ConnectionFacts,
  DeletionFacts,
  DescendantFacts,
  Initialization,
  Merged,
} from "./facts.ts";
import type { ReplicaCounts } from "./replicas.ts";

const failure = { error: fact.text };

const merged = fact.byKind<Merged>({
  "no-sources": {},
  merged: { status: fact.oneOf("True", "False", "Unknown"), message: fact.text },
  failed: failure,
});

const remaining = { remaining: fact.text };

const replicaCounts = fact.object<ReplicaCounts>({
  desiredReplicas: fact.optional(fact.count),
  replicas: fact.optional(fact.count),
  readyReplicas: fact.optional(fact.count),
  availableReplicas: fact.optional(fact.count),
  upToDateReplicas: fact.optional(fact.count),
});

const gate = fact.object<AvailabilityGate>({
  conditionType: fact.text,
  polarity: fact.optional(fact.oneOf("Positive", "Negative")),
});

const clusterFacts = fact.object<ClusterFacts>({
  now: fact.time,
  cluster: fact.object<ClusterFacts["cluster"]>({
    deleting: fact.flag,
    hasTopology: fact.flag,
    infrastructureProvisioned: fact.flag,
    controlPlaneInitialized: fact.flag,
    initializedReported: fact.flag,
  }),
  clusterClass: fact.byKind<ClassLookup>({
    none: {},
    found: { availabilityGates: fact.list(gate) },
    failed: failure,
  }),
  connection: fact.object<ConnectionFacts>({
    lastProbeSuccess: fact.optional(fact.time),
    consecutiveFailures: fact.count,
    gracePeriod: fact.duration,
    reported: fact.flag,
  }),
  infrastructure: readProviderLookup,
  controlPlane: readProviderLookup,
  initialization: fact.byKind<Initialization>({
    none: {},
    pending: {},
    done: {},
    unreadable: failure,
    unversioned: failure,
  }),
  descendants: fact.byKind<DescendantFacts>({
    failed: failure,
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
      settlesAt: fact.optional(fact.time),
    },
  }),
  replicas: fact.object<ClusterFacts["replicas"]>({
    controlPlane: fact.optional(replicaCounts),
    workers: fact.optional(replicaCounts),
  }),
  deletion: fact.byKind<DeletionFacts>({
    "not-deleting": {},
    "waiting-for-hook": { message: fact.text },
    "waiting-for-workers": remaining,
    "waiting-for-control-plane": remaining,
    "waiting-for-infrastructure": remaining,
    completed: {},
    failed: failure,
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
