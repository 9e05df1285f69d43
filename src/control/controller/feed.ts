import {
  type Backoff,
  CapstanError,
  type Clock,
  describeError,
  type Duration,
  exponentialBackoff,
  type Logger,
  milliseconds,
  noTime,
  seconds,
  toError,
} from "#base";
import type { ServedKind } from "#client";
import { keyOf, type KubeObject, type ObjectKey } from "#machinery";
import type { CacheChange, KindCache } from "../cache/kind-cache.ts";
import type { Predicate } from "../predicates.ts";
import { type AddOptions, priorities } from "../queue/work-queue.ts";
import type { Reader } from "../reader.ts";
import type { KeysOf, KindWatch } from "../watches.ts";

/** What turns changes into keys, and where the keys go. */
export interface FeedOptions {
  readonly add: (key: ObjectKey, options: AddOptions) => void;
  readonly reader: Reader;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Counts mappings that have not ended yet. */
  readonly pending: { begin(): void; end(): void };
  /** Is told each time that nobody could tell whom a change concerns. */
  readonly onUntold: () => void;
}

const backoff: Backoff = exponentialBackoff({ first: milliseconds(100), most: seconds(30) });
// What nobody threw on purpose is a mistake, which seldom mends itself; another one may be asked for with each change.
const attemptsAtMistakes = 10;

/** Adds the objects of a kind to a queue whenever they change. */
export function feedOwn<Obj extends KubeObject>(
  cache: KindCache<Obj>,
  predicate: Predicate<Obj>,
  { add, log, signal }: FeedOptions,
): void {
  const wanted = guarded(predicate, log);
  cache.subscribe(
    (change) => {
      if (wanted(change)) add(keyOf(change.object), { priority: priorityOf(change) });
    },
    { signal },
  );
}

/** Adds the objects that a change of another kind concerns. What is only shown again concerns nobody. */
export function feedRelated(
  cache: KindCache,
  watch: Pick<KindWatch, "keysOf" | "predicate" | "gathering" | "urgent">,
  reconciled: ServedKind,
  options: FeedOptions,
): void {
  const wanted = guarded(watch.predicate, options.log);
  const urgent = guarded(watch.urgent, options.log);
  const keysOf = watch.keysOf(reconciled);
  cache.subscribe(
    (change) => {
      if (isShownAgain(change) || !wanted(change)) return;
      const after = watch.gathering > 0 && !urgent(change) ? watch.gathering : noTime;
      const adding = { priority: priorityOf(change), after, orInLull: after > 0 };
      // What it was related to before has to know as well.
      if (change.kind === "changed") addKeysOf(change.before, keysOf, adding, options);
      addKeysOf(change.object, keysOf, adding, options);
    },
    { signal: options.signal },
  );
}

function addKeysOf(object: KubeObject, keysOf: KeysOf<KubeObject>, adding: AddOptions, options: FeedOptions): void {
  const { add, reader, clock, signal, log, pending, onUntold } = options;
  const addAll = (keys: readonly ObjectKey[]): void => {
    for (const key of keys) add(key, adding);
  };
  const keys = ask();
  if (!(keys instanceof Promise)) {
    addAll(keys);
    return;
  }
  pending.begin();
  void answered(keys)
    .then(addAll)
    .catch((error: unknown) => {
      if (!signal.aborted) log.error("nobody could tell whom a change concerns", error, about(object));
    })
    .finally(() => pending.end());

  /** Whoever throws at once is asked again like whoever fails later. */
  function ask(): ReturnType<KeysOf<KubeObject>> {
    try {
      return keysOf(object, { reader, signal });
    } catch (error) {
      return Promise.reject(toError(error));
    }
  }

  /** A change that is dropped is lost for good, so that the question is asked until it is answered. */
  async function answered(first: Promise<readonly ObjectKey[]>): Promise<readonly ObjectKey[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (attempt === 1 ? first : ask());
      } catch (error) {
        signal.throwIfAborted();
        onUntold();
        if (attempt >= attemptsAtMistakes && !(error instanceof CapstanError)) throw error;
        log.warn("nobody could tell yet whom a change concerns", { ...about(object), error: describeError(error) });
        await waiting(backoff.delayAfter(attempt));
      }
    }
  }

  /** What waits for its time is nothing to do now. */
  async function waiting(time: Duration): Promise<void> {
    pending.end();
    try {
      await clock.sleep(time, { signal });
    } finally {
      pending.begin();
    }
  }
}

/** A predicate that fails lets everything pass: a pass too many does no harm. */
function guarded<Obj extends KubeObject>(predicate: Predicate<Obj>, log: Logger): Predicate<Obj> {
  return (change) => {
    try {
      return predicate(change);
    } catch (error) {
      log.error("a predicate failed", error, about(change.object));
      return true;
    }
  };
}

function priorityOf(change: CacheChange): number {
  const isUrgent = !(change.kind === "added" && change.initial) && !isShownAgain(change);
  return isUrgent ? priorities.usual : priorities.low;
}

function isShownAgain(change: CacheChange): boolean {
  return change.kind === "changed" && change.resync;
}

function about(object: KubeObject): { readonly kind: string; readonly object: ObjectKey } {
  return { kind: object.kind, object: keyOf(object) };
}
