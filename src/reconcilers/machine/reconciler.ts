import { annotations, Cluster, finalizers, labels, Machine, MachineDeployment, MachineSet } from "#api";
import { noTime } from "#base";
import { findCondition, isTrue, sourceOf } from "#conditions";
import { type CacheChange, channel, defineReconciler, judged, type KeysOf, pickChanged, related } from "#control";
import { keyOf, namespacedName, type ObjectKey, type ObjectMeta } from "#machinery";
import { Available } from "./available.ts";
import { bootstrap, seeBootstrap } from "./bootstrap.ts";
import { BootstrapConfigReady } from "./bootstrap-config-ready.ts";
import { certificates } from "./certificates.ts";
import { clusterKeyOf } from "./cluster-of-machine.ts";
import { Deleting } from "./deleting.ts";
import { deletion } from "./deletion.ts";
import { infrastructure, seeInfrastructure } from "./infrastructure.ts";
import { InfrastructureReady } from "./infrastructure-ready.ts";
import { initialFacts } from "./initial-facts.ts";
import type { AvailableFacts, MachineFacts } from "./machine-facts.ts";
import { node, seeNode } from "./node.ts";
import { NodeHealthy, NodeReady } from "./node-conditions.ts";
import { joinEarly, ownerAndLabels } from "./owner-and-labels.ts";
import { phaseOf } from "./phase.ts";
import type { MachinePorts } from "./ports.ts";
import { Ready, summarizeReadiness } from "./ready.ts";
import { updateInPlace } from "./update-in-place.ts";
import { Updating } from "./updating.ts";
import { machinesByCluster } from "./workload-access.ts";

/** Brings Machines along: their provider objects, their Nodes, their status, and their end. */
export const machine = defineReconciler<Machine, MachineFacts, MachinePorts>({
  name: "machine",
  kind: Machine,
  watches: ({ sources, gathering = noTime }) => [
    related(Cluster, machinesOfCluster, { predicate: isInitializedOrPaused, gathering, urgent: pausedChanged }),
    // Who has a Node waits for nothing else; all others wait for their infrastructure, which tells them itself.
    related(Cluster, machinesWithNode, { predicate: isInitializedOrPaused }),
    related(MachineSet, ownedMachines, { predicate: revisionChanged }),
    related(MachineDeployment, machinesOfDeployment, { predicate: revisionChanged }),
    ...sources.map(channel),
  ],
  paused: async ({ object, reader, signal }) => {
    const cluster = await reader.find(Cluster, clusterKeyOf(object), { signal });
    return {
      clusterPaused: cluster?.spec?.paused ?? false,
      annotated: Object.hasOwn(object.metadata.annotations ?? {}, annotations.paused),
    };
  },
  facts: initialFacts,
  steps: [ownerAndLabels, bootstrap, infrastructure, node, certificates, updateInPlace],
  finalizer: finalizers.machine,
  bookkeeping: ["phase", "lastUpdated"],
  withFinalizer: joinEarly,
  onDelete: [seeBootstrap, seeInfrastructure, seeNode, deletion],
  onGone: (key, { ports }) => ports.updates?.forget(key),
  conditions: [
    BootstrapConfigReady,
    InfrastructureReady,
    NodeReady,
    NodeHealthy,
    Deleting,
    Updating,
    judged(Ready, ({ object, facts, conditions }) => {
      const { deletionTimestamp: since } = object.metadata;
      const drainSince = object.status?.deletion?.nodeDrainStartTime;
      return summarizeReadiness(sourceOf(object, conditions), {
        now: facts.now,
        gates: object.spec.readinessGates ?? [],
        ...(since === undefined ? {} : { deletion: { since, ...(drainSince === undefined ? {} : { drainSince }) } }),
      });
    }),
    judged(Available, ({ object, facts, conditions }): AvailableFacts => {
      const ready = findCondition(conditions, "Ready");
      const { lastTransitionTime: since } = ready ?? {};
      return {
        now: facts.now,
        minReadySeconds: object.spec.minReadySeconds ?? 0,
        ready:
          ready === undefined
            ? { kind: "missing" }
            : { kind: "reported", isTrue: ready.status === "True", ...(since === undefined ? {} : { since }) },
      };
    }),
  ],
  conclude: (status, { object, facts, now }) => {
    const phase = phaseOf(object, facts);
    if (status.phase === phase) return;
    status.phase = phase;
    status.lastUpdated = now;
  },
});

/** What a mapping to Machines has at hand. */
type Woken = Parameters<KeysOf<Machine>>[1];

/** Machines wait for the control plane of their Cluster, and heed its pause. */
function isInitializedOrPaused(change: CacheChange): boolean {
  if (change.kind !== "changed") return change.kind === "added";
  const [before, after] = [change.before, change.object];
  if (!Cluster.is(before) || !Cluster.is(after)) return false;
  const cameUp = !isTrue(before, "ControlPlaneInitialized") && isTrue(after, "ControlPlaneInitialized");
  const provisioned = (cluster: Cluster) => cluster.status?.initialization?.infrastructureProvisioned ?? false;
  return cameUp || provisioned(before) !== provisioned(after) || before.spec?.paused !== after.spec?.paused;
}

const pausedChanged = pickChanged((cluster: Cluster) => cluster.spec?.paused);

/** All that a Machine looks at in its set and deployment; their status changes with every Machine that comes. */
const revisionChanged = pickChanged(({ metadata }) => metadata.annotations?.[annotations.revision]);

async function machinesOfCluster(cluster: Cluster, woken: Woken): Promise<readonly ObjectKey[]> {
  return (await machinesIn(cluster, woken)).map(keyOf);
}

async function machinesWithNode(cluster: Cluster, woken: Woken): Promise<readonly ObjectKey[]> {
  return (await machinesIn(cluster, woken)).filter(({ status }) => status?.nodeRef !== undefined).map(keyOf);
}

async function machinesIn(cluster: Cluster, { reader, signal }: Woken): Promise<readonly Machine[]> {
  const { namespace = "" } = cluster.metadata;
  const indexed = { by: machinesByCluster, value: namespacedName(keyOf(cluster)) };
  return await reader.list(Machine, { namespace, indexed, signal });
}

/** The revision of its set decides on a taint of a Machine's Node. */
async function ownedMachines({ metadata }: MachineSet, woken: Woken): Promise<readonly ObjectKey[]> {
  return await machinesLabelled(labels.setName, metadata, woken);
}

async function machinesOfDeployment({ metadata }: MachineDeployment, woken: Woken): Promise<readonly ObjectKey[]> {
  return await machinesLabelled(labels.deploymentName, metadata, woken);
}

async function machinesLabelled(
  label: string,
  { namespace = "", name = "" }: ObjectMeta,
  { reader, signal }: Woken,
): Promise<readonly ObjectKey[]> {
  const labelSelector = `${label}=${name}`;
  return (await reader.list(Machine, { namespace, labelSelector, signal })).map(keyOf);
}
