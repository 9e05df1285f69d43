import { type Duration, minutes } from "#base";
import type { Mutation, Revision, Store } from "#apiserver/store";
import { repeatedly, type UpkeepOptions } from "./upkeep.ts";
import { createWorker, type Worker } from "./worker.ts";

/** How much of the past is kept. Whoever asks for more is told that it is gone. */
export interface HistoryLimits {
  /** What is older goes, but for the newest revisions. */
  readonly age: Duration;
  readonly revisions: number;
  /** About so much may be kept of what later versions replaced, however young it is. */
  readonly bytes: number;
}

export const historyLimits: HistoryLimits = { age: minutes(5), revisions: 1000, bytes: 256 * 1024 * 1024 };

/** The past of all objects, which is forgotten bit by bit. */
export interface History extends Worker {
  /** Takes note of what has become durable. */
  grow(writes: readonly Mutation[]): void;
}

export interface HistoryOptions extends UpkeepOptions {
  readonly limits: HistoryLimits;
}

/** Forgets the oldest history whenever there is too much of it, until the signal is aborted. */
export function compactHistory(store: Store, { limits, ...options }: HistoryOptions): History {
  // What there was before the start is not weighed; it goes by its age.
  let steps: { readonly upTo: Revision; readonly bytes: number }[] = [];
  let bytes = 0;
  let wanted: Revision = 0;
  const worker = createWorker({ ...options, name: "compaction", work: forget });
  void forgetByAge();
  return { ...worker, grow };

  function grow(writes: readonly Mutation[]): void {
    const step = {
      upTo: writes.at(-1)?.revision ?? 0,
      bytes: writes.reduce((sum, write) => sum + replacedBy(write), 0),
    };
    steps.push(step);
    bytes += step.bytes;
    if (bytes <= limits.bytes) return;
    // A good part at once, so that it is not done again for every write.
    let excess = bytes - limits.bytes * 0.75;
    for (const { upTo, bytes: some } of steps) {
      if (excess <= 0) break;
      excess -= some;
      wanted = upTo;
    }
    letGo();
  }

  async function forgetByAge(): Promise<void> {
    let old = store.revision;
    await repeatedly(limits.age, options, () => {
      wanted = Math.max(wanted, Math.min(old, store.revision - limits.revisions));
      old = store.revision;
      letGo();
    });
  }

  function letGo(): void {
    steps = steps.filter(({ upTo }) => upTo > wanted);
    bytes = steps.reduce((sum, step) => sum + step.bytes, 0);
    if (wanted > store.compacted) worker.add("history");
  }

  async function forget(): Promise<void> {
    await store.compact(wanted, { signal: options.signal });
  }
}

/** About what a write leaves behind: the version before it, and of a delete itself too. */
function replacedBy({ op, value }: Mutation): number {
  switch (op) {
    case "create":
      return 0;
    case "update":
      return value.length;
    case "delete":
      return 2 * value.length;
  }
}
