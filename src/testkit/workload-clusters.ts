import { randomUUID } from "node:crypto";
import { Cluster, labels } from "#api";
import { createLogger, exponentialBackoff, type FakeClock, milliseconds, seconds, systemClock } from "#base";
import type { Client } from "#client";
import type { Manager } from "#control";
import type { KubeObject, ObjectKey } from "#machinery";
import { createWorkloadServers, issueServerCertificate, makeAuthority, type WorkloadServer } from "#providers";
import { type ClusterCache, createClusterCache, createConnector } from "#workload";
import { kubeconfigOf } from "./workload-kubeconfig.ts";

/** A workload cluster in the hands of a test. */
export interface WorkloadCluster {
  /** Where its API server listens. */
  readonly endpoint: { readonly host: string; readonly port: number };
  /** Reads and writes without the network, also while nobody listens. */
  readonly client: Client;
  /** Adds a Node, which is ready unless told otherwise. */
  addNode(name: string, providerID: string, signs?: NodeSigns): Promise<void>;
  /** Lets the kubelet of a Node say something else. */
  setNode(name: string, signs: NodeSigns): Promise<void>;
  deleteNode(name: string): Promise<void>;
  /** Nobody listens any more; what the cluster knows stays. */
  stop(): Promise<void>;
  resume(): Promise<void>;
}

/** What the kubelet of a Node says, as far as it is not well: the status and the message of its conditions by type. */
export type NodeSigns = Readonly<Record<string, readonly [status: "True" | "False" | "Unknown", message?: string]>>;

/** How a workload cluster is opened. */
export interface WorkloadOptions {
  /** What its Cluster finds: the kubeconfig, or only the authority from which one can be made; the kubeconfig unless told. */
  readonly secret?: "kubeconfig" | "ca";
}

/** All workload clusters of a world, and the connections of its manager. */
export interface WorkloadClusters extends AsyncDisposable {
  /** Made when it is first asked for. */
  cache(): Promise<ClusterCache>;
  open(cluster: string, options?: WorkloadOptions): Promise<WorkloadCluster>;
  settle(): Promise<void>;
}

interface Surroundings {
  readonly manager: Manager;
  readonly clock: FakeClock;
  readonly client: Client;
  readonly namespace: string;
}

const Node = { group: "", version: "v1", kind: "Node" } as const;
const Secret = { group: "", version: "v1", kind: "Secret" } as const;

// Calls are real, so that they end by the clock of the machine; everything else waits for the clock of the test.
const patience = { probeTimeout: seconds(5), callTimeout: seconds(10), syncTimeout: milliseconds(20_000) };
// Between two probes a test has passed seconds, and the machine next to nothing.
const backoff = exponentialBackoff({ first: milliseconds(1), most: milliseconds(1) });
const rateLimit = { qps: 1_000_000, burst: 1_000_000 };

/** Hosts the workload clusters of a world. */
export function createWorkloadClusters({ manager, clock, client, namespace }: Surroundings): WorkloadClusters {
  const log = createLogger({ format: "text", level: "error", clock, destination: process.stderr });
  const tools = { clock, log, random: () => 0.5, uuid: randomUUID, host: "127.0.0.1" };
  const servers = createWorkloadServers(tools);
  const opened = new Map<string, Promise<WorkloadServer>>();
  let connections: Promise<ClusterCache> | undefined;

  return {
    cache: () => (connections ??= connect()),
    async open(cluster, { secret = "kubeconfig" } = {}) {
      const server = opened.get(cluster) ?? openServer(cluster, secret);
      opened.set(cluster, server);
      return inHand(await server);
    },
    async settle() {
      const cache = await connections;
      if (cache === undefined) return;
      await cache.settle();
      for (const [name, opening] of opened) {
        const { isListening } = await opening;
        if (isListening && cache.isConnected(keyOf(name))) await cache.caughtUp(keyOf(name));
      }
    },
    [Symbol.asyncDispose]: () => servers[Symbol.asyncDispose](),
  };

  function keyOf(name: string): ObjectKey {
    return { namespace, name };
  }

  async function connect(): Promise<ClusterCache> {
    const calls = { secrets: manager.reader, clock: systemClock, random: () => 0.5, log, userAgent: "scenario" };
    const cache = createClusterCache({
      clusters: await manager.caches.of(Cluster),
      connect: createConnector({ ...calls, settings: patience, backoff, limits: { rateLimit } }),
      clock,
      callClock: systemClock,
      log,
      settings: patience,
    });
    manager.addRunnable({ name: "cluster-cache", run: (options) => cache.run(options) });
    return cache;
  }

  async function openServer(cluster: string, secret: "kubeconfig" | "ca"): Promise<WorkloadServer> {
    const now = systemClock.instant();
    const authority = makeAuthority(now);
    const tls = issueServerCertificate(authority, tools.host, now);
    const server = await servers.open(keyOf(cluster), { tls, port: 0, fill: () => Promise.resolve() });
    const data =
      secret === "ca"
        ? { "tls.crt": authority.certificate, "tls.key": authority.key }
        : { value: kubeconfigOf(`https://${tools.host}:${server.port}`, authority, now) };
    await client.apply(Secret, secretOf({ namespace, name: `${cluster}-${secret}` }, cluster, data), { force: true });
    return server;
  }

  function inHand(server: WorkloadServer): WorkloadCluster {
    return {
      endpoint: { host: tools.host, port: server.port },
      client: server.client,
      async addNode(name, providerID, signs = {}) {
        const node = { apiVersion: "v1", kind: "Node", metadata: { name }, spec: { providerID } };
        await server.client.create(Node, node);
        await this.setNode(name, signs);
      },
      async setNode(name, signs) {
        const conditions = conditionsOf(signs, clock.now());
        await server.client.patchStatus(Node, { name }, { kind: "merge", patch: { status: { conditions } } });
      },
      async deleteNode(name) {
        await server.client.delete(Node, { name });
      },
      stop: () => server.breakAs({ kind: "stopped" }),
      resume: () => server.breakAs({ kind: "none" }),
    };
  }
}

function secretOf(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  cluster: string,
  data: Readonly<Record<string, string>>,
): KubeObject {
  const encoded = Object.entries(data).map(([field, text]) => [field, Buffer.from(text).toString("base64")]);
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace, name, labels: { [labels.clusterName]: cluster } },
    type: "cluster.x-k8s.io/secret",
    data: Object.fromEntries(encoded),
  };
  return secret;
}

/** The conditions of a Node, as its kubelet posts them. */
function conditionsOf(signs: NodeSigns, since: string) {
  const well = { Ready: "True", MemoryPressure: "False", DiskPressure: "False", PIDPressure: "False" } as const;
  return Object.entries(well).map(([type, usual]) => {
    const [status, message = ""] = signs[type] ?? [usual];
    const reason = status === usual ? "KubeletIsWell" : "KubeletIsNotWell";
    return { type, status, reason, message, lastHeartbeatTime: since, lastTransitionTime: since };
  });
}
