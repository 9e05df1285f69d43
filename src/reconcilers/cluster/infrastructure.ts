import { type Cluster, labels } from "#api";
import { requeueAfter, retry, seconds } from "#base";
import {
  bringAlong,
  infraCluster,
  observeProvider,
  ownerReferenceTo,
  ProviderObjectGoneError,
  ProviderReadError,
} from "#contract";
import { defineStep, type Looking } from "#control";
import { hasEndpoint, takeEndpoint } from "./endpoint.ts";
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
    const ref = cluster.spec?.infrastructureRef;
    if (awaitsTopology(cluster)) return undefined;
    if (facts.cluster.infrastructureProvisioned && status.initialization?.infrastructureProvisioned !== true) {
      status.initialization = { ...status.initialization, infrastructureProvisioned: true };
    }
    if (ref === undefined) return undefined;
    if (facts.infrastructure.kind === "failed") return retry(new ProviderReadError(facts.infrastructure.error));
    const brought = await bringAlong(pass, ref, {
      owner: ownerReferenceTo(cluster, { controller: true }),
      labels: { [labels.clusterName]: cluster.metadata.name ?? "" },
    });
    if (brought.kind === "failed") return retry(new ProviderReadError(brought.error));
    if (brought.kind === "absent") {
      if (facts.cluster.deleting) return undefined;
      return facts.cluster.infrastructureProvisioned
        ? retry(new ProviderObjectGoneError(`${ref.kind} has been deleted after being ready`))
        : requeueAfter(missingRetry, `waiting for ${ref.kind} ${ref.name} to exist`);
    }
    const { object, contractVersion } = brought;
    if (object.metadata.deletionTimestamp !== undefined || !facts.cluster.infrastructureProvisioned) return undefined;
    if (!hasEndpoint(pass.spec)) {
      takeEndpoint(pass.spec, infraCluster.controlPlaneEndpoint.in(contractVersion).get(object));
    }
    const domains = infraCluster.failureDomains.in(contractVersion).get(object) ?? [];
    if (domains.length === 0) delete status.failureDomains;
    else status.failureDomains = domains;
    return undefined;
  },
});

/** The same on the way out, where nothing is taken over any more. */
export const seeInfrastructure = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "see-infrastructure",
  text: "look whether the infrastructure object is still there",
  observe: observeInfrastructure,
});

/** What can be seen of the infrastructure object without touching it. */
async function observeInfrastructure({
  object: cluster,
  reader,
  signal,
  facts,
}: Looking<Cluster, ClusterFacts, ClusterPorts>): Promise<Pick<ClusterFacts, "infrastructure" | "cluster">> {
  const ref = cluster.spec?.infrastructureRef;
  const { lookup, said } = await observeProvider(reader, ref, {
    namespace: cluster.metadata.namespace ?? "",
    signal,
    mirrors: { type: "Ready", goodReason: "Ready" },
    says: (object, version) => infraCluster.provisioned.in(version).get(object) === true,
  });
  // It happens once: whatever is reported later, the infrastructure was there.
  const isNotNeeded = ref === undefined && cluster.spec?.topology === undefined;
  const provisioned = facts.cluster.infrastructureProvisioned || isNotNeeded || said === true;
  return { infrastructure: lookup, cluster: { ...facts.cluster, infrastructureProvisioned: provisioned } };
}
