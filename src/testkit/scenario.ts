import type { TestContext } from "vitest";
import type { AdmissionPlugin } from "#apiserver";
import { createLogger, type Duration, type FakeClock, milliseconds, minutes, type Timestamp } from "#base";
import { type AnyKind, type Client, createClient } from "#client";
import {
  type CacheSettings,
  createManager,
  type Manager,
  type ManagerOptions,
  type PassRecord,
  type Started,
} from "#control";
import { fieldAt, type Kind, kindOf, type KubeObject, type ObjectKey } from "#machinery";
import { admissionFor } from "#webhooks";
import type { ClusterCache } from "#workload";
import { registerAdmission, servingFor, type WorldAdmission } from "./real-admission.ts";
import { openPlane, type Plane, type Way } from "./plane.ts";
import { type RecordedWrite, recordWrites, text, type Write } from "./recorded-writes.ts";
import { recordPasses } from "./row-record.ts";
import {
  createWorkloadClusters,
  type WorkloadCluster,
  type WorkloadClusters,
  type WorkloadOptions,
} from "./workload-clusters.ts";

/** What a world is made of. */
export interface ScenarioOptions {
  /** Kinds that the server has to serve. */
  readonly kinds: readonly Kind[];
  /** Adds reconcilers, with what they need, to the manager of the world; it may take its time. */
  readonly controllers: (manager: Manager, world: WorldTools) => unknown;
  /** How the server is reached; in the process unless told otherwise, and the real one in `npm run test:real`. */
  readonly way?: Way;
  /** What is asked about writes: in the process of our own server, by a real one over TLS. */
  readonly admission?: WorldAdmission;
  /** Parts of our own server that look at writes: such a world runs in the process, whatever others do. */
  readonly plugins?: readonly AdmissionPlugin[];
  readonly manager?: Partial<Omit<ManagerOptions, "client" | "clock" | "onPass">>;
  /** When time begins, where the server runs in the process: now, where certificates are made and used. */
  readonly startsAt?: Timestamp;
  /** Others whose work has to be done before the world is settled. */
  readonly settling?: readonly (() => Promise<void>)[];
}

/** What reconcilers can be given. */
export interface WorldTools {
  readonly way: Way;
  readonly clock: FakeClock;
  readonly namespace: string;
  /** Somebody else's client: what it writes is not the manager's doing. */
  readonly client: Client;
  /** The manager's connections to workload clusters, which run with it. */
  readonly clusterCache: () => Promise<ClusterCache>;
}

/** A condition, and the row that decided on it. */
export interface SeenCondition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Absent where no table of this world reports it. */
  readonly row?: string;
}

/** A server, a manager and a clock that stands still, for one test. */
export interface World extends AsyncDisposable, WorldTools {
  readonly manager: Manager;
  readonly now: Timestamp;
  /** Makes objects be as they are given, status included. */
  apply(...objects: readonly KubeObject[]): Promise<void>;
  get<Obj extends KubeObject = KubeObject>(kind: AnyKind<Obj> | string, name: string): Promise<Obj>;
  find<Obj extends KubeObject = KubeObject>(kind: AnyKind<Obj> | string, name: string): Promise<Obj | undefined>;
  delete(kind: AnyKind | string, name: string): Promise<void>;
  /** The workload cluster of a Cluster: a real API server, opened when it is first asked for. */
  workload(cluster: string, options?: WorkloadOptions): Promise<WorkloadCluster>;
  /** Makes the server serve what a definition says; resolves when it does. */
  install(definition: KubeObject): Promise<void>;
  /** Takes a kind away from the server by the name of its definition, with all its objects. */
  uninstall(name: string): Promise<void>;
  /** Waits until everything has seen everything and nothing is left to do; never for a time. */
  settle(): Promise<void>;
  /** Moves time on, from one thing that waits for its time to the next, and settles after each. */
  advance(duration: Duration): Promise<void>;
  /** A condition as the manager's caches have it, which are those of the server once the world is settled. */
  condition(kind: AnyKind | string, name: string, type: string): SeenCondition | undefined;
  /** What the manager did to an object. */
  writes(kind: AnyKind | string, name: string): readonly Write[];
  /** What the manager did to anything at all. */
  readonly allWrites: readonly RecordedWrite[];
  /** All passes over an object, the first one first. */
  passes(kind: AnyKind | string, name: string): readonly PassRecord[];
}

/**
 * Opens a world: a real API server, a manager with real reconcilers, and a clock that a test moves. A scenario changes
 * objects and time and nothing else: `await using world = await scenario(t, { kinds, controllers })`.
 */
