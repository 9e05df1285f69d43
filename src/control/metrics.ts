import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { type Duration, milliseconds } from "#base";
import type { PassRecord } from "./pass/pass-record.ts";
import type { QueueObserver, WorkQueue } from "./queue/work-queue.ts";

/** How a pass ended, as controller-runtime counts it. */
type PassResult = "success" | "error" | "requeue_after";

/** What a controller tells about itself. */
export interface ControllerMetrics {
  readonly queue: QueueObserver;
  /** A pass has begun; the answer is called when it has ended. */
  begun(): () => void;
  ended(record: PassRecord): void;
  /** A pass took too long and was abandoned. */
  timedOut(): void;
  /** Something failed that must not fail. */
  panicked(): void;
  /** A terminal error was met and is not retried. */
  terminal(): void;
  /** Nobody could tell whom a change concerns. */
  untold(): void;
}

/** Numbers about controllers, under the names that controller-runtime gives them. */
export interface Metrics {
  readonly registry: Registry;
  controller(name: string, about: { readonly queue: () => WorkQueue; readonly concurrency: number }): ControllerMetrics;
  /** Whether this process leads. */
  leading(name: string, leads: boolean): void;
}

const passBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

/** Declares the numbers in a registry of their own, or in one that is handed in. */
export function createMetrics(registry = new Registry()): Metrics {
  const registers = [registry];
  const controller = ["controller"] as const;
  const ofQueue = ["name", "controller"] as const;
  const queues: { readonly name: string; readonly queue: () => WorkQueue }[] = [];
  const total = new Counter({
    name: "controller_runtime_reconcile_total",
    help: "Passes by controller and result.",
    labelNames: ["controller", "result"],
    registers,
  });
  const errors = counter("controller_runtime_reconcile_errors_total", "Passes that failed.");
  const terminal = counter("controller_runtime_terminal_reconcile_errors_total", "Errors that are not retried.");
  const panics = counter("controller_runtime_reconcile_panics_total", "Passes that failed where nothing may fail.");
  const timeouts = counter("controller_runtime_reconcile_timeouts_total", "Passes that took too long.");
  const left = counter(
    "capstan_conditions_left_total",
    "Passes whose conditions were left to the manager that owns them.",
  );
  const untold = counter(
    "capstan_watch_mapping_errors_total",
    "How often nobody could tell whom a change of a watched object concerns.",
  );
  const duration = new Histogram({
    name: "controller_runtime_reconcile_time_seconds",
    help: "How long passes took.",
    labelNames: controller,
    buckets: passBuckets,
    registers,
  });
  const most = gauge("controller_runtime_max_concurrent_reconciles", "How many passes may run at once.");
  const active = gauge("controller_runtime_active_workers", "How many passes run.");
  const adds = new Counter({
    name: "workqueue_adds_total",
    help: "Objects that were added to a queue.",
    labelNames: ofQueue,
    registers,
  });
  const retries = new Counter({
    name: "workqueue_retries_total",
    help: "Objects that came again because their pass failed.",
    labelNames: ofQueue,
    registers,
  });
  const waited = queueHistogram("workqueue_queue_duration_seconds", "How long objects waited for their pass.");
  const worked = queueHistogram("workqueue_work_duration_seconds", "How long objects were under way.");
  const rowCounts = new Map<string, number>();
  const rows = new Counter({
    name: "condition_row_total",
    help: "How often a row of a condition table decided.",
    labelNames: ["kind", "row"],
    registers,
    // Every pass counts many rows, and they are asked for seldom.
    collect() {
      rows.reset();
      for (const [row, count] of rowCounts) {
        const dot = row.indexOf(".");
        rows.inc({ kind: row.slice(0, dot), row: row.slice(dot + 1) }, count);
      }
    },
  });
  const master = new Gauge({
    name: "leader_election_master_status",
    help: "1 while this process leads.",
    labelNames: ["name"],
    registers,
  });
  perQueue("workqueue_depth", "Objects that wait for their pass.", ["priority"], (queue) =>
    queue.depths().map(({ priority, count }) => ({ labels: { priority: String(priority) }, value: count })),
  );
  perQueue(
    "workqueue_unfinished_work_seconds",
    "How long the passes that run have run, taken together.",
    [],
    (queue) => [{ labels: {}, value: sum(queue.runningFor()) / 1000 }],
  );
  perQueue(
    "workqueue_longest_running_processor_seconds",
    "How long the pass that runs longest has run.",
    [],
    (queue) => [{ labels: {}, value: Math.max(0, ...queue.runningFor()) / 1000 }],
  );

  return {
    registry,
    leading: (name, leads) => master.set({ name }, leads ? 1 : 0),
    controller(name, { queue, concurrency }) {
      queues.push({ name, queue });
      most.set({ controller: name }, concurrency);
      const labels = { name, controller: name };
      const results: Record<PassResult, Counter.Internal> = {
        success: total.labels(name, "success"),
        error: total.labels(name, "error"),
        requeue_after: total.labels(name, "requeue_after"),
      };
      const [added, retried] = [adds.labels(labels), retries.labels(labels)];
      const [waitedHere, workedHere] = [waited.labels(labels), worked.labels(labels)];
      const [activeHere, tookHere] = [active.labels(name), duration.labels(name)];
      return {
        queue: {
          added: () => added.inc(),
          retried: () => retried.inc(),
          taken: (time) => waitedHere.observe(time / 1000),
          done: (time) => workedHere.observe(time / 1000),
        },
        begun() {
          activeHere.inc();
          return () => activeHere.dec();
        },
        ended({ next, errors: all, took, verdicts, leftToOthers = false }) {
          tookHere.observe(took / 1000);
          const failed = all.length > 0;
          results[failed ? "error" : next.kind === "requeue" ? "requeue_after" : "success"].inc();
          if (failed) errors.inc({ controller: name });
          if (leftToOthers) left.inc({ controller: name });
          for (const { table, row } of verdicts) {
            const full = `${table}/${row}`;
            rowCounts.set(full, (rowCounts.get(full) ?? 0) + 1);
          }
        },
        timedOut: () => timeouts.inc({ controller: name }),
        panicked: () => panics.inc({ controller: name }),
        terminal: () => terminal.inc({ controller: name }),
        untold: () => untold.inc({ controller: name }),
      };
    },
  };

  function counter(name: string, help: string): Counter<"controller"> {
    return new Counter({ name, help, labelNames: controller, registers });
  }

  function gauge(name: string, help: string): Gauge<"controller"> {
    return new Gauge({ name, help, labelNames: controller, registers });
  }

  function queueHistogram(name: string, help: string): Histogram<"name" | "controller"> {
    return new Histogram({ name, help, labelNames: ofQueue, buckets: queueBuckets, registers });
  }

  /** A number that is looked up when somebody asks for it. */
  function perQueue(
    name: string,
    help: string,
    more: readonly string[],
    values: (queue: WorkQueue) => readonly { readonly labels: object; readonly value: number }[],
  ): void {
    const metric = new Gauge({
      name,
      help,
      labelNames: [...ofQueue, ...more],
      registers,
      collect() {
        metric.reset();
        for (const { name: of, queue } of queues)
          for (const { labels, value } of values(queue())) metric.set({ name: of, controller: of, ...labels }, value);
      },
    });
  }
}

function sum(durations: readonly Duration[]): Duration {
  return milliseconds(durations.reduce((total, duration) => total + duration, 0));
}
