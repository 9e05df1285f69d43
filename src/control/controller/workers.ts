import {
  awaitChange,
  type Clock,
  describeError,
  type Duration,
  formatDuration,
  isPassing,
  type Logger,
  milliseconds,
  retry,
  toError,
} from "#base";
import { describeKey, isConflict } from "#machinery";
import { aborted } from "../aborted.ts";
import { PassDeadlineError } from "../errors.ts";
import type { ControllerMetrics } from "../metrics.ts";
import { isTerminal } from "../pass/next-after.ts";
import type { PassRecord } from "../pass/pass-record.ts";
import type { QueueEntry, WorkQueue } from "../queue/work-queue.ts";
import { Deadlines } from "./deadlines.ts";

/** Until when a controller works. */
export interface WorkOptions {
  /** No pass begins after it; those that run may end. */
  readonly signal: AbortSignal;
  /** Passes that still run are cut off. */
  readonly cutOff: AbortSignal;
}

/** What workers do, with what, and whom they tell. */
export interface WorkersOptions {
  /** The name of the reconciler. */
  readonly name: string;
  readonly queue: WorkQueue;
  readonly concurrency: number;
  readonly clock: Clock;
  /** How long a pass may take. */
  readonly deadline: Duration;
  readonly metrics: ControllerMetrics;
  readonly log: Logger;
  /** One pass; it ends with the signal, or is left to itself then. */
  readonly run: (entry: QueueEntry, signal: AbortSignal) => Promise<PassRecord>;
  readonly record: (record: PassRecord) => void;
  /** Is told whenever there is nothing to do. */
  readonly onIdle: () => void;
}

interface Run {
  readonly entry: QueueEntry;
  readonly stop: AbortController;
  readonly begun: Duration;
  /** Ends the wait for a pass that does not end by itself; without an error nothing is said about it. */
  abandon: (why?: Error) => void;
}

/**
 * Makes passes, so many at once. A pass that fails, hangs or ends too late costs nobody else anything: when its time is
 * over its signal is aborted, its place is given to another object, and its own object comes again.
 */
export class Workers {
  readonly #options: WorkersOptions;
  readonly #deadlines: Deadlines<Run>;
  readonly #running = new Set<Run>();
  readonly #idle: (() => void)[] = [];
  #mappings = 0;
  #isWorking = false;
  #isAwake = false;
  #onEmpty: (() => void) | undefined;

  constructor(options: WorkersOptions) {
    this.#options = options;
    this.#deadlines = new Deadlines(options.clock, options.deadline, (run) => this.#late(run));
  }

  /** Counts what is not in the queue yet and will be. */
  readonly pending = {
    begin: (): void => {
      this.#mappings++;
    },
    end: (): void => {
      this.#mappings--;
      this.#tellIdle();
    },
  };

  get isIdle(): boolean {
    const { queue } = this.#options;
    return this.#mappings === 0 && this.#running.size === 0 && queue.isIdle;
  }

