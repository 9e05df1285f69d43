import type { Registry } from "prom-client";
import { type Clock, type Duration, type Logger, minutes, seconds, systemClock } from "#base";
import type { Client } from "#client";
import type { ReasonSpelling } from "#conditions";
import type { GroupKind, KubeObject, ObjectKey } from "#machinery";
import { createCachedClient } from "../cache/cached-client.ts";
import { type Caches, type CacheSettings, createCaches, type KindSettings } from "../cache/caches.ts";
import { cacheMetricsIn } from "../cache/prometheus-metrics.ts";
import {
  type Controller,
  type ControllerContext,
  type ControllerOptions,
  createController,
} from "../controller/controller.ts";
import { ManagerMisuseError } from "../errors.ts";
import { createEventRecorder } from "../events/event-recorder.ts";
import { createMetrics } from "../metrics.ts";
import type { PassRecord } from "../pass/pass-record.ts";
import type { Reader } from "../reader.ts";
import type { Reconciler } from "../reconciler.ts";
import type { DiagnosticsAddress, PassQuery } from "./diagnostics-server.ts";
import type { Check } from "./health-server.ts";
import type { ListenAddress } from "./http-listener.ts";
import type { LeaderElectionOptions } from "./leader-election.ts";
import { Lull } from "./lull.ts";
import { type ManagerParts, runManager } from "./run-manager.ts";
import type { Runnable, WarmUp } from "./runnable.ts";
import type { WebhookServing } from "./serve-manager.ts";

/** What a manager needs from outside, and how its controllers run. */
export interface ManagerOptions {
  readonly client: Client;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Gives numbers from 0 up to 1, so that many managers do not act as one; without it nothing is left to chance. */
  readonly random?: () => number;
  /** Names passes; they are numbered unless told otherwise. */
  readonly uuid?: () => string;
  /** Only one of several managers acts; without it this one does at once. */
  readonly leaderElection?: LeaderElectionOptions;
  /** How objects are kept in memory; all are shown again every ten minutes unless told otherwise. */
  readonly cacheDefaults?: CacheSettings;
  readonly cacheKinds?: readonly KindSettings[];
  /** How reasons are spelled. */
  readonly conditionReasons?: ReasonSpelling;
  /** Where `/healthz` and `/readyz` are served. */
  readonly health?: ListenAddress;
  /** Where `/metrics` and `/passes` are served. */
  readonly diagnostics?: DiagnosticsAddress;
  /** Where admission webhooks are served, and which; every manager does so, whether it leads or not. */
  readonly webhooks?: WebhookServing;
  readonly registry?: Registry;
  /** How long passes may take to end when the manager stops; 30 s unless told otherwise. */
  readonly gracePeriod?: Duration;
  /** For all controllers that do not say otherwise. */
  readonly controllerDefaults?: Pick<
    ControllerOptions,
    "concurrency" | "passDeadline" | "interval" | "groupOf" | "patience"
  >;
  /** Is told of every pass. */
  readonly onPass?: (record: PassRecord) => void;
}

/** Runs reconcilers. Nothing runs before `run`. */
export interface Manager {
  /** Reads from the caches. */
  readonly reader: Reader;
  /** Writes so that the reader knows it at once. */
  readonly client: Client;
  readonly caches: Caches;
  readonly controllers: readonly Controller[];
  /** Adds a reconciler with what its steps need from outside. */
  add<Obj extends KubeObject, Facts extends object, Ports>(
    reconciler: Reconciler<Obj, Facts, Ports>,
    ports: NoInfer<Ports>,
    options?: ControllerOptions<NoInfer<Obj>>,
  ): Manager;
  /** Adds something that runs beside the controllers. */
  addRunnable(runnable: Runnable): Manager;
  /** Adds something that has to be done before any controller begins. */
  addWarmUp(warmUp: WarmUp): Manager;
  /** Adds a question to `/readyz`, or to `/healthz`. */
  addCheck(of: "ready" | "live", name: string, check: Check): Manager;
  /** Runs until the signal ends it; resolves when everything has stopped, rejects if something failed that must not. */
  run(options: { readonly signal: AbortSignal; readonly onStarted?: (started: Started) => void }): Promise<void>;
  /** What the last pass over an object saw and decided; of several reconcilers of the kind, the one that is named. */
  lastPass(kind: GroupKind, key: ObjectKey, reconciler?: string): PassRecord | undefined;
}

