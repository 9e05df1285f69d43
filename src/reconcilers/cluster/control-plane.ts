import { type Cluster, labels } from "#api";
import { awaitChange, CapstanError, describeError, requeueAfter, retry } from "#base";
import {
  bringAlong,
  controlPlane as contract,
  getContractVersion,
  groupKindOf,
  ownerReferenceTo,
  providerLookup,
  readProvider,
} from "#contract";
import { defineStep, type Looking } from "#control";
import type { KubeObject } from "#machinery";
import { hasEndpoint, takeEndpoint } from "./endpoint.ts";
import { ProviderObjectGoneError, ProviderReadError } from "./errors.ts";
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
    if (awaitsTopology(cluster) || ref === undefined) return awaitChange;
    const brought = await bringAlong(pass, ref, {
      // Without a topology somebody else made the control plane, and may control it.
      owner: ownerReferenceTo(cluster, { controller: cluster.spec?.topology !== undefined }),
      labels: { [labels.clusterName]: cluster.metadata.name ?? "" },
    });
    if (brought.kind === "failed") return retry(new ProviderReadError(brought.error));
    if (brought.kind === "absent") {
      if (facts.cluster.deleting) return awaitChange;
      return facts.cluster.controlPlaneInitialized
        ? retry(new ProviderObjectGoneError(`${ref.kind} has been deleted after being initialized`))
        : requeueAfter(missingRetry, `waiting for ${ref.kind} ${ref.name} to exist`);
    }
    const { object, contractVersion } = brought;
    if (object.metadata.deletionTimestamp !== undefined) return awaitChange;
    if (!hasEndpoint(pass.spec)) takeEndpoint(pass.spec, contract.controlPlaneEndpoint.in(contractVersion).get(object));
    if (facts.initialization.kind === "done") markInitialized(pass);
    return awaitChange;
  },
});

/** A control plane of Machines alone is initialized when the first of them has a Node. */
export const machineControlPlane = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "machine-control-plane",
  text: "without a control plane object, the first control plane Machine with a Node initializes the control plane",
  run(pass) {
    const { object: cluster, facts } = pass;
    if (cluster.spec?.controlPlaneRef !== undefined || facts.descendants.kind !== "listed") return;
    if (facts.descendants.controlPlaneMachineHasNode) markInitialized(pass);
  },
});

/** What can be seen of the control plane object without touching it. */
export async function observeControlPlane({
  object: cluster,
  reader,
  signal,
}: Looking<Cluster, ClusterFacts, ClusterPorts>): Promise<Pick<ClusterFacts, "controlPlane" | "initialization">> {
  const ref = cluster.spec?.controlPlaneRef;
  const read = await readProvider(reader, ref, { namespace: cluster.metadata.namespace ?? "", signal });
  const lookup = providerLookup(ref, read, { type: "Available", goodReason: "Available" });
  if (ref === undefined || read?.kind !== "found") return { controlPlane: lookup, initialization: { kind: "none" } };
  try {
    const contractVersion = await getContractVersion(reader, groupKindOf(ref), { signal });
    return { controlPlane: lookup, initialization: initializationOf(read.object, contractVersion) };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { controlPlane: lookup, initialization: { kind: "unreadable", error: describeError(error) } };
  }
}

function initializationOf(object: KubeObject, contractVersion: string): Initialization {
  return { kind: contract.initialized.in(contractVersion).get(object) === true ? "done" : "pending" };
}

interface Marked {
  readonly status: { initialization?: { infrastructureProvisioned?: boolean; controlPlaneInitialized?: boolean } };
  readonly facts: ClusterFacts;
  readonly learn: (facts: Pick<ClusterFacts, "cluster">) => void;
}

/** It happens once, as with the infrastructure. */
function markInitialized({ status, facts, learn }: Marked): void {
  if (facts.cluster.controlPlaneInitialized) return;
  status.initialization = { ...status.initialization, controlPlaneInitialized: true };
  learn({ cluster: { ...facts.cluster, controlPlaneInitialized: true } });
}
