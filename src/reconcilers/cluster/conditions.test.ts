import { seconds } from "#base";
import { False, lastKnown, mirrored, True, Unknown } from "#conditions";
import { everyRow } from "#testkit";
import { Available } from "./available.ts";
import { ControlPlaneAvailable } from "./control-plane-available.ts";
import { ControlPlaneInitialized } from "./control-plane-initialized.ts";
import { Deleting } from "./deleting.ts";
import type { ClusterFacts, DeletionFacts } from "./facts.ts";
import { InfrastructureReady } from "./infrastructure-ready.ts";
import { Remediating } from "./remediating.ts";
import { RemoteConnectionProbe } from "./remote-connection-probe.ts";
import { aMinuteAgo, fine, merged, unlisted, unmergeable, withDescendants } from "./test-facts.ts";

const unreferenced = { kind: "unreferenced" } as const;
const topology = { ...fine.cluster, hasTopology: true };
const unprovisioned = { ...fine.cluster, infrastructureProvisioned: false };
const uninitialized = { ...fine.cluster, controlPlaneInitialized: false };
const leaving = { ...fine.cluster, deleting: true };

everyRow(InfrastructureReady, fine, {
  "topology-deleting": {
    given: { infrastructure: unreferenced, cluster: { ...topology, deleting: true } },
    report: False("ObjectDoesNotExist"),
  },
  "waiting-for-topology": {
    given: { infrastructure: unreferenced, cluster: topology },
    report: False("ObjectDoesNotExist", "Waiting for cluster topology to be reconciled"),
  },
  invalid: {
    given: {
      infrastructure: { kind: "found", objectKind: "DevCluster", condition: { kind: "invalid", error: "garbage" } },
    },
    report: Unknown("InvalidConditionReported", "garbage"),
  },
  reported: {
    given: {},
    report: mirrored({ status: "True", reason: "Provisioned", message: "all there", since: aMinuteAgo }),
  },
  provisioned: { given: { infrastructure: silent("DevCluster") }, report: True("Ready") },
  "not-provisioned": {
    given: { infrastructure: silent("DevCluster"), cluster: unprovisioned },
    report: False("NotReady", "DevCluster status.initialization.provisioned is false"),
  },
  unreadable: {
    given: { infrastructure: { kind: "failed", objectKind: "DevCluster", error: "no answer" } },
    report: Unknown("InternalError", "no answer"),
  },
  "deleted-with-owner": {
    given: { infrastructure: absent("DevCluster"), cluster: leaving },
    report: False("ObjectDeleted", "DevCluster has been deleted"),
  },
  "deleted-under-owner": {
    given: { infrastructure: absent("DevCluster") },
    report: False("ObjectDeleted", "DevCluster has been deleted while the cluster still exists"),
  },
  "does-not-exist": [
    {
      given: { infrastructure: absent("DevCluster"), cluster: unprovisioned },
      report: False("ObjectDoesNotExist", "DevCluster does not exist"),
    },
    {
      given: { infrastructure: absent("DevCluster"), cluster: { ...unprovisioned, deleting: true } },
      report: False("ObjectDoesNotExist", "DevCluster does not exist"),
    },
  ],
  "not-needed": { given: { infrastructure: unreferenced }, report: True("Ready") },
});

