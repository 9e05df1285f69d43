import { Cluster, DevCluster, DevMachine, Machine } from "#api";
import { type AnyKind, type Client } from "#client";
import { isTrue } from "#conditions";
import { isAlreadyExists, type KubeObject } from "#machinery";

/** Where clusters are unless told. */
const usualNamespace = "default";
const infrastructure = "infrastructure.cluster.x-k8s.io";
const machines = ["cp", "w1", "w2", "w3"] as const;

/** How many objects somebody creates for one cluster. */
export const objectsPerCluster = 2 + 2 * machines.length;
/** How many Machines one cluster has. */
export const machinesPerCluster = machines.length;

/** How clusters are created. */
interface CreateOptions {
  readonly atATime?: number;
  readonly namespace?: string;
  readonly onFailure?: (error: unknown) => Promise<void>;
}

/** Where clusters are looked for, and until when. */
interface LookOptions {
  readonly namespace?: string;
  readonly signal?: AbortSignal;
}

/** Creates clusters of plain Machines with simulated infrastructure, some at a time; what is there already stays. */
export async function createClusters(
  client: () => Promise<Client>,
  names: readonly string[],
  { atATime = 10, namespace = usualNamespace, onFailure }: CreateOptions = {},
): Promise<void> {
  const left = [...names];
  const work = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      for (const [kind, object] of objectsOf(name, namespace)) await create(kind, object);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));

  async function create(kind: AnyKind, object: KubeObject): Promise<void> {
    for (;;) {
      try {
        await (await client()).create(kind, object);
        return;
      } catch (error) {
        if (isAlreadyExists(error)) return;
        if (onFailure === undefined) throw error;
        await onFailure(error);
      }
    }
  }
}

/** Resolves when all Clusters are Available and all of their Machines have a Node that is ready. */
export async function untilReady(
  client: Client,
  clusters: number,
  { namespace = usualNamespace, signal }: LookOptions = {},
): Promise<void> {
  await Promise.all([
    untilCount(client, Cluster, { type: "Available", count: clusters, namespace, signal }),
    untilCount(client, Machine, { type: "NodeReady", count: clusters * machinesPerCluster, namespace, signal }),
  ]);
}

interface Awaited {
  readonly type: string;
  readonly count: number;
  readonly namespace: string;
  readonly signal: AbortSignal | undefined;
}

async function untilCount(client: Client, kind: AnyKind, { type, count, namespace, signal }: Awaited): Promise<void> {
  const good = new Set<string>();
  const ending = new AbortController();
  const signals = signal === undefined ? [ending.signal] : [ending.signal, signal];
  for await (const event of client.watch(kind, { namespace, signal: AbortSignal.any(signals) })) {
    if (event.kind === "listed") good.clear();
    for (const object of event.kind === "listed" ? event.objects : [event.object]) {
      const name = object.metadata.name ?? "";
      if (event.kind !== "deleted" && isTrue(object, type)) good.add(name);
      else good.delete(name);
    }
    if (good.size === count) {
      ending.abort();
      return;
    }
  }
  signal?.throwIfAborted();
}

/** What one cluster is made of. */
function objectsOf(name: string, namespace: string): readonly (readonly [AnyKind, KubeObject])[] {
  const metadata = { namespace, name };
  const backend = { backend: { inMemory: {} } };
  return [
    [DevCluster, { apiVersion: DevCluster.apiVersion, kind: "DevCluster", metadata, ...inSpec(backend) }],
    [Cluster, { apiVersion: Cluster.apiVersion, kind: "Cluster", metadata, ...inSpec(clusterSpec(name)) }],
    ...machines.flatMap((role) => {
      const machine = `${name}-${role}`;
      const labels = role === "cp" ? { "cluster.x-k8s.io/control-plane": "" } : {};
      const named = { namespace, name: machine };
      return [
        [DevMachine, { apiVersion: DevMachine.apiVersion, kind: "DevMachine", metadata: named, ...inSpec(backend) }],
        [
          Machine,
          {
            apiVersion: Machine.apiVersion,
            kind: "Machine",
            metadata: { ...named, labels },
            ...inSpec(machineSpec(name, machine)),
          },
        ],
      ] as const;
    }),
  ];
}

function inSpec(spec: object): object {
  return { spec };
}

function clusterSpec(name: string): object {
  return { infrastructureRef: { apiGroup: infrastructure, kind: "DevCluster", name } };
}

function machineSpec(clusterName: string, name: string): object {
  return {
    clusterName,
    version: "v1.35.0",
    bootstrap: { dataSecretName: `${clusterName}-bootstrap` },
    infrastructureRef: { apiGroup: infrastructure, kind: "DevMachine", name },
  };
}

/** Deletes Clusters; everything else is to go with them. */
export async function deleteClusters(
  client: Client,
  names: readonly string[],
  { namespace = usualNamespace }: LookOptions = {},
): Promise<void> {
  for (const name of names) await client.delete(Cluster, { namespace, name });
}

/** Resolves when nothing is left of any cluster. */
export async function untilGone(client: Client, look: LookOptions = {}): Promise<void> {
  await Promise.all([Cluster, DevCluster, Machine, DevMachine].map((kind) => untilNone(client, kind, look)));
}

async function untilNone(
  client: Client,
  kind: AnyKind,
  { namespace = usualNamespace, signal }: LookOptions,
): Promise<void> {
  const left = new Set<string>();
  const ending = new AbortController();
  const signals = signal === undefined ? [ending.signal] : [ending.signal, signal];
  for await (const event of client.watch(kind, { namespace, signal: AbortSignal.any(signals) })) {
    if (event.kind === "listed") left.clear();
    for (const { metadata } of event.kind === "listed" ? event.objects : [event.object]) {
      if (event.kind === "deleted") left.delete(metadata.name ?? "");
      else left.add(metadata.name ?? "");
    }
    if (left.size === 0) {
      ending.abort();
      return;
    }
  }
  throw new Error(`${left.size} objects of kind ${kind.kind} are left: ${[...left].slice(0, 5).join(", ")}`);
}
