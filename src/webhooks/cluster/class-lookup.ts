import { type Cluster, type ClusterClass } from "#api";
import { hasCondition, isFalse } from "#conditions";
import { keyOf, namespacedName, type ObjectKey } from "#machinery";

/** The class of a Cluster with a topology. */
export function classKeyOf(cluster: Cluster): ObjectKey {
  const { namespace, name } = cluster.spec.topology?.classRef ?? { name: "" };
  const home = namespace ?? keyOf(cluster).namespace;
  return home === undefined ? { name } : { namespace: home, name };
}

/** True where the controller has looked at the class as it is now, and its variables are fine. */
export function isReconciled(clusterClass: ClusterClass): boolean {
  const { metadata, status } = clusterClass;
  if (metadata.generation !== status?.observedGeneration) return false;
  return hasCondition(clusterClass, "VariablesReady") && !isFalse(clusterClass, "VariablesReady");
}

/** What the writer of a Cluster should know about its class. */
export function classWarnings(key: ObjectKey, clusterClass: ClusterClass | undefined): readonly string[] {
  const refers = `Cluster refers to ClusterClass ${namespacedName(key)}, but this ClusterClass`;
  const unchecked = "Cluster topology has not been fully validated.";
  if (clusterClass === undefined) {
    return [`${refers} does not exist. ${unchecked} The ClusterClass must be created to reconcile the Cluster`];
  }
  if (isReconciled(clusterClass)) return [];
  return [`${refers} hasn't been successfully reconciled. ${unchecked} Please take a look at the ClusterClass status`];
}
