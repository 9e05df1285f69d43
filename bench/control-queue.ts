import { systemClock } from "#base";
import { createRateLimit, WorkQueue } from "#control";
import type { ObjectKey } from "#machinery";

const objects = 10_000;
const rounds = 40;

/** How many objects go through a queue in a second: added, taken and given back. */
export function bench(print: (line: object) => void): void {
  const keys = Array.from({ length: objects }, (_, index): ObjectKey => ({
    namespace: `cluster-${index % 50}`,
    name: `machine-${index}`,
  }));
  const once = { name: "one by one", run: oneByOne };
  const filled = { name: "all at once", run: allAtOnce };
  for (const { name, run } of [once, filled]) {
    const speeds = Array.from({ length: rounds }, () => measure(() => run(keys)));
    print({ bench: "control.queue", name, value: Math.round(Math.max(...speeds)), unit: "add+take+done/s" });
  }
}

function queueOf(): WorkQueue {
  return new WorkQueue({
    clock: systemClock,
    limit: createRateLimit({ clock: systemClock }),
    onReady: () => undefined,
  });
}

function oneByOne(keys: readonly ObjectKey[]): void {
  const queue = queueOf();
  for (const key of keys) {
    queue.add(key);
    const entry = queue.take();
    if (entry !== undefined) queue.done(entry);
  }
}

function allAtOnce(keys: readonly ObjectKey[]): void {
  const queue = queueOf();
  for (const key of keys) queue.add(key);
  for (let entry = queue.take(); entry !== undefined; entry = queue.take()) queue.done(entry);
}

function measure(run: () => void): number {
  const start = performance.now();
  run();
  return (objects * 1000) / (performance.now() - start);
}