export async function scenario(t: TestContext, options: ScenarioOptions): Promise<World> {
  const { kinds, admission, plugins = [], startsAt, way = plugins.length > 0 ? "in-process" : undefined } = options;
  const asked = admission === undefined ? [] : admissionFor(admission.webhooks, admission.lookups);
  const plane = await openPlane({ way, kinds, plugins: [...plugins, ...asked], startsAt });
  const world = new ScenarioWorld(t, plane, options);
  await world.start();
  return world;
}

class ScenarioWorld implements World {
  readonly way: Way;
  readonly manager: Manager;
  readonly clock: FakeClock;
  readonly namespace: string;
  readonly client: Client;
  readonly #plane: Plane;
  readonly #options: ScenarioOptions;
  readonly #stop = new AbortController();
  readonly #writes: RecordedWrite[] = [];
  /** By kind and name. */
  readonly #passes = new Map<string, PassRecord[]>();
  #passCount = 0;
  readonly #recordRows: (record: PassRecord) => void;
  readonly #workloads: WorkloadClusters;
  #cachesCaughtUp = 0;
  #registered: AsyncDisposable | undefined;
  #running: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(t: TestContext, plane: Plane, options: ScenarioOptions) {
    const { way, clock, namespace } = plane;
    this.#recordRows = recordPasses(t.task);
    this.#plane = plane;
    this.#options = options;
    this.way = way;
    this.clock = clock;
    this.namespace = namespace;
    this.client = createClient(plane.transport, { fieldOwner: "scenario", clock });
    const recorded = recordWrites(plane.transport, (write) => this.#writes.push(write));
    this.manager = createManager({
      log: createLogger({ format: "text", level: "error", clock, destination: { write: () => undefined } }),
      // On a server that others use too it is not to meddle with what is theirs.
      ...(way === "real" ? { cacheDefaults: inNamespace(namespace) } : {}),
      ...(way === "real" && options.admission !== undefined
        ? { webhooks: servingFor(options.admission, { client: this.client, namespace }) }
        : {}),
      ...options.manager,
      client: createClient(recorded, { fieldOwner: "manager", clock }),
      clock,
      onPass: (record) => this.#onPass(record),
    });
    this.#workloads = createWorkloadClusters({ manager: this.manager, clock, client: this.client, namespace });
  }

  get now(): Timestamp {
    return this.clock.now();
  }

