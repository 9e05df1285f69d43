import { annotations, Cluster, finalizers, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { sourceOf } from "#conditions";
import { channel, defineReconciler, isChanged, judged, related } from "#control";
import type { KubeObject, ObjectKey } from "#machinery";
import { Available, summarizeAvailability } from "./available.ts";
import { controlPlane, initialization, seeControlPlane } from "./control-plane.ts";
import { ControlPlaneAvailable } from "./control-plane-available.ts";
import { ControlPlaneInitialized } from "./control-plane-initialized.ts";
import { Deleting } from "./deleting.ts";
import { deletion } from "./deletion.ts";
import { descendants } from "./descendants.ts";
import type { ClusterFacts } from "./facts.ts";
import { infrastructure, seeInfrastructure } from "./infrastructure.ts";
import { InfrastructureReady } from "./infrastructure-ready.ts";
import { initialFacts } from "./initial-facts.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { ControlPlaneMachinesReady, WorkerMachinesReady } from "./machines-ready.ts";
import { ControlPlaneMachinesUpToDate, WorkerMachinesUpToDate } from "./machines-up-to-date.ts";
import { phaseOf } from "./phase.ts";
import type { ClusterPorts } from "./ports.ts";
import { Remediating } from "./remediating.ts";
import { RemoteConnectionProbe } from "./remote-connection-probe.ts";
import { RollingOut } from "./rolling-out.ts";
import { ScalingDown, ScalingUp } from "./scaling.ts";
import { WorkersAvailable } from "./workers-available.ts";

/** Brings Clusters along: their provider objects, their status, and their end. */
export const cluster = defineReconciler<Cluster, ClusterFacts, ClusterPorts>({
  name: "cluster",
  kind: Cluster,
  watches: ({ sources, features }) => [
    related(MachineDeployment, clusterOfSpec, { predicate: isChanged }),
    ...(features.MachinePool ? [related(MachinePool, clusterOfSpec, { predicate: isChanged })] : []),
    related(MachineSet, clusterOfSpec, { predicate: isChanged }),
    related(Machine, clusterOfSpec, { predicate: isChanged }),
    ...sources.map(channel),
  ],
  paused: ({ object }) => ({
    clusterPaused: object.spec?.paused ?? false,
    annotated: Object.hasOwn(object.metadata.annotations ?? {}, annotations.paused),
  }),
  facts: initialFacts,
  steps: [infrastructure, controlPlane, descendants, initialization, kubeconfig],
  finalizer: finalizers.cluster,
  onDelete: [seeInfrastructure, seeControlPlane, descendants, deletion],
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
        gates: object.spec?.availabilityGates ?? [],
      }),
    ),
  ],
  conclude: (status, { object, facts }) => {
    status.phase = phaseOf(object, facts.cluster.infrastructureProvisioned);
  },
});

/** Everything below a Cluster names it in its spec. */
function clusterOfSpec({
  metadata,
  spec,
}: KubeObject & { readonly spec: { readonly clusterName: string } }): readonly ObjectKey[] {
  return [{ namespace: metadata.namespace ?? "", name: spec.clusterName }];
}
