import { annotations, Cluster, DevCluster, DevMachine, finalizers, labels, Machine } from "#api";
import { CapstanError, describeError, requeueAfter, seconds } from "#base";
import { defineCondition, False, finds, holds, lastKnown, nothing, otherwise, row, True } from "#conditions";
import { defineReconciler, defineStep, type Index, generationChanged, type Pass, type Reader, related } from "#control";
import { keyOf, namespacedName, type ObjectKey } from "#machinery";
import { issueServerCertificate } from "./authority.ts";
import { ensureAuthority } from "./authority-secret.ts";
import { apiServerBreakOf } from "./breaks.ts";
import { ownerOfDevCluster, ownerOfDevMachine } from "./owners.ts";
import { type OwnedDevMachine, restoreNodes } from "./reopen-servers.ts";
import type { WorkloadServer } from "./workload-server.ts";
import type { WorkloadServers } from "./workload-servers.ts";

/** What is known of a DevCluster. */
export interface DevClusterFacts {
  readonly server:
    | { readonly kind: "not-looked" }
    | { readonly kind: "listening"; readonly port: number }
    | { readonly kind: "stopped" }
    | { readonly kind: "failed"; readonly error: string };
}

/** What DevClusters need from outside. */
export interface DevPorts {
  readonly servers: WorkloadServers;
}

// Not left to the error, which may say that nothing is gained by another try: a port that is taken now can be free later.
const startRetry = seconds(5);

/** Files DevMachines under their Cluster. */
export const devMachinesByCluster: Index = {
  name: "cluster-of-dev-machine",
  valuesOf: ({ metadata }) => {
    const name = metadata.labels?.[labels.clusterName];
    return name === undefined ? [] : [namespacedName({ namespace: metadata.namespace ?? "", name })];
  },
};

type DevClusterPass = Pass<DevCluster, DevClusterFacts, DevPorts>;

/** Runs the API server of the simulated cluster. */
const apiServer = defineStep<DevCluster, DevClusterFacts, DevPorts>({
  name: "api-server",
  text: "make the authority where there is none; run the API server on its port, with the Nodes that it had",
  learns: ["server"],

  async run(pass) {
    try {
      pass.learn({ server: await ensureServer(pass) });
      return undefined;
    } catch (error) {
      pass.signal.throwIfAborted();
      if (!(error instanceof CapstanError)) throw error;
      pass.learn({ server: { kind: "failed", error: describeError(error) } });
      return requeueAfter(startRetry, "the API server could not be started");
    }
  },
});

/** Takes the API server away. */
const shutDown = defineStep<DevCluster, DevClusterFacts, DevPorts>({
  name: "shut-down",
  text: "stop the API server of the simulated cluster",
  async run({ object, ports }) {
    const cluster = ownerOfDevCluster(object);
    if (cluster !== undefined) await ports.servers.close(cluster);
  },
});

/** Tells whether the simulated infrastructure is there. */
export const DevClusterReady = defineCondition({
  of: "DevCluster",
  type: "Ready",
  summary: "Tells whether the API server of the simulated cluster answers.",
  reasons: ["Ready", "NotReady"],
  rows: [
    row({
      id: "not-looked-keep",
      when: holds("nobody looked, on the way out", ({ server }: DevClusterFacts) => server.kind === "not-looked"),
      ensure: nothing("the server goes with its cluster"),
      report: lastKnown,
    }),
    row({
      id: "failed",
      when: finds("the API server could not be started", ({ server }: DevClusterFacts) =>
        server.kind === "failed" ? { error: server.error } : undefined,
      ),
      ensure: apiServer,
      report: (failure) => False("NotReady", failure.error),
    }),
    row({
      id: "stopped",
      when: holds("the API server is stopped on purpose", ({ server }: DevClusterFacts) => server.kind === "stopped"),
      ensure: apiServer,
      report: False("NotReady", "The API server is stopped on purpose"),
    }),
  ],
  otherwise: otherwise({
    id: "ready",
    when: "the API server answers",
    ensure: apiServer,
    report: True("Ready"),
  }),
});

/** Brings DevClusters along. */
export const devCluster = defineReconciler<DevCluster, DevClusterFacts, DevPorts>({
  name: "devcluster",
  kind: DevCluster,
  watches: [related(Cluster, infrastructureOf, { predicate: generationChanged })],
  isOurs: (object) => ownerOfDevCluster(object) !== undefined,
  paused: async ({ object, reader, signal }) => ({
    clusterPaused: await isClusterPaused(object, reader, signal),
    annotated: Object.hasOwn(object.metadata.annotations ?? {}, annotations.paused),
  }),
  facts: () => ({ server: { kind: "not-looked" } }),
  steps: [apiServer],
  finalizer: finalizers.devCluster,
  onDelete: [shutDown],
  conditions: [DevClusterReady],
});

async function ensureServer(pass: DevClusterPass): Promise<DevClusterFacts["server"]> {
  const { object, spec, status, ports } = pass;
  const cluster = ownerOfDevCluster(object);
  if (cluster === undefined) return { kind: "not-looked" };
  const broken = apiServerBreakOf(object);
  const server = ports.servers.find(cluster) ?? (await openServer(pass, cluster));
  await server.breakAs(broken);
  spec.controlPlaneEndpoint = { host: ports.servers.host, port: server.port };
  status.initialization = { provisioned: true };
  return broken.kind === "stopped" ? { kind: "stopped" } : { kind: "listening", port: server.port };
}

/** After a restart the server has its port, its authority and its Nodes again before it answers anybody. */
async function openServer(pass: DevClusterPass, cluster: ObjectKey): Promise<WorkloadServer> {
  const { object, client, clock, ports } = pass;
  const authority = await ensureAuthority(client, object, cluster, clock.instant());
  return await ports.servers.open(cluster, {
    tls: issueServerCertificate(authority, ports.servers.host, clock.instant()),
    port: object.spec?.controlPlaneEndpoint?.port ?? 0,
    broken: apiServerBreakOf(object),
    fill: async (workload) => restoreNodes(workload, await machinesOf(pass, cluster)),
  });
}

async function machinesOf({ reader, signal }: DevClusterPass, cluster: ObjectKey): Promise<readonly OwnedDevMachine[]> {
  const indexed = { by: devMachinesByCluster, value: namespacedName(cluster) };
  const devMachines = await reader.list(DevMachine, { namespace: cluster.namespace ?? "", indexed, signal });
  return await Promise.all(
    devMachines.map(async (devMachine) => {
      const owner = ownerOfDevMachine(devMachine);
      return { devMachine, machine: owner === undefined ? undefined : await reader.find(Machine, owner, { signal }) };
    }),
  );
}

async function isClusterPaused(object: DevCluster, reader: Reader, signal: AbortSignal): Promise<boolean> {
  const key = ownerOfDevCluster(object);
  const cluster = key === undefined ? undefined : await reader.find(Cluster, key, { signal });
  return cluster?.spec?.paused ?? false;
}

function infrastructureOf(cluster: Cluster): readonly ObjectKey[] {
  const ref = cluster.spec?.infrastructureRef;
  return ref?.kind === "DevCluster" ? [{ ...keyOf(cluster), name: ref.name }] : [];
}
