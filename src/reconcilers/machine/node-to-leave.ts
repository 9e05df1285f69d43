import { type Cluster, labels, Machine } from "#api";
import { controlPlane, isDefined, ProviderReadError, readProvider } from "#contract";
import { namespacedName } from "#machinery";
import type { MachinePass } from "./deletion.ts";
import { machinesByCluster } from "./workload-access.ts";

/**
 * The Node that is drained and deleted with its Machine; undefined where there is none, or where nobody would miss it: the
 * Cluster or its control plane goes, or no control plane would be left to ask.
 */
export async function nodeToLeave(pass: MachinePass, cluster: Cluster): Promise<string | undefined> {
  const { log, facts } = pass;
  if (cluster.metadata.deletionTimestamp !== undefined) return skipped("cluster is being deleted");
  const { nodeName } = facts.machine;
  if (nodeName === undefined) return skipped("no NodeRef");
  const verdict = await controlPlaneOf(pass, cluster);
  if (verdict === "deleting") return skipped("control plane is being deleted");
  if (verdict === "external") return nodeName;
  return (await hasControlPlaneMachine(pass, cluster)) ? nodeName : skipped("no control plane members");

  function skipped(cause: string): undefined {
    log.info("Skipping deletion of Kubernetes Node associated with Machine as it is not allowed", { cause });
    return undefined;
  }
}

/** A control plane that somebody else runs has no Machines. */
async function controlPlaneOf(
  { reader, signal }: MachinePass,
  { metadata, spec }: Cluster,
): Promise<"deleting" | "external" | "of-machines"> {
  const ref = spec?.controlPlaneRef;
  if (!isDefined(ref)) return "of-machines";
  const read = await readProvider(reader, ref, { namespace: metadata.namespace ?? "", signal });
  if (read?.kind === "failed") throw new ProviderReadError(read.error);
  if (read?.kind !== "found") return "of-machines";
  if (read.object.metadata.deletionTimestamp !== undefined) return "deleting";
  return controlPlane.externalManagedControlPlane.get(read.object) === true ? "external" : "of-machines";
}

async function hasControlPlaneMachine({ reader, signal }: MachinePass, { metadata }: Cluster): Promise<boolean> {
  const { namespace = "", name = "" } = metadata;
  const indexed = { by: machinesByCluster, value: namespacedName({ namespace, name }) };
  const machines = await reader.list(Machine, { namespace, indexed, signal });
  return machines.some(
    ({ metadata: own }) => own.deletionTimestamp === undefined && Object.hasOwn(own.labels ?? {}, labels.controlPlane),
  );
}
