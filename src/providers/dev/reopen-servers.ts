import { DevCluster, DevMachine, Machine } from "#api";
import type { Clock, Logger } from "#base";
import type { Client } from "#client";
import { isTrue, lastTransitionTimeOf } from "#conditions";
import { keyOf, namespacedName, type ObjectKey } from "#machinery";
import { issueServerCertificate } from "./authority.ts";
import { ensureAuthority } from "./authority-secret.ts";
import { apiServerBreakOf } from "./breaks.ts";
import { ensureNode, simulatedNode } from "./node-object.ts";
import { clusterOfDevMachine, ownerOfDevCluster, ownerOfDevMachine } from "./owners.ts";
import type { WorkloadServers } from "./workload-servers.ts";

/** What reopening needs from outside. */
export interface ReopenPorts {
  /** Reads and writes past every cache. */
  readonly client: Client;
  readonly servers: WorkloadServers;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A simulated machine, with the Machine that owns it. */
export interface OwnedDevMachine {
  readonly devMachine: DevMachine;
  readonly machine: Machine | undefined;
}

/**
 * Opens the API servers of all simulated clusters again, as they were before this process: on the same port, with the same
 * authority and Nodes. Done before any controller begins, so that none of them finds a cluster gone.
 */
export async function reopenServers(ports: ReopenPorts, { signal }: { readonly signal: AbortSignal }): Promise<void> {
  const { client, log } = ports;
  const { items: clusters } = await client.listAll(DevCluster, { signal });
  const machines = await machinesByCluster(client, { signal });
  for (const object of clusters) {
    const cluster = ownerOfDevCluster(object);
    const port = object.spec?.controlPlaneEndpoint?.port;
    if (cluster === undefined || port === undefined || object.metadata.deletionTimestamp !== undefined) continue;
    signal.throwIfAborted();
    try {
      await reopen(ports, object, { cluster, port, machines: machines.get(namespacedName(cluster)) ?? [] });
    } catch (error) {
      // Its own passes try again, and say in its conditions what is wrong.
      log.error("a simulated API server could not be opened again", error, { cluster: namespacedName(cluster) });
    }
  }
}

async function machinesByCluster(
  client: Client,
  { signal }: { readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, readonly OwnedDevMachine[]>> {
  const { items: devMachines } = await client.listAll(DevMachine, { signal });
  const { items: machines } = await client.listAll(Machine, { signal });
  const machineAt = new Map(machines.map((machine) => [namespacedName(keyOf(machine)), machine]));
  const byCluster = new Map<string, OwnedDevMachine[]>();
  for (const devMachine of devMachines) {
    const owner = ownerOfDevMachine(devMachine);
    const machine = owner === undefined ? undefined : machineAt.get(namespacedName(owner));
    const name = namespacedName(clusterOfDevMachine(devMachine));
    const known = byCluster.get(name);
    if (known === undefined) byCluster.set(name, [{ devMachine, machine }]);
    else known.push({ devMachine, machine });
  }
  return byCluster;
}

interface Reopening {
  readonly cluster: ObjectKey;
  readonly port: number;
  readonly machines: readonly OwnedDevMachine[];
}

async function reopen(
  { client, servers, clock }: ReopenPorts,
  object: DevCluster,
  { cluster, port, machines }: Reopening,
): Promise<void> {
  const authority = await ensureAuthority(client, object, cluster, clock.instant());
  await servers.open(cluster, {
    tls: issueServerCertificate(authority, servers.host, clock.instant()),
    port,
    broken: apiServerBreakOf(object),
    fill: (workload) => restoreNodes(workload, machines),
  });
}

/** Makes the Nodes of machines that had one. */
export async function restoreNodes(workload: Client, machines: readonly OwnedDevMachine[]): Promise<void> {
  for (const { devMachine, machine } of machines) {
    const since = lastTransitionTimeOf(devMachine, "NodeProvisioned");
    if (!isTrue(devMachine, "NodeProvisioned") || since === undefined) continue;
    await ensureNode(workload, simulatedNode(devMachine, machine, since));
  }
}
