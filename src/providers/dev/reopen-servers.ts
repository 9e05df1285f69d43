import { DevCluster, DevMachine, labels } from "#api";
import type { Clock, Logger } from "#base";
import type { Client } from "#client";
import { isTrue, lastTransitionTimeOf } from "#conditions";
import { type ObjectKey, namespacedName } from "#machinery";
import { issueServerCertificate } from "./authority.ts";
import { ensureAuthority } from "./authority-secret.ts";
import { apiServerBreakOf } from "./breaks.ts";
import { clusterKeyOf } from "./dev-cluster-owner.ts";
import { ensureNode, simulatedNode } from "./node-object.ts";
import type { WorkloadServers } from "./workload-servers.ts";

/** What reopening needs from outside. */
export interface ReopenPorts {
  /** Reads and writes past every cache. */
  readonly client: Client;
  readonly servers: WorkloadServers;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Opens the API servers of all simulated clusters again, as they were before this process: on the same port, with the same
 * authority and Nodes. Done before any controller begins, so that none of them finds a cluster gone.
 */
export async function reopenServers(ports: ReopenPorts, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  const { client, log } = ports;
  const { items: clusters } = await client.listAll(DevCluster, { signal });
  const { items: all } = await client.listAll(DevMachine, { signal });
  const byCluster = new Map<string, DevMachine[]>();
  for (const machine of all) {
    const name = namespacedName(clusterOfMachine(machine));
    byCluster.set(name, [...(byCluster.get(name) ?? []), machine]);
  }
  for (const object of clusters) {
    const cluster = clusterKeyOf(object);
    const port = object.spec?.controlPlaneEndpoint?.port;
    if (cluster === undefined || port === undefined || object.metadata.deletionTimestamp !== undefined) continue;
    signal.throwIfAborted();
    try {
      await reopen(ports, object, { cluster, port, machines: byCluster.get(namespacedName(cluster)) ?? [] });
    } catch (error) {
      // Its own passes try again, and say in its conditions what is wrong.
      log.error("a simulated API server could not be opened again", error, { cluster: namespacedName(cluster) });
    }
  }
}

async function reopen(
  { client, servers, clock }: ReopenPorts,
  object: DevCluster,
  {
    cluster,
    port,
    machines,
  }: {
    readonly cluster: ObjectKey;
    readonly port: number;
    readonly machines: readonly DevMachine[];
  },
): Promise<void> {
  if (apiServerBreakOf(object).kind === "stopped") return;
  const authority = await ensureAuthority(client, object, cluster, clock.instant());
  await servers.open(cluster, {
    tls: issueServerCertificate(authority, servers.host, clock.instant()),
    port,
    fill: (workload) => restoreNodes(workload, machines),
  });
}

/** Makes the Nodes of machines that had one. */
export async function restoreNodes(workload: Client, machines: readonly DevMachine[]): Promise<void> {
  for (const machine of machines) {
    const since = lastTransitionTimeOf(machine, "NodeProvisioned");
    if (!isTrue(machine, "NodeProvisioned") || since === undefined) continue;
    const isControlPlane = Object.hasOwn(machine.metadata.labels ?? {}, labels.controlPlane);
    await ensureNode(workload, simulatedNode(machine, { since, isControlPlane, version: undefined }));
  }
}

function clusterOfMachine({ metadata }: DevMachine): ObjectKey {
  return { namespace: metadata.namespace ?? "", name: metadata.labels?.[labels.clusterName] ?? "" };
}
