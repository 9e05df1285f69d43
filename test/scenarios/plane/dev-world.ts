import { randomUUID } from "node:crypto";
import { Registry } from "prom-client";
import { defaultFeatureGates, kinds } from "#api";
import { addControllers } from "#app";
import { createLogger, milliseconds, minutes, seconds, systemClock } from "#base";
import { type AnyKind, type Client, createClient } from "#client";
import { findCondition, conditionsOf } from "#conditions";
import { definitionsInMemory } from "#contract";
import { createManager, type PassRecord } from "#control";
import type { KubeObject } from "#machinery";
import { createWorkloadServers, type WorkloadServers } from "#providers";
import { openPlane, type Plane, recordPasses } from "#testkit";
import type { TestContext } from "vitest";

// Probes are frequent here, so that nobody waits for them.
const clusterCache = {
  probeInterval: milliseconds(200),
  probeTimeout: seconds(2),
  failureThreshold: 2,
  connectRetryInterval: milliseconds(200),
  fallbackInterval: milliseconds(500),
};

/** What a condition is to say. */
export interface ExpectedCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
}

/** Opens a management cluster and starts its controllers, with the development provider. */
export async function devWorld(t: TestContext): Promise<DevWorld> {
  const world = new DevWorld(t, await openPlane({ kinds, startsAt: systemClock.now() }));
  await world.start();
  return world;
}

/** A management cluster whose controllers can be stopped and started: real time, real sockets. */
export class DevWorld implements AsyncDisposable {
  readonly client: Client;
  readonly namespace: string;
  /** All passes of all controllers, the first one first. */
  readonly passes: PassRecord[] = [];
  readonly #signal: AbortSignal;
  readonly #recordRows: (record: PassRecord) => void;
  readonly #plane: Plane;
  readonly #log = createLogger({
    format: "text",
    level: "error",
    clock: systemClock,
    destination: { write: () => undefined },
  });
  #servers: WorkloadServers | undefined;
  #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(t: TestContext, plane: Plane) {
    this.#signal = t.signal;
    this.#recordRows = recordPasses(t.task);
    this.#plane = plane;
    this.namespace = plane.namespace;
    this.client = createClient(plane.transport, { fieldOwner: "scenario" });
  }

  /** The simulated clusters of the controllers that run. */
  get servers(): WorkloadServers {
    if (this.#servers === undefined) throw new Error("the controllers do not run");
    return this.#servers;
  }

  async start(): Promise<void> {
    const log = this.#log;
    const tools = { clock: systemClock, log, random: () => 0.5, uuid: randomUUID };
    const client = createClient(this.#plane.transport, { fieldOwner: "capstan" });
    const servers = createWorkloadServers({ ...tools, host: "127.0.0.1" });
    const registry = new Registry();
    const manager = createManager({
      client,
      registry,
      log,
      cacheDefaults: { resyncEvery: minutes(10), selection: { namespaces: [this.namespace] } },
      cacheKinds: [definitionsInMemory, { kind: { group: "", kind: "Secret" }, live: true }],
      onPass: (record) => {
        this.passes.push(record);
        this.#recordRows(record);
      },
    });
    await addControllers(manager, {
      ...tools,
      client,
      registry,
      servers,
      clusterCache,
      features: defaultFeatureGates,
      remoteConditionsGracePeriod: minutes(5),
      remoteConnectionGracePeriod: seconds(50),
      userAgent: "scenario",
      machinePoolsRollOut: true,
      extensionConfigReadOnly: false,
      concurrency: { cluster: 10, machine: 10, clusterClass: 10, extensionConfig: 10, dev: 10 },
    });
    this.#servers = servers;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    await new Promise<void>((resolve, reject) => {
      this.#running = manager.run({ signal, onStarted: () => resolve() });
      this.#running.catch(reject);
    });
  }

  /** Ends the controllers and everything that they hold in memory. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#servers?.[Symbol.asyncDispose]();
    this.#servers = undefined;
  }

  async annotate(kind: AnyKind, name: string, annotations: Readonly<Record<string, string | null>>): Promise<void> {
    const { namespace } = this;
    await this.client.patch(kind, { namespace, name }, { kind: "merge", patch: { metadata: { annotations } } });
  }

  /** Resolves when a condition of an object says this. */
  async until(kind: AnyKind, name: string, { type, status, reason }: ExpectedCondition): Promise<void> {
    await this.#follow(kind, (objects) => {
      const object = objects.get(name);
      const condition = object === undefined ? undefined : findCondition(conditionsOf(object), type);
      return condition?.status === status && (reason === undefined || condition.reason === reason);
    });
  }

  async untilGone(kind: AnyKind, name: string): Promise<void> {
    await this.#follow(kind, (objects) => !objects.has(name));
  }

  async #follow(kind: AnyKind, holds: (objects: ReadonlyMap<string, KubeObject>) => boolean): Promise<void> {
    const objects = new Map<string, KubeObject>();
    const ending = new AbortController();
    const signal = AbortSignal.any([ending.signal, this.#signal]);
    for await (const event of this.client.watch(kind, { namespace: this.namespace, signal })) {
      if (event.kind === "listed") objects.clear();
      for (const object of event.kind === "listed" ? event.objects : [event.object]) {
        if (event.kind === "deleted") objects.delete(object.metadata.name ?? "");
        else objects.set(object.metadata.name ?? "", object);
      }
      if (!holds(objects)) continue;
      ending.abort();
      return;
    }
    this.#signal.throwIfAborted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#plane[Symbol.asyncDispose]();
  }
}
