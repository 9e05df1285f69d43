import { type Cluster, labels } from "#api";
import { awaitChange, requeueAfter, retry, seconds } from "#base";
import { bringAlong, infraCluster, ownerReferenceTo, providerLookup, readProvider } from "#contract";
import { defineStep, type Looking, type Pass } from "#control";
import { hasEndpoint, takeEndpoint } from "./endpoint.ts";
import { ProviderObjectGoneError, ProviderReadError } from "./errors.ts";
import type { ClusterFacts } from "./facts.ts";
import { awaitsTopology } from "./initial-facts.ts";
import type { ClusterPorts } from "./ports.ts";

/** How often a missing object is looked for. */
export const missingRetry = seconds(30);

/** Brings the infrastructure object along and takes over what it says. */
export const infrastructure = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "infrastructure",
  text: "own and watch the infrastructure object; take over its endpoint, failure domains and whether it is provisioned",
  observe: observeInfrastructure,

  async run(pass) {
    const { object: cluster, status, facts } = pass;
    if (awaitsTopology(cluster)) return awaitChange;
    const ref = cluster.spec?.infrastructureRef;
    if (ref === undefined) {
      if (cluster.spec?.topology === undefined) markProvisioned(pass);
      return awaitChange;
    }
    const brought = await bringAlong(pass, ref, {
      owner: ownerReferenceTo(cluster, { controller: true }),
      labels: { [labels.clusterName]: cluster.metadata.name ?? "" },
    });
    if (brought.kind === "failed") return retry(new ProviderReadError(brought.error));
    if (brought.kind === "absent") {
      if (facts.cluster.deleting) return awaitChange;
      return facts.cluster.infrastructureProvisioned
        ? retry(new ProviderObjectGoneError(`${ref.kind} has been deleted after being ready`))
        : requeueAfter(missingRetry, `waiting for ${ref.kind} ${ref.name} to exist`);
    }
    const { object, contractVersion } = brought;
    if (object.metadata.deletionTimestamp !== undefined) return awaitChange;
    if (infraCluster.provisioned.in(contractVersion).get(object) !== true) return awaitChange;
    if (!hasEndpoint(pass.spec))
      takeEndpoint(pass.spec, infraCluster.controlPlaneEndpoint.in(contractVersion).get(object));
    const domains = infraCluster.failureDomains.in(contractVersion).get(object) ?? [];
    if (domains.length === 0) delete status.failureDomains;
    else status.failureDomains = domains;
    markProvisioned(pass);
    return awaitChange;
  },
});

/** What can be seen of the infrastructure object without touching it. */
export async function observeInfrastructure({
  object: cluster,
  reader,
  signal,
}: Looking<Cluster, ClusterFacts, ClusterPorts>): Promise<Pick<ClusterFacts, "infrastructure">> {
  const ref = cluster.spec?.infrastructureRef;
  const read = await readProvider(reader, ref, { namespace: cluster.metadata.namespace ?? "", signal });
  return { infrastructure: providerLookup(ref, read, { type: "Ready", goodReason: "Ready" }) };
}

/** It happens once: whatever is reported later, the infrastructure was there. */
function markProvisioned({ status, facts, learn }: Pass<Cluster, ClusterFacts, ClusterPorts>): void {
  if (facts.cluster.infrastructureProvisioned) return;
  status.initialization = { ...status.initialization, infrastructureProvisioned: true };
  learn({ cluster: { ...facts.cluster, infrastructureProvisioned: true } });
}