everyRow(ControlPlaneAvailable, fine, {
  "topology-deleting": {
    given: { controlPlane: unreferenced, cluster: { ...topology, deleting: true } },
    report: False("ObjectDoesNotExist"),
  },
  "waiting-for-topology": {
    given: { controlPlane: unreferenced, cluster: topology },
    report: False("ObjectDoesNotExist", "Waiting for cluster topology to be reconciled"),
  },
  invalid: {
    given: {
      controlPlane: { kind: "found", objectKind: "DevControlPlane", condition: { kind: "invalid", error: "garbage" } },
    },
    report: Unknown("InvalidConditionReported", "garbage"),
  },
  reported: { given: {}, report: mirrored({ status: "True", reason: "Up", message: "", since: aMinuteAgo }) },
  initialized: { given: { controlPlane: silent("DevControlPlane") }, report: True("Available") },
  "not-initialized": {
    given: { controlPlane: silent("DevControlPlane"), cluster: uninitialized },
    report: False("NotAvailable", "DevControlPlane status.initialization.controlPlaneInitialized is false"),
  },
  unreadable: {
    given: { controlPlane: { kind: "failed", objectKind: "DevControlPlane", error: "no answer" } },
    report: Unknown("InternalError", "no answer"),
  },
  "deleted-with-owner": {
    given: { controlPlane: absent("DevControlPlane"), cluster: leaving },
    report: False("ObjectDeleted", "DevControlPlane has been deleted"),
  },
  "deleted-under-owner": {
    given: { controlPlane: absent("DevControlPlane") },
    report: False("ObjectDeleted", "DevControlPlane has been deleted while the cluster still exists"),
  },
  "does-not-exist": {
    given: { controlPlane: absent("DevControlPlane"), cluster: uninitialized },
    report: False("ObjectDoesNotExist", "DevControlPlane does not exist"),
  },
  "machines-unreadable": {
    given: { controlPlane: unreferenced, ...unlisted },
    report: Unknown("InternalError", "the server is away"),
  },
  "no-machines": {
    given: {
      controlPlane: unreferenced,
      ...withDescendants({ controlPlaneMachinesAvailable: { kind: "no-sources" } }),
    },
    report: False("NotAvailable", "Waiting for a control plane Machine"),
  },
  "machines-available": { given: { controlPlane: unreferenced }, report: True("Available") },
  "machines-not-available": [
    {
      given: {
        controlPlane: unreferenced,
        ...withDescendants({ controlPlaneMachinesAvailable: merged("False", "* Machine m1: M") }),
      },
      report: False("NotAvailable", "* Machine m1: M"),
    },
    {
      given: {
        controlPlane: unreferenced,
        ...withDescendants({ controlPlaneMachinesAvailable: merged("Unknown", "* Machine m1: M") }),
      },
      report: False("NotAvailable", "* Machine m1: M"),
    },
  ],
});

everyRow(ControlPlaneInitialized, fine, {
  "initialized-keep": { given: { cluster: { ...fine.cluster, initializedReported: true } }, report: lastKnown },
  "topology-deleting": {
    given: { controlPlane: unreferenced, cluster: { ...topology, deleting: true } },
    report: Unknown("ObjectDoesNotExist"),
  },
  "waiting-for-topology": {
    given: { controlPlane: unreferenced, cluster: topology },
    report: Unknown("ObjectDoesNotExist", "Waiting for cluster topology to be reconciled"),
  },
  unreadable: [
    {
      given: { controlPlane: { kind: "failed", objectKind: "DevControlPlane", error: "no answer" } },
      report: Unknown("InternalError", "no answer"),
    },
    {
      given: { initialization: { kind: "unreadable", error: "a text where a yes or no belongs" } },
      report: Unknown("InternalError", "a text where a yes or no belongs"),
    },
  ],
  "does-not-exist": {
    given: { controlPlane: absent("DevControlPlane"), initialization: { kind: "none" } },
    report: Unknown("ObjectDoesNotExist", "DevControlPlane does not exist"),
  },
  initialized: { given: {}, report: True("Initialized") },
  "not-initialized": {
    given: { initialization: { kind: "pending" } },
    report: False("NotInitialized", "Control plane not yet initialized"),
  },
  "machines-unreadable": {
    given: { controlPlane: unreferenced, initialization: { kind: "none" }, ...unlisted },
    report: Unknown("InternalError", "the server is away"),
  },
  "first-node": {
    given: { controlPlane: unreferenced, initialization: { kind: "none" } },
    report: True("Initialized"),
  },
  "waiting-for-node": {
    given: {
      controlPlane: unreferenced,
      initialization: { kind: "none" },
      ...withDescendants({ controlPlaneMachineHasNode: false }),
    },
    report: False("NotInitialized", "Waiting for the first control plane machine to have status.nodeRef set"),
  },
});

