import { type Cluster, labels } from "#api";
import { requeueAfter, retry } from "#base";
import {
  bringAlong,
  controlPlane as contract,
  observeProvider,
  ownerReferenceTo,
  ProviderObjectGoneError,
  ProviderReadError,
} from "#contract";
import { defineStep, type Looking } from "#control";
import { hasEndpoint, takeEndpoint } from "./endpoint.ts";
import type { ClusterFacts, Initialization } from "./facts.ts";
import { missingRetry } from "./infrastructure.ts";
import { awaitsTopology } from "./initial-facts.ts";
import type { ClusterPorts } from "./ports.ts";

/** Brings the control plane object along and takes over what it says. */
export const controlPlane = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "control-plane",
  text: "own and watch the control plane object; take over its endpoint and whether it is initialized",
  observe: observeControlPlane,

  async run(pass) {
    const { object: cluster, facts } = pass;
    const ref = cluster.spec?.controlPlaneRef;
    if (awaitsTopology(cluster) || ref === undefined) return undefined;
    if (facts.controlPlane.kind === "failed") return retry(new ProviderReadError(facts.controlPlane.error));
    const brought = await bringAlong(pass, ref, {
      // Without a topology somebody else made the control plane, and may control it.
      owner: ownerReferenceTo(cluster, { controller: cluster.spec?.topology !== undefined }),
      labels: { [labels.clusterName]: cluster.metadata.name ?? "" },
    });
    if (brought.kind === "failed") return retry(new ProviderReadError(brought.error));
    if (brought.kind === "absent") {
      if (facts.cluster.deleting) return undefined;
      return facts.cluster.controlPlaneInitialized
        ? retry(new ProviderObjectGoneError(`${ref.kind} has been deleted after being initialized`))
        : requeueAfter(missingRetry, `waiting for ${ref.kind} ${ref.name} to exist`);
    }
    const { object, contractVersion } = brought;
    if (object.metadata.deletionTimestamp !== undefined) return undefined;
    if (!hasEndpoint(pass.spec)) takeEndpoint(pass.spec, contract.controlPlaneEndpoint.in(contractVersion).get(object));
    return undefined;
  },
});

/** Writes down that the control plane is initialized, whoever said so first. */
export const initialization = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "initialization",
  text: "remember that the control plane is initialized; without a control plane object, by the first control plane Node",
  observe: ({ object: cluster, facts }) => {
    const { descendants, cluster: known } = facts;
    const ofMachines = cluster.spec?.controlPlaneRef === undefined && cluster.spec?.topology === undefined;
    const hasNode = ofMachines && descendants.kind === "listed" && descendants.controlPlaneMachineHasNode;
    const initialized = known.controlPlaneInitialized || facts.initialization.kind === "done" || hasNode;
    return { cluster: { ...known, controlPlaneInitialized: initialized } };
  },
  run({ status, facts }) {
    if (!facts.cluster.controlPlaneInitialized || status.initialization?.controlPlaneInitialized === true) return;
    status.initialization = { ...status.initialization, controlPlaneInitialized: true };
  },
});

/** The same on the way out, where nothing is taken over any more. */
export const seeControlPlane = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "see-control-plane",
  text: "look whether the control plane object is still there",
  observe: observeControlPlane,
});

/** What can be seen of the control plane object without touching it. */
async function observeControlPlane({
  object: cluster,
  reader,
  signal,
}: Looking<Cluster, ClusterFacts, ClusterPorts>): Promise<Pick<ClusterFacts, "controlPlane" | "initialization">> {
  const { lookup, said } = await observeProvider<Initialization>(reader, cluster.spec?.controlPlaneRef, {
    namespace: cluster.metadata.namespace ?? "",
    signal,
    mirrors: { type: "Available", goodReason: "Available" },
    says: (object, version) =>
      contract.initialized.in(version).get(object) === true ? { kind: "done" } : { kind: "pending" },
  });
  if (lookup.kind !== "failed") return { controlPlane: lookup, initialization: said ?? { kind: "none" } };
  return { controlPlane: lookup, initialization: { kind: "unreadable", error: lookup.error } };
}