/** Where a manager that has begun to work can be reached. */
export interface Started {
  readonly healthPort?: number;
  readonly diagnosticsPort?: number;
  readonly webhookPort?: number;
}

/** Makes a manager: `createManager({ client, log }).add(machine, { workload }).run({ signal })`. */
export function createManager(options: ManagerOptions): Manager {
  const { log, clock = systemClock, random = () => 0.5, registry, controllerDefaults = {} } = options;
  const { cacheDefaults = { resyncEvery: minutes(10) }, cacheKinds = [], conditionReasons = "documented" } = options;
  const metrics = createMetrics(registry);
  const caches = createCaches({
    client: options.client,
    clock,
    random,
    log,
    metrics: cacheMetricsIn(metrics.registry),
    defaults: cacheDefaults,
    kinds: cacheKinds,
  });
  const { reader, client } = createCachedClient({ client: options.client, caches });
  const controllers: Controller[] = [];
  const lull = new Lull(clock, controllers);
  const runnables: Runnable[] = [];
  const warmUps: WarmUp[] = [];
  const checks = { live: new Map<string, Check>(), ready: new Map<string, Check>() };
  const parts: ManagerParts = {
    options: { ...options, gracePeriod: options.gracePeriod ?? seconds(30), clock, random },
    caches,
    controllers,
    runnables,
    warmUps,
    checks,
    metrics,
    events: createEventRecorder({ client: options.client, clock, log }),
    leadership: undefined,
    passes,
  };
  const context: ControllerContext = {
    caches,
    reader,
    client,
    clock,
    log,
    metrics,
    spelling: conditionReasons,
    events: parts.events,
    uuid: options.uuid ?? numbered(),
    mayAct() {
      if (options.leaderElection === undefined) return;
      if (parts.leadership === undefined)
        throw new ManagerMisuseError("a pass was made by a manager that does not lead");
      parts.leadership.check();
    },
    onPass: options.onPass ?? (() => undefined),
    onIdle: () => lull.notice(),
  };
  let hasRun = false;

  const manager: Manager = {
    reader,
    client,
    caches,
    controllers,
    add(reconciler, ports, rest) {
      refuseLate(reconciler.name);
      if (controllers.some(({ name }) => name === reconciler.name))
        throw new ManagerMisuseError(`there is another reconciler called ${reconciler.name} already`);
      controllers.push(createController(reconciler, ports, context, { ...controllerDefaults, ...rest }));
      return manager;
    },
    addRunnable(runnable) {
      refuseLate(runnable.name);
      runnables.push(runnable);
      return manager;
    },
    addWarmUp(warmUp) {
      refuseLate(warmUp.name);
      warmUps.push(warmUp);
      return manager;
    },
    addCheck(of, name, check) {
      checks[of].set(name, check);
      return manager;
    },
    async run(rest) {
      refuseLate("the manager");
      hasRun = true;
      await runManager(parts, rest);
    },
    lastPass: (kind, key, reconciler) =>
      controllersOf(kind)
        .filter(({ name }) => reconciler === undefined || name === reconciler)
        .map((controller) => controller.lastPass(key))
        .find((record) => record !== undefined),
  };
  return manager;

  function refuseLate(name: string): void {
    if (hasRun) throw new ManagerMisuseError(`${name} came too late: the manager runs already`);
  }

  function controllersOf({ group, kind }: GroupKind): readonly Controller[] {
    return controllers.filter((controller) => controller.kind.group === group && controller.kind.kind === kind);
  }

  function passes({ kind, group, namespace, name }: PassQuery): readonly PassRecord[] {
    const fits = (wanted: string | undefined, actual = "") => wanted === undefined || wanted === actual;
    return controllers
      .filter((controller) => fits(kind, controller.kind.kind) && fits(group, controller.kind.group))
      .flatMap((controller) => controller.lastPasses())
      .filter(({ key }) => fits(namespace, key.namespace) && fits(name, key.name));
  }
}

/** Names that differ within a process. */
function numbered(): () => string {
  let count = 0;
  return () => String(++count);
}
