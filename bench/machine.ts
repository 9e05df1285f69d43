import { randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { Cluster, defaultFeatureGates, DevCluster, DevMachine, labels, Machine } from "#api";
import { addControllers, installKinds } from "#app";
import { openApiServer, openMemoryStore } from "#apiserver";
import { createLogger, minutes, seconds, systemClock } from "#base";
import { type Client, createClient } from "#client";
import { isTrue } from "#conditions";
import { definitionsInMemory } from "#contract";
import { createManager, type KindCache, type Manager } from "#control";
import type { KubeObject, Transport } from "#machinery";
import { createWorkloadServers } from "#providers";

const namespace = "default";
const cluster = "c1";
// While everything comes up at once, passes overtake each other, and that is said.
const silence = { write: () => undefined };
const Node = { group: "", version: "v1", kind: "Node" } as const;

/** What Machines cost, with all controllers and the development provider in one process. */
export async function bench(print: (line: object) => void): Promise<void> {
  const report = (name: string, value: number, unit: string, more: object = {}): void =>
    print({ bench: "machine", name, value: Math.round(value * 100) / 100, unit, ...more });
  const plane = await openPlane();
  await plane.create([clusterObjects(), machineObjects("control-plane", true)].flat());
  await plane.available(1);

  const count = 500;
  plane.forget();
  const before = await plane.nodeRevision();
  const start = performance.now();
  await plane.create(names("m", count).flatMap((name) => machineObjects(name)));
  await plane.available(1 + count);
  await plane.idle();
  report(`${count} Machines from creation to Available`, (performance.now() - start) / 1000, "s");
  const nodeWrites = (await plane.nodeRevision()) - before;
  const writes = { ...plane.writes(), "nodes (workload)": nodeWrites };
  const total = Object.values(writes).reduce((sum, each) => sum + each, 0);
  const perMachine = Object.fromEntries(Object.entries(writes).map(([kind, each]) => [kind, each / count]));
  report("writes per Machine, all objects and those of the user included", total / count, "writes", { perMachine });

  const cpu = process.cpuUsage();
  const times = await plane.nodeChanges(names("m", count));
  report(`Node Ready change to Machine condition at ${count} Machines, p50`, percentile(times, 50), "ms");
  report(`Node Ready change to Machine condition at ${count} Machines, p99`, percentile(times, 99), "ms");
  report("the same, CPU of all controllers and servers, mean", millisecondsSince(cpu) / count, "ms CPU");

  await plane.create(names("more", count).flatMap((name) => machineObjects(name)));
  await plane.available(1 + 2 * count);
  await plane.idle();
  plane.forget();
  const { passes, took, cpu: passCpu } = await plane.passOverAll(10);
  report(`passes over ${2 * count} Machines that find nothing to do`, (passes * 1000) / took, "passes/s");
  report("the same, CPU", (passes * 1000) / passCpu, "passes/s CPU");
  report("writes of Machines and their objects in those passes", plane.machineWrites(), "writes");
  await plane.close();
}

async function openPlane() {
  const log = createLogger({ format: "json", level: "error", clock: systemClock, destination: silence });
  const tools = { clock: systemClock, log, random: Math.random, uuid: randomUUID };
  const server = await openApiServer({ ...tools, store: openMemoryStore(), onFatal: fail });
  const written = new Map<string, number>();
  const transport = counting(server.transport(), (resource) => written.set(resource, (written.get(resource) ?? 0) + 1));
  await installKinds(createClient(server.transport(), { fieldOwner: "bench" }));
  const client = createClient(transport, { fieldOwner: "bench" });
  const servers = createWorkloadServers({ ...tools, host: "127.0.0.1" });
  let passes = 0;
  const secrets = { kind: { group: "", kind: "Secret" }, live: true };
  const manager = createManager({
    client,
    log,
    uuid: randomUUID,
    cacheKinds: [definitionsInMemory, secrets],
    onPass: () => void (passes += 1),
  });
  await addControllers(manager, {
    ...tools,
    client,
    servers,
    registry: new Registry(),
    features: defaultFeatureGates,
    remoteConditionsGracePeriod: minutes(5),
    remoteConnectionGracePeriod: seconds(50),
    userAgent: "bench",
    extensionConfigReadOnly: false,
    machinePoolsRollOut: true,
    concurrency: { cluster: 50, machine: 100, clusterClass: 10, extensionConfig: 10, dev: 100 },
  });
  const stop = new AbortController();
  const { running } = await started(manager, stop.signal);
  const machines = await manager.caches.of(Machine);
  const available = new Set<string>();
  machines.subscribe(({ object }) => {
    if (isTrue(object, "Available")) available.add(object.metadata.name ?? "");
  }, stop);
  const nodes = (): Client => {
    const found = servers.find({ namespace, name: cluster });
    if (found === undefined) throw new Error("the workload cluster does not run");
    return found.client;
  };

  return {
    create: (objects: readonly KubeObject[]) => createAll(client, objects),
    available: (count: number) => until(machines, () => available.size >= count),
    async idle() {
      for (let seen = -1; seen !== passes;) {
        seen = passes;
        await Promise.all(manager.controllers.map((controller) => controller.idle()));
        await manager.caches.caughtUp();
      }
    },
    forget: () => written.clear(),
    writes: () => Object.fromEntries(written),
    machineWrites: () => (written.get("machines") ?? 0) + (written.get("devmachines") ?? 0),
    nodeRevision: async () => Number((await nodes().list(Node)).metadata.resourceVersion),
    async nodeChanges(of: readonly string[]): Promise<readonly number[]> {
      const times: number[] = [];
      for (const name of of) times.push(await nodeChange({ nodes: nodes(), machines }, name));
      return times;
    },
    async passOverAll(rounds: number) {
      const [controller] = manager.controllers.filter(({ name }) => name === "machine");
      const keys = machines.list().map(({ metadata }) => ({ namespace, name: metadata.name ?? "" }));
      passes = 0;
      const cpu = process.cpuUsage();
      const start = performance.now();
      for (let round = 0; round < rounds; round++) {
        for (const key of keys) controller?.add(key);
        await controller?.idle();
      }
      return { passes, took: performance.now() - start, cpu: millisecondsSince(cpu) };
    },
    async close() {
      stop.abort();
      await running;
      await servers[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/** How long it takes from a Node that says it is down to a Machine that says so too. */
async function nodeChange(
  { nodes, machines }: { readonly nodes: Client; readonly machines: KindCache<Machine> },
  name: string,
): Promise<number> {
  const time = systemClock.now();
  const conditions = [{ type: "Ready", status: "False", reason: "Down", message: "down", lastTransitionTime: time }];
  const start = performance.now();
  const seen = until(machines, () => {
    const machine = machines.find({ namespace, name });
    return machine !== undefined && !isTrue(machine, "NodeReady");
  });
  await nodes.patchStatus(Node, { name }, { kind: "merge", patch: { status: { conditions } } });
  await seen;
  return performance.now() - start;
}

/** Resolves as soon as something holds of what the manager has in memory. */
async function until(machines: KindCache<Machine>, holds: () => boolean): Promise<void> {
  const stop = new AbortController();
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (!stop.signal.aborted && holds()) resolve();
    };
    machines.subscribe(look, { signal: stop.signal });
    look();
  });
  stop.abort();
}

async function createAll(client: Client, objects: readonly KubeObject[]): Promise<void> {
  const byName = new Map<string, typeof Machine | typeof DevMachine | typeof Cluster | typeof DevCluster>([
    ["Machine", Machine],
    ["DevMachine", DevMachine],
    ["Cluster", Cluster],
    ["DevCluster", DevCluster],
  ]);
  for (const object of objects) {
    const kind = byName.get(object.kind);
    if (kind !== undefined) await client.transport.create(kind.resource, object);
  }
}

/** The same transport, which counts what it writes. */
function counting(transport: Transport, wrote: (resource: string) => void): Transport {
  const counted = async <T>(resource: string, writing: Promise<T>): Promise<T> => {
    const written = await writing;
    wrote(resource);
    return written;
  };
  return {
    ...transport,
    create: (resource, ...rest) => counted(resource.resource, transport.create(resource, ...rest)),
    update: (resource, ...rest) => counted(resource.resource, transport.update(resource, ...rest)),
    patch: (resource, ...rest) => counted(resource.resource, transport.patch(resource, ...rest)),
    apply: (resource, ...rest) => counted(resource.resource, transport.apply(resource, ...rest)),
    delete: (resource, ...rest) => counted(resource.resource, transport.delete(resource, ...rest)),
  };
}

function started(manager: Manager, signal: AbortSignal): Promise<{ readonly running: Promise<void> }> {
  return new Promise((resolve) => {
    const running = manager.run({ signal, onStarted: () => resolve({ running }) });
  });
}

function clusterObjects(): readonly KubeObject[] {
  const metadata = { namespace, name: cluster };
  const infrastructureRef = { apiGroup: DevCluster.group, kind: "DevCluster", name: cluster };
  return [
    { apiVersion: DevCluster.apiVersion, kind: "DevCluster", metadata, spec: { backend: { inMemory: {} } } },
    { apiVersion: Cluster.apiVersion, kind: "Cluster", metadata, spec: { infrastructureRef } },
  ];
}

/** A Machine and its infrastructure, labelled as their owners label them. */
function machineObjects(name: string, isControlPlane = false): readonly KubeObject[] {
  const own = { [labels.clusterName]: cluster, ...(isControlPlane ? { [labels.controlPlane]: "" } : {}) };
  const spec = {
    clusterName: cluster,
    version: "v1.35.0",
    bootstrap: { dataSecretName: "data" },
    infrastructureRef: { apiGroup: DevMachine.group, kind: "DevMachine", name },
  };
  const metadata = { namespace, name, labels: own };
  return [
    { apiVersion: DevMachine.apiVersion, kind: "DevMachine", metadata, spec: { backend: { inMemory: {} } } },
    { apiVersion: Machine.apiVersion, kind: "Machine", metadata, spec },
  ];
}

function names(prefix: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function fail(error: Error): never {
  throw error;
}
