import type { DevCluster } from "#api";
import { kindOf, type ObjectKey } from "#machinery";

/** The Cluster that owns a DevCluster. */
export function clusterKeyOf({ metadata }: DevCluster): ObjectKey | undefined {
  const owner = (metadata.ownerReferences ?? []).find((one) => kindOf(one).kind === "Cluster");
  return owner === undefined ? undefined : { namespace: metadata.namespace ?? "", name: owner.name };
}