  async start(): Promise<void> {
    const { way, clock, namespace, client, clusterCache } = this;
    await this.#options.controllers(this.manager, { way, clock, namespace, client, clusterCache });
    const { webhookPort } = await new Promise<Started>((resolve, reject) => {
      this.#running = this.manager
        .run({ signal: this.#stop.signal, onStarted: (started) => resolve(started) })
        .catch((error: unknown) => {
          this.#failure = { error };
          reject(error);
        });
    });
    const { admission } = this.#options;
    if (webhookPort !== undefined && admission !== undefined) {
      this.#registered = await registerAdmission(admission, { client, namespace, port: webhookPort });
    }
    await this.settle();
  }

  readonly clusterCache = async (): Promise<ClusterCache> => await this.#workloads.cache();

  async workload(cluster: string, options?: WorkloadOptions): Promise<WorkloadCluster> {
    return await this.#workloads.open(cluster, options);
  }

  async apply(...objects: readonly KubeObject[]): Promise<void> {
    for (const object of objects) {
      const kind = this.#kind(object.kind, object);
      const { status, ...rest } = object;
      const metadata = { ...(this.#isNamespaced(kind) ? { namespace: this.namespace } : {}), ...rest.metadata };
      await this.client.apply(kind, { ...rest, metadata }, { force: true });
      if (status !== undefined) await this.client.applyStatus(kind, { ...rest, metadata, status }, { force: true });
    }
  }

  async get<Obj extends KubeObject>(kind: AnyKind<Obj> | string, name: string): Promise<Obj> {
    return await this.client.get<Obj>(this.#kind<Obj>(kind), this.#key(name));
  }

  async find<Obj extends KubeObject>(kind: AnyKind<Obj> | string, name: string): Promise<Obj | undefined> {
    return await this.client.find<Obj>(this.#kind<Obj>(kind), this.#key(name));
  }

  async delete(kind: AnyKind | string, name: string): Promise<void> {
    await this.client.delete(this.#kind(kind), this.#key(name));
  }

  async install(definition: KubeObject): Promise<void> {
    await this.#plane.install(definition);
  }

  async uninstall(name: string): Promise<void> {
    await this.#plane.uninstall(name);
  }

  async settle(): Promise<void> {
    for (let before: string | undefined; ;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      await this.#catchUp();
      await Promise.all(this.manager.controllers.map((controller) => controller.idle()));
      for (const settled of this.#options.settling ?? []) await settled();
      await this.#workloads.settle();
      // Whatever happened in between may have given somebody work; only a round in which nothing did is the last.
      const after = `${this.#writes.length} ${this.#passCount}`;
      if (after === before && this.manager.controllers.every(({ isIdle }) => isIdle)) return;
      before = after;
    }
  }

  async advance(duration: Duration): Promise<void> {
    const end = this.clock.elapsed() + duration;
    await this.settle();
    for (;;) {
      const left = end - this.clock.elapsed();
      const next = this.clock.untilNextWake;
      await this.clock.advance(milliseconds(next === undefined ? left : Math.min(left, next)));
      await this.settle();
      if (next === undefined || next >= left) return;
    }
  }

  condition(kind: AnyKind | string, name: string, type: string): SeenCondition | undefined {
    const conditions = fieldAt(this.#cached(kind, name), "status", "conditions");
    const found: unknown = Array.isArray(conditions)
      ? conditions.find((one) => fieldAt(one, "type") === type)
      : undefined;
    if (found === undefined) return undefined;
    const verdict = this.passes(kind, name)
      .flatMap(({ verdicts }) => verdicts)
      .findLast((one) => one.type === type);
    return {
      status: text(found, "status"),
      reason: text(found, "reason"),
      message: text(found, "message"),
      ...(verdict === undefined ? {} : { row: verdict.row }),
    };
  }

  writes(kind: AnyKind | string, name: string): readonly Write[] {
    const { kind: wanted } = this.#kind(kind);
    return this.#writes
      .filter(({ object, key }) => object === wanted && this.#isNamed(key, name))
      .map(({ write }) => write);
  }

  get allWrites(): readonly RecordedWrite[] {
    return this.#writes;
  }

  passes(kind: AnyKind | string, name: string): readonly PassRecord[] {
    const found = this.#passes.get(`${this.#kind(kind).kind} ${name}`) ?? [];
    return found.filter(({ key }) => this.#isNamed(key, name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#registered?.[Symbol.asyncDispose]();
    this.#stop.abort();
    await this.#running?.catch(() => undefined);
    await this.#workloads[Symbol.asyncDispose]();
    await this.#plane[Symbol.asyncDispose]();
    if (this.#failure !== undefined) throw this.#failure.error;
    const undeclared = new Set([...this.#passes.values()].flat().flatMap((pass) => pass.undeclared));
    if (undeclared.size > 0)
      throw new Error(`facts were learned that no step says it learns: ${[...undeclared].join(", ")}`);
  }

  async #catchUp(): Promise<void> {
    const mayHaveNews = await this.#plane.settle();
    const { length } = this.manager.caches.running;
    if (!mayHaveNews && length === this.#cachesCaughtUp) return;
    await this.manager.caches.caughtUp();
    this.#cachesCaughtUp = length;
  }

  #onPass(record: PassRecord): void {
    const kind = this.manager.controllers.find(({ name }) => name === record.reconciler)?.kind.kind ?? "";
    const place = `${kind} ${record.key.name}`;
    const earlier = this.#passes.get(place);
    if (earlier === undefined) this.#passes.set(place, [record]);
    else earlier.push(record);
    this.#passCount++;
    this.#recordRows(record);
  }

  #cached(kind: AnyKind | string, name: string): KubeObject | undefined {
    const { kind: wanted } = this.#kind(kind);
    const cache = this.manager.caches.running.find((one) => one.kind.kind === wanted);
    if (cache === undefined) throw new Error(`no reconciler of this world looks at ${wanted}`);
    return cache.find(this.#key(name));
  }

  #kind<Obj extends KubeObject>(kind: AnyKind<Obj> | string, object?: KubeObject): AnyKind<Obj> {
    if (typeof kind !== "string") return kind;
    const declared = this.#options.kinds.find((one) => one.kind === kind);
    if (declared !== undefined) return declared;
    return object === undefined ? { group: "", version: "v1", kind } : kindOf(object);
  }

  #isNamespaced(kind: AnyKind): boolean {
    return !("namespaced" in kind) || kind.namespaced;
  }

  /** On a server that others use too there may be others of the same name. */
  #isNamed(key: ObjectKey, name: string): boolean {
    return key.name === name && (key.namespace === undefined || key.namespace === this.namespace);
  }

  #key(name: string): ObjectKey {
    return { namespace: this.namespace, name };
  }
}

function inNamespace(namespace: string): CacheSettings {
  return { resyncEvery: minutes(10), selection: { namespaces: [namespace] } };
}
