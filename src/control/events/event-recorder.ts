import { type Clock, exponentialBackoff, type Logger, retrying, seconds } from "#base";
import type { Client } from "#client";
import { ApiError, isNotFound, type KubeObject } from "#machinery";
import type { EventSink } from "../pass/pass.ts";
import { BoundedMap } from "../bounded-map.ts";
import { Correlator, type Happening, type Telling } from "./correlator.ts";

/** Writes Events about objects. */
export interface EventRecorder extends AsyncDisposable {
  /** A sink for what happens to an object, told by a component. */
  about(object: KubeObject, component: string): EventSink;
  /** Resolves when everything told so far has been written or given up. */
  flushed(): Promise<void>;
}

/** What a recorder needs from outside. */
export interface EventRecorderOptions {
  readonly client: Pick<Client, "create" | "patch">;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Told extends Happening {
  readonly object: KubeObject;
}

const event = { group: "", version: "v1", kind: "Event" };
const mostWaiting = 1000;
const attempts = 12;
const backoff = exponentialBackoff({ first: seconds(10), factor: 1, most: seconds(10) });

/**
 * Writes what happens as core Events, one after the other and behind the backs of those who tell it. What is told again
 * counts in the Event that is there; what is told too often is dropped; and where the server cannot be reached, a
 * thousand wait and the rest is lost, because no pass is to wait for an Event.
 */
export function createEventRecorder({ client, clock, log }: EventRecorderOptions): EventRecorder {
  const correlator = new Correlator(clock);
  const names = new BoundedMap<string, string>(4096);
  const waiting: Told[] = [];
  const stop = new AbortController();
  // Nobody sleeps on once the recorder stops.
  const hurried: Clock = { ...clock, sleep: (duration) => clock.sleep(duration, stop).catch(() => undefined) };
  let writing: Promise<void> | undefined;
  let lastName = 0n;

  return {
    about: (object, component) => ({
      record(type, reason, message, other) {
        tell({ type, reason, message, component, object: other ?? object, about: identityOf(other ?? object) });
      },
    }),
    flushed,
    async [Symbol.asyncDispose]() {
      // Whoever stops has no time to wait for a server that does not answer.
      stop.abort();
      await flushed();
    },
  };

  async function flushed(): Promise<void> {
    for (let current = writing; current !== undefined; current = writing) await current;
  }

  function tell(told: Told): void {
    log.debug("event", { type: told.type, reason: told.reason, message_: told.message });
    if (waiting.length === mostWaiting) {
      log.warn("an event was dropped: too many wait to be written", { reason: told.reason });
      return;
    }
    waiting.push(told);
    writing ??= begin();
  }

  function begin(): Promise<void> {
    return writeAll().finally(() => {
      // Something may have come after the last look.
      writing = waiting.length > 0 ? begin() : undefined;
    });
  }

  async function writeAll(): Promise<void> {
    for (let told = waiting.shift(); told !== undefined; told = waiting.shift()) {
      const telling = correlator.correlate(told);
      if (telling !== undefined) await write(told, telling);
    }
  }

  async function write(told: Told, telling: Telling): Promise<void> {
    try {
      // Once the recorder stops, each Event is tried once, and none after the first that the server did not answer.
      const retryable = (error: unknown) => !(error instanceof ApiError) && !stop.signal.aborted;
      await retrying(() => send(told, telling), { clock: hurried, backoff, attempts, retryable });
    } catch (error) {
      correlator.forget(telling.id);
      log.error("an event could not be written", error, { reason: told.reason });
      if (stop.signal.aborted && !(error instanceof ApiError)) waiting.length = 0;
    }
  }

  async function send(told: Told, telling: Telling): Promise<void> {
    const { object } = told;
    const namespace = object.metadata.namespace ?? "default";
    const known = names.get(telling.id);
    const { id, message, count, firstTimestamp, lastTimestamp } = telling;
    if (known !== undefined && count > 1) {
      try {
        const patch = { message, count, lastTimestamp };
        await client.patch(event, { namespace, name: known }, { kind: "merge", patch });
        return;
      } catch (error) {
        // Events expire; then it is told anew.
        if (!isNotFound(error)) throw error;
      }
    }
    const name = `${object.metadata.name ?? ""}.${nextName()}`;
    await client.create(event, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { namespace, name },
      involvedObject: referenceTo(object),
      type: told.type,
      reason: told.reason,
      message,
      source: { component: told.component },
      reportingComponent: told.component,
      reportingInstance: "",
      count,
      firstTimestamp,
      lastTimestamp,
    });
    names.set(id, name);
  }

  /** The time in nanoseconds, as upstream names Events; no two are alike. */
  function nextName(): string {
    const now = BigInt(Math.floor(clock.instant())) * 1_000_000n;
    lastName = now > lastName ? now : lastName + 1n;
    return lastName.toString(16).padStart(16, "0");
  }
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject): object {
  const { namespace, name, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function identityOf({ apiVersion, kind, metadata }: KubeObject): string {
  return [apiVersion, kind, metadata.namespace, metadata.name, metadata.uid].join("\0");
}
