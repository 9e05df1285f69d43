import type { Cluster } from "#api";
import { retry } from "#base";
import { infraCluster, observeProvider, ProviderReadError } from "#contract";
import { defineStep, type Looking } from "#control";
import type { KubeObject } from "#machinery";
import { hasEndpoint, takeEndpoint } from "./endpoint.ts";
import type { ClusterFacts } from "./facts.ts";
import { awaitsTopology } from "./initial-facts.ts";
import type { ClusterPorts } from "./ports.ts";
import { afterAbsence, bringProvider, isLeaving } from "./provider-object.ts";

/** Brings the infrastructure object along and takes over what it says. */
export const infrastructure = defineStep<Cluster, ClusterFacts, ClusterPorts>({
  name: "infrastructure",
  text: "own and watch the infrastructure object; take over its endpoint, failure domains and whether it is provisioned",
  independent: true,
  observe: observeInfrastructure,
  learns: ["infrastructure"],

  async run(pass) {
    const { object: cluster, spec, status, facts, events } = pass;
    const { infrastructureProvisioned: isProvisioned, deleting } = facts.cluster;
    const ref = cluster.spec.infrastructureRef;
    if (awaitsTopology(cluster)) return undefined;
    if (ref !== undefined) {
      const brought = await bringProvider(pass, ref, { controller: true });
      if (brought.kind === "absent") {
        return afterAbsence(ref, { deleting, ...(isProvisioned ? { once: "provisioned" } : {}) });
      }
      if (brought.kind === "failed") {
        pass.learn({ infrastructure: { ...brought, objectKind: ref.kind } });
        return retry(new ProviderReadError(brought.error));
      }
      if (facts.infrastructure.kind === "failed") return retry(new ProviderReadError(facts.infrastructure.error));
      const { object, contractVersion } = brought;
      if (isLeaving(object) || !isProvisioned) return undefined;
      if (!hasEndpoint(spec)) takeEndpoint(spec, infraCluster.controlPlaneEndpoint.in(contractVersion).get(object));
      const domains = infraCluster.failureDomains.in(contractVersion).get(object) ?? [];
      if (domains.length === 0) delete status.failureDomains;
      else status.failureDomains = domains;
    }
    if (!isProvisioned || status.initialization?.infrastructureProvisioned === true) return undefined;
    status.initialization = { ...status.initialization, infrastructureProvisioned: true };
    const { name = "" } = cluster.metadata;
    events.record("Normal", "InfrastructureReady", `Cluster ${name} InfrastructureProvisioned is now True`);
    return undefined;
  },
});

/** What can be seen of the infrastructure object without touching it. */
async function observeInfrastructure({
  object: cluster,
  reader,
  signal,
  facts,
}: Looking<Cluster, ClusterFacts, ClusterPorts>): Promise<Pick<ClusterFacts, "infrastructure" | "cluster">> {
  const ref = cluster.spec.infrastructureRef;
  const { lookup, said } = await observeProvider(reader, ref, {
    namespace: cluster.metadata.namespace ?? "",
    signal,
    mirrors: { type: "Ready", goodReason: "Ready" },
    says: isDone,
  });
  // It happens once: whatever is reported later, the infrastructure was there.
  const isNotNeeded = ref === undefined && cluster.spec.topology === undefined && !facts.cluster.deleting;
  const provisioned = facts.cluster.infrastructureProvisioned || isNotNeeded || said === true;
  return { infrastructure: lookup, cluster: { ...facts.cluster, infrastructureProvisioned: provisioned } };
}

/** Provisioned, and all that is taken over then is as the contract says: the other fields throw where they are not. */
function isDone(object: KubeObject, contractVersion: string): boolean {
  const isProvisioned = infraCluster.provisioned.in(contractVersion).get(object) === true;
  if (!isProvisioned || isLeaving(object)) return false;
  infraCluster.controlPlaneEndpoint.in(contractVersion).get(object);
  infraCluster.failureDomains.in(contractVersion).get(object);
  return true;
}
