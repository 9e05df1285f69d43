import { annotations, Cluster, finalizers, labels, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { noTime } from "#base";
import { sourceOf } from "#conditions";
import { channel, defineReconciler, every, isChanged, judged, objectIs, pickChanged, related } from "#control";
import type { KubeObject, ObjectKey } from "#machinery";
import { type AvailabilityGate, Available, summarizeAvailability } from "./available.ts";
import { clusterClass } from "./cluster-class.ts";
import { controlPlane, initialization } from "./control-plane.ts";
import { ControlPlaneAvailable } from "./control-plane-available.ts";
import { ControlPlaneInitialized } from "./control-plane-initialized.ts";
import { Deleting } from "./deleting.ts";
import { deletion } from "./deletion.ts";
import { descendants } from "./descendants.ts";
import type { ClusterFacts } from "./facts.ts";
import { infrastructure } from "./infrastructure.ts";
import { InfrastructureReady } from "./infrastructure-ready.ts";
import { initialFacts } from "./initial-facts.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { ControlPlaneMachinesReady, WorkerMachinesReady } from "./machines-ready.ts";
import { ControlPlaneMachinesUpToDate, WorkerMachinesUpToDate } from "./machines-up-to-date.ts";
import type { ClusterPorts } from "./ports.ts";
import { progress } from "./progress.ts";
import { Remediating } from "./remediating.ts";
import { RemoteConnectionProbe } from "./remote-connection-probe.ts";
import { RollingOut } from "./rolling-out.ts";
import { ScalingDown, ScalingUp } from "./scaling.ts";
import { WorkersAvailable } from "./workers-available.ts";

/** Brings Clusters along: their provider objects, their status, and their end. */
export const cluster = defineReconciler<Cluster, ClusterFacts, ClusterPorts>({
  name: "cluster",
  kind: Cluster,
  watches: ({ sources, features, gathering = noTime }) => [
    related(MachineDeployment, clusterOfSpec, { predicate: isChanged }),
    ...(features.MachinePool ? [related(MachinePool, clusterOfSpec, { predicate: isChanged })] : []),
    related(MachineSet, clusterOfSpec, { predicate: isChanged }),
    // Workers wait for the first Node of the control plane, so that nobody else is waited for.
    related(Machine, clusterOfSpec, {
      predicate: isChanged,
      gathering,
      urgent: every(objectIs(hasControlPlaneNode), pickChanged(controlPlaneNode)),
    }),
    ...sources.map(channel),
  ],
  paused: ({ object }) => ({
    clusterPaused: object.spec.paused ?? false,
    annotated: Object.hasOwn(object.metadata.annotations ?? {}, annotations.paused),
  }),
  reportsPausedFirst: true,
  facts: initialFacts,
  steps: [clusterClass, infrastructure, controlPlane, descendants, kubeconfig, initialization, progress],
  finalizer: finalizers.cluster,
  bookkeeping: ["controlPlane", "workers"],
  onDelete: [clusterClass, infrastructure, controlPlane, descendants, progress, deletion],
  conditions: [
    RemoteConnectionProbe,
    InfrastructureReady,
    ControlPlaneAvailable,
    ControlPlaneInitialized,
    WorkersAvailable,
    ControlPlaneMachinesReady,
    WorkerMachinesReady,
    ControlPlaneMachinesUpToDate,
    WorkerMachinesUpToDate,
    RollingOut,
    ScalingUp,
    ScalingDown,
    Remediating,
    Deleting,
    judged(Available, ({ object, facts, conditions }) =>
      summarizeAvailability(sourceOf(object, conditions), {
        deleting: facts.cluster.deleting,
        hasTopology: facts.cluster.hasTopology,
        gates: gatesOf(object, facts),
      }),
    ),
  ],
});

/** Those of the Cluster, or else those of its class. */
function gatesOf({ spec }: Cluster, { clusterClass: lookup }: ClusterFacts): readonly AvailabilityGate[] {
  return spec.availabilityGates ?? (lookup.kind === "found" ? lookup.availabilityGates : []);
}

function hasControlPlaneNode(machine: Machine): boolean {
  return controlPlaneNode(machine) !== undefined;
}

function controlPlaneNode({ metadata, status }: Machine): string | undefined {
  return Object.hasOwn(metadata.labels ?? {}, labels.controlPlane) ? status?.nodeRef?.name : undefined;
}

/** Everything below a Cluster names it in its spec. */
function clusterOfSpec({
  metadata,
  spec,
}: KubeObject & { readonly spec: { readonly clusterName: string } }): readonly ObjectKey[] {
  return [{ namespace: metadata.namespace ?? "", name: spec.clusterName }];
}
