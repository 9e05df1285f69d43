import { setMaxListeners } from "node:events";
import { type Clock, type Duration, toError } from "#base";
import { aborted } from "../aborted.ts";
import type { Caches } from "../cache/caches.ts";
import type { Controller } from "../controller/controller.ts";
import { RunnableFailedError } from "../errors.ts";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { Metrics } from "../metrics.ts";
import type { Diagnostics } from "./diagnostics-server.ts";
import type { Check } from "./health-server.ts";
import { acquireLeadership, type Leadership } from "./leader-election.ts";
import type { ManagerOptions, Started } from "./manager.ts";
import type { Runnable, WarmUp } from "./runnable.ts";
import { serveManager } from "./serve-manager.ts";

/** All that a manager consists of. */
export interface ManagerParts {
  readonly options: ManagerOptions & {
    readonly clock: Clock;
    readonly random: () => number;
    readonly gracePeriod: Duration;
  };
  readonly caches: Caches;
  readonly controllers: readonly Controller[];
  readonly runnables: readonly Runnable[];
  readonly warmUps: readonly WarmUp[];
  readonly checks: { readonly live: Map<string, Check>; readonly ready: Map<string, Check> };
  readonly metrics: Metrics;
  readonly events: EventRecorder;
  readonly passes: Diagnostics["passes"];
  /** The right to act, once this process has it. */
  leadership: Leadership | undefined;
}

/** What runs, and how it is told to stop. */
export class Running {
  readonly #tasks = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  #failure: { readonly error: unknown } | undefined;

  /** Aborted when everything is to stop. */
  readonly signal: AbortSignal = this.#stop.signal;

  constructor() {
    // Every watch of every controller listens to it: as many as there are is no leak.
    setMaxListeners(0, this.signal);
  }

  stop(reason: unknown): void {
    this.#stop.abort(reason);
  }

  /** Something failed that must not: everything stops because of it. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.stop(error);
  }

  spawn(name: string, run: () => Promise<void>): void {
    const task: Promise<void> = run()
      .catch((error: unknown) => {
        if (!this.signal.aborted) this.fail(new RunnableFailedError(`${name} failed`, { cause: error }));
      })
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }

  async ended(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }

  rethrow(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

/**
 * Servers first, then caches, then what has to be warm, then the wait for the lead, then the work. It stops in the other
 * direction: passes end, the lead is handed over, caches and servers close.
 */
export async function runManager(
  parts: ManagerParts,
  { signal, onStarted }: { readonly signal: AbortSignal; readonly onStarted?: (started: Started) => void },
): Promise<void> {
  const running = new Running();
  const onStop = (): void => running.stop(signal.reason);
  if (signal.aborted) onStop();
  else signal.addEventListener("abort", onStop, { once: true });
  const servers: AsyncDisposable[] = [];
  const cutOff = new AbortController();
  let isReady = false;
  try {
    parts.checks.live.set("ping", () => undefined);
    parts.checks.ready.set("caches", () => {
      if (!isReady) throw new RunnableFailedError("the caches are not synced");
    });
    const started = await serveManager(parts, servers, running);
    await prepare(parts, running);
    isReady = true;
    for (const runnable of parts.runnables.filter(({ leaderOnly = false }) => !leaderOnly)) start(runnable, running);
    await lead(parts, running, cutOff);
    await warmUp(
      parts.warmUps.filter(({ leaderOnly = false }) => leaderOnly),
      running,
    );
    for (const runnable of parts.runnables.filter(({ leaderOnly = false }) => leaderOnly)) start(runnable, running);
    for (const controller of parts.controllers)
      running.spawn(controller.name, () => controller.work({ signal: running.signal, cutOff: cutOff.signal }));
    parts.options.log.info("the manager works", { controllers: parts.controllers.map(({ name }) => name) });
    onStarted?.(started);
    await aborted(running.signal);
  } catch (error) {
    if (!running.signal.aborted) running.fail(error);
  } finally {
    signal.removeEventListener("abort", onStop);
    running.stop("the manager stops");
    isReady = false;
    await windDown(parts, running, cutOff);
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
  running.rethrow();
}

async function prepare({ controllers, warmUps }: ManagerParts, { signal }: Running): Promise<void> {
  await Promise.all(controllers.map((controller) => controller.prepare({ signal })));
  await warmUp(
    warmUps.filter(({ leaderOnly = false }) => !leaderOnly),
    { signal },
  );
}

async function warmUp(warmUps: readonly WarmUp[], { signal }: { readonly signal: AbortSignal }): Promise<void> {
  await Promise.all(
    warmUps.map(async (one) => {
      try {
        await one.warmUp({ signal });
      } catch (error) {
        throw new RunnableFailedError(`${one.name} could not be warmed up`, { cause: toError(error) });
      }
    }),
  );
}

async function lead(parts: ManagerParts, running: Running, cutOff: AbortController): Promise<void> {
  const { leaderElection, client, clock, random, log } = parts.options;
  if (leaderElection === undefined) return;
  const { name, identity } = leaderElection;
  parts.metrics.leading(name, false);
  const leadership = await acquireLeadership(
    leaderElection,
    { client, clock, random, log },
    { signal: running.signal },
  );
  parts.leadership = leadership;
  parts.metrics.leading(name, true);
  parts.events.about(leadership.lease, name).record("Normal", "LeaderElection", `${identity} became leader`);
  leadership.lost.addEventListener("abort", () => {
    parts.metrics.leading(name, false);
    if (running.signal.aborted) return;
    // Another may act from now on, so that nothing may be brought to its end here.
    cutOff.abort(leadership.lost.reason);
    running.fail(leadership.lost.reason);
  });
}

function start(runnable: Runnable, running: Running): void {
  running.spawn(runnable.name, () => runnable.run({ signal: running.signal }));
}

/** Lets passes end, for some time, and hands over only then. */
async function windDown(parts: ManagerParts, running: Running, cutOff: AbortController): Promise<void> {
  const { clock, gracePeriod } = parts.options;
  const timer = new AbortController();
  clock.sleep(gracePeriod, { signal: timer.signal }).then(
    () => cutOff.abort(new RunnableFailedError("passes did not end in time")),
    () => undefined,
  );
  await running.ended();
  timer.abort("ended");
  cutOff.abort(new RunnableFailedError("the manager has stopped"));
  await parts.leadership?.release();
  await parts.events[Symbol.asyncDispose]();
  await parts.caches[Symbol.asyncDispose]();
}
