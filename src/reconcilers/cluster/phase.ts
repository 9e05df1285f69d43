import type { Cluster } from "#api";
import { hasEndpoint } from "./endpoint.ts";

type Phase = NonNullable<NonNullable<Cluster["status"]>["phase"]>;

/** How far a Cluster has come, in one word; `provisioned` says whether its infrastructure is. */
export function phaseOf(cluster: Pick<Cluster, "metadata" | "spec">, provisioned: boolean): Phase {
  const { metadata, spec = {} } = cluster;
  if (metadata.deletionTimestamp !== undefined) return "Deleting";
  if (provisioned && hasEndpoint(spec)) return "Provisioned";
  return spec.infrastructureRef === undefined && spec.controlPlaneRef === undefined ? "Pending" : "Provisioning";
}
