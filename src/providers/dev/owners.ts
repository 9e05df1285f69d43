import { type DevCluster, type DevMachine, labels } from "#api";
import { controllerOf, kindOf, type ObjectKey } from "#machinery";

/** The Cluster that owns a DevCluster. */
export function ownerOfDevCluster({ metadata }: DevCluster): ObjectKey | undefined {
  const owner = (metadata.ownerReferences ?? []).find((one) => kindOf(one).kind === "Cluster");
  return owner === undefined ? undefined : { namespace: metadata.namespace ?? "", name: owner.name };
}

/** The Machine that owns a DevMachine. */
export function ownerOfDevMachine(object: DevMachine): ObjectKey | undefined {
  const owner = controllerOf(object);
  return owner?.kind === "Machine" ? { namespace: object.metadata.namespace ?? "", name: owner.name } : undefined;
}

/** The Cluster that a DevMachine belongs to, by its label; the name is empty where it says nothing. */
export function clusterOfDevMachine({ metadata }: DevMachine): ObjectKey {
  return { namespace: metadata.namespace ?? "", name: metadata.labels?.[labels.clusterName] ?? "" };
}
