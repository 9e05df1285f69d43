import type { Cluster } from "#api";
import { CapstanError, describeError, retry } from "#base";
import {
  ContractError,
  controlPlane as contract,
  getContractVersion,
  groupKindOf,
  providerLookup,
  ProviderReadError,
  readProvider,
} from "#contract";
import { abandon, defineStep, type Looking } from "#control";
import type { KubeObject } from "#machinery";
import { hasEndpoint, takeEndpoint } from "./endpoint.ts";
import type { ClusterFacts, Initialization } from "./facts.ts";
import { awaitsTopology } from "./initial-facts.ts";
import type { ClusterPorts } from "./ports.ts";
import { afterAbsence, bringProvider, isLeaving } from "./provider-object.ts";
import { controlPlaneCounts } from "./replicas.ts";

/** Brings the control plane object along and takes over what it says. */
export const controlPlane = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "control-plane",
  text: "own and watch the control plane object; take over its endpoint and whether it is initialized",
  independent: true,
  observe: observeControlPlane,
  learns: ["controlPlane"],

  async run(pass) {
    const { object: cluster, spec, facts } = pass;
    const { initialization: said } = facts;
    const { deleting, controlPlaneInitialized } = facts.cluster;
    const ref = cluster.spec.controlPlaneRef;
    // Whoever does not know the contract cannot tell anything about the Cluster.
    if (said.kind === "unversioned") return abandon(new ProviderReadError(said.error));
    if (awaitsTopology(cluster) || ref === undefined) return undefined;
    // Without a topology somebody else made the control plane, and may control it.
    const brought = await bringProvider(pass, ref, { controller: cluster.spec.topology !== undefined });
    if (brought.kind === "absent") {
      return afterAbsence(ref, { deleting, ...(controlPlaneInitialized ? { once: "initialized" } : {}) });
    }
    if (brought.kind === "failed") {
      pass.learn({ controlPlane: { ...brought, objectKind: ref.kind } });
      return retry(new ProviderReadError(brought.error));
    }
    if (said.kind === "unreadable") return retry(new ProviderReadError(said.error));
    if (isLeaving(brought.object) || !controlPlaneInitialized) return undefined;
    if (!hasEndpoint(spec)) {
      takeEndpoint(spec, contract.controlPlaneEndpoint.in(brought.contractVersion).get(brought.object));
    }
    return undefined;
  },
});

/** Writes down that the control plane is initialized, whoever said so first. */
export const initialization = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "initialization",
  text: "remember that the control plane is initialized; without a control plane object, by the first control plane Node",
  observe: ({ object: cluster, facts }) => {
    const { descendants, cluster: known } = facts;
    const ofMachines = cluster.spec.controlPlaneRef === undefined && cluster.spec.topology === undefined;
    const hasNode = ofMachines && descendants.kind === "listed" && descendants.controlPlaneMachineHasNode;
    return { cluster: { ...known, controlPlaneInitialized: known.controlPlaneInitialized || hasNode } };
  },
  run({ object: cluster, status, facts, events }) {
    if (!facts.cluster.controlPlaneInitialized || status.initialization?.controlPlaneInitialized === true) return;
    status.initialization = { ...status.initialization, controlPlaneInitialized: true };
    const { name = "" } = cluster.metadata;
    events.record("Normal", "ControlPlaneInitialized", `Cluster ${name} ControlPlaneInitialized is now True`);
  },
});

/** What can be seen of the control plane object without touching it. */
async function observeControlPlane({
  object: cluster,
  reader,
  signal,
  facts,
}: Looking<Cluster, ClusterFacts, ClusterPorts>): Promise<Partial<ClusterFacts>> {
  const { controlPlaneRef: ref, topology } = cluster.spec;
  const read = await readProvider(reader, ref, { namespace: cluster.metadata.namespace ?? "", signal });
  const lookup = providerLookup(ref, read, { type: "Available", goodReason: "Available" });
  if (ref === undefined || read?.kind !== "found") {
    // Machines that are a control plane by themselves are counted with the others.
    const isCounted = ref !== undefined || topology !== undefined;
    return { controlPlane: lookup, replicas: isCounted ? { ...facts.replicas, controlPlane: {} } : facts.replicas };
  }
  const { object } = read;
  try {
    const version = await getContractVersion(reader, groupKindOf(ref), { signal });
    const said = initializationIn(object, version);
    const isInitialized = facts.cluster.controlPlaneInitialized || (said.kind === "done" && !isLeaving(object));
    return {
      controlPlane: lookup,
      initialization: said,
      cluster: { ...facts.cluster, controlPlaneInitialized: isInitialized },
      replicas: { ...facts.replicas, controlPlane: controlPlaneCounts(object, version) },
    };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { controlPlane: lookup, initialization: { kind: "unversioned", error: describeError(error) } };
  }
}

/** Initialized, and what is taken over then is as the contract says. */
function initializationIn(object: KubeObject, contractVersion: string): Initialization {
  try {
    if (contract.initialized.in(contractVersion).get(object) !== true) return { kind: "pending" };
    contract.controlPlaneEndpoint.in(contractVersion).get(object);
    return { kind: "done" };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    return { kind: "unreadable", error: describeError(error) };
  }
}