  idle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => void this.#idle.push(resolve));
  }

  async work({ signal, cutOff }: WorkOptions): Promise<void> {
    const { queue } = this.#options;
    this.#isWorking = true;
    const onCutOff = (): void => {
      for (const run of this.#running) {
        run.stop.abort(cutOff.reason);
        run.abandon();
      }
    };
    cutOff.addEventListener("abort", onCutOff, { once: true });
    this.wake();
    await aborted(signal);
    this.#isWorking = false;
    queue.close();
    if (cutOff.aborted) onCutOff();
    if (this.#running.size > 0) await new Promise<void>((resolve) => (this.#onEmpty = resolve));
    cutOff.removeEventListener("abort", onCutOff);
    this.#deadlines.close();
  }

  /** Begins with what is ready, as soon as whoever runs now has finished. */
  wake(): void {
    if (!this.#isWorking || this.#isAwake) return;
    this.#isAwake = true;
    // Not at once: passes that never wait for anything would otherwise keep everything else from running.
    setImmediate(() => {
      this.#isAwake = false;
      this.#begin();
    });
  }

  #begin(): void {
    const { queue, concurrency } = this.#options;
    while (this.#isWorking && this.#running.size < concurrency) {
      const entry = queue.take();
      if (entry === undefined) break;
      void this.#pass(entry);
    }
    this.#tellIdle();
  }

  /** Never fails, whatever the pass does. */
  async #pass(entry: QueueEntry): Promise<void> {
    const { queue, clock, metrics } = this.#options;
    const run: Run = { entry, stop: new AbortController(), begun: clock.elapsed(), abandon: () => undefined };
    this.#running.add(run);
    this.#deadlines.begin(run);
    const ended = metrics.begun();
    const result = await Promise.race([
      this.#protected(run),
      new Promise<PassRecord | undefined>((resolve) => {
        run.abandon = (why) => resolve(why && this.#failed(run, why));
      }),
    ]);
    this.#deadlines.end(run);
    this.#running.delete(run);
    ended();
    if (result === undefined) queue.done(entry);
    else {
      this.#giveBack(entry, result);
      this.#tell(result);
    }
    if (this.#running.size === 0 && !this.#isWorking) this.#onEmpty?.();
    this.wake();
    this.#tellIdle();
  }

  /** The record of a pass, also of one that threw; nothing for one that was cut off. */
  async #protected(run: Run): Promise<PassRecord | undefined> {
    const { signal } = run.stop;
    const { metrics } = this.#options;
    try {
      return await this.#options.run(run.entry, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      metrics.panicked();
      return this.#failed(run, toError(error));
    }
  }

  #giveBack(entry: QueueEntry, { next, errors, putOff = false }: PassRecord): void {
    const { queue, metrics } = this.#options;
    if (errors.some(isTerminal)) metrics.terminal();
    if (next.kind === "retry") queue.retry(entry);
    else if (next.kind === "requeue") queue.doneFor(entry, next.after, { orInLull: putOff });
    else queue.done(entry);
  }

  #late(run: Run): void {
    const { deadline, metrics } = this.#options;
    metrics.timedOut();
    const what = `the pass over ${describeKey(run.entry.key)} took longer than ${formatDuration(deadline)}`;
    const why = new PassDeadlineError(what);
    run.abandon(why);
    run.stop.abort(why);
  }

  /** An error can be such that it cannot even be printed; the object has its next turn all the same. */
  #tell(result: PassRecord): void {
    const { record, log } = this.#options;
    try {
      record(result);
      this.#log(result);
    } catch (error) {
      log.error("a pass could not be told of", toError(error), { object: result.key });
    }
  }

  #log({ key, reconcileId, outcome, errors, verdicts, took, wrote, next }: PassRecord): void {
    const { log } = this.#options;
    // Where somebody else was faster, the next pass sees what he wrote, and nothing is wrong.
    const isOvertaken = errors.length > 0 && errors.every(isConflict);
    const isExpected = errors.length > 0 && errors.every((error) => isConflict(error) || isPassing(error));
    const level = isExpected ? "info" : errors.length > 0 ? "error" : wrote.length > 0 ? "info" : "debug";
    const fields = {
      object: key,
      reconcileID: reconcileId,
      outcome,
      rows: verdicts.map(({ type, row }) => `${type}/${row}`),
      ms: Math.round(took * 1000) / 1000,
      ...(isExpected && !isOvertaken ? { waitsFor: describeError(errors[0]) } : {}),
      ...(wrote.length === 0 ? {} : { wrote }),
      ...(next.kind === "requeue" ? { requeueAfter: formatDuration(next.after), why: next.why } : {}),
    };
    if (level === "error") log.error("pass failed", next.kind === "retry" ? next.error : errors[0], fields);
    else log[level](isOvertaken ? "pass overtaken by another writer" : "pass", fields);
  }

  #failed({ entry, begun }: Run, error: Error): PassRecord {
    const { name, clock } = this.#options;
    return {
      reconciler: name,
      key: entry.key,
      reconcileId: "",
      at: clock.now(),
      took: milliseconds(clock.elapsed() - begun),
      outcome: "failed",
      undeclared: [],
      verdicts: [],
      errors: [error],
      wrote: [],
      next: isTerminal(error) ? awaitChange : retry(error),
    };
  }

  #tellIdle(): void {
    if (!this.isIdle) return;
    for (const resolve of this.#idle.splice(0)) resolve();
    this.#options.onIdle();
  }
}