const dialing = { consecutiveFailures: 4, gracePeriod: seconds(50), reported: false };

everyRow(RemoteConnectionProbe, fine, {
  "never-connected": {
    given: { connection: dialing },
    report: False("ProbeFailed", "Remote connection not established yet"),
  },
  "never-connected-keep": { given: { connection: { ...dialing, reported: true } }, report: lastKnown },
  "never-succeeded": {
    given: { connection: { ...dialing, consecutiveFailures: 5 } },
    report: False("ProbeFailed", "Remote connection probe failed"),
  },
  "connection-lost": {
    given: { connection: { ...fine.connection, lastProbeSuccess: aMinuteAgo } },
    report: False("ProbeFailed", "Remote connection probe failed, probe last succeeded at 2025-01-15T11:59:00Z"),
  },
  connected: { given: {}, report: True("ProbeSucceeded") },
});

everyRow(Remediating, fine, {
  unreadable: [
    { given: unlisted, report: Unknown("InternalError", "the server is away") },
    { given: withDescendants({ remediating: unmergeable }), report: Unknown("InternalError", "can't merge") },
  ],
  remediating: {
    given: withDescendants({ remediating: merged("False", "* Machine m1: Waiting"), unhealthyMachines: ["m1"] }),
    report: True("Remediating", "* Machine m1: Waiting"),
  },
  unhealthy: [
    {
      given: withDescendants({ unhealthyMachines: ["m1"] }),
      report: False("NotRemediating", "Machine m1 is not healthy (not to be remediated)"),
    },
    {
      given: withDescendants({ unhealthyMachines: ["m1", "m2"] }),
      report: False("NotRemediating", "Machines m1, m2 are not healthy (not to be remediated)"),
    },
    {
      given: withDescendants({ unhealthyMachines: ["m1", "m2", "m3", "m4", "m5"] }),
      report: False("NotRemediating", "Machines m1, m2, m3, ... (2 more) are not healthy (not to be remediated)"),
    },
  ],
  "not-remediating": { given: {}, report: False("NotRemediating") },
});

everyRow(Deleting, fine, {
  "not-deleting": { given: {}, report: False("NotDeleting") },
  failed: { given: at({ kind: "failed", error: "no answer" }), report: True("InternalError", "no answer") },
  "waiting-for-hook": {
    given: at({ kind: "waiting-for-hook", message: "M" }),
    report: True("WaitingForBeforeDeleteHook", "M"),
  },
  "waiting-for-workers": {
    given: at({ kind: "waiting-for-workers", remaining: "* Worker Machines: w1" }),
    report: True("WaitingForWorkersDeletion", "* Worker Machines: w1"),
  },
  "waiting-for-control-plane": {
    given: at({ kind: "waiting-for-control-plane", remaining: "M" }),
    report: True("WaitingForControlPlaneDeletion", "M"),
  },
  "waiting-for-infrastructure": {
    given: at({ kind: "waiting-for-infrastructure", remaining: "M" }),
    report: True("WaitingForInfrastructureDeletion", "M"),
  },
  completed: { given: at({ kind: "completed" }), report: True("DeletionCompleted", "Deletion completed") },
});

everyRow(
  Available,
  { summary: { kind: "made", status: "True", message: "" } },
  {
    "summary-failed": { given: { summary: { kind: "failed", error: "E" } }, report: Unknown("InternalError", "E") },
    "not-available": {
      given: { summary: { kind: "made", status: "False", message: "* Deleting: M" } },
      report: False("NotAvailable", "* Deleting: M"),
    },
    unknown: {
      given: { summary: { kind: "made", status: "Unknown", message: "M" } },
      report: Unknown("AvailableUnknown", "M"),
    },
    available: { given: {}, report: True("Available") },
  },
);

function at(deletion: DeletionFacts): Partial<ClusterFacts> {
  return { cluster: leaving, deletion };
}

function silent(objectKind: string) {
  return { kind: "found", objectKind, condition: { kind: "silent" } } as const;
}

function absent(objectKind: string) {
  return { kind: "absent", objectKind } as const;
}
