import {
  type Backoff,
  type Clock,
  type Duration,
  exponentialBackoff,
  milliseconds,
  minutes,
  noTime,
  seconds,
} from "#base";
import {
  ApiError,
  compareResourceVersions,
  type GroupVersionResource,
  hasReason,
  isNotFound,
  type ListOptions,
  type Transport,
  type WatchEvent,
  type WatchOptions,
} from "#machinery";
import { WatchSetBackError } from "./errors.ts";
import { type FollowEvent, toldOf } from "./follow-event.ts";
import { listAll } from "./list-pages.ts";
import { allowManyListeners } from "./many-listeners.ts";
import { watchFromStart } from "./watch-from-start.ts";

/** Which objects to follow. */
export interface FollowOptions
  extends
    Omit<ListOptions, "limit" | "continue" | "resourceVersion" | "resourceVersionMatch">,
    Pick<WatchOptions, "olderVersion"> {
  /** Ends the watch. */
  readonly signal?: AbortSignal;
  /** Is told what went wrong before each new try. */
  readonly onProblem?: (problem: FollowProblem) => void;
  /** Outlasts refusals from the beginning on, as one does who waits for a kind to be served. */
  readonly patient?: boolean;
}

/** What went wrong, and how long nothing is tried. */
export interface FollowProblem {
  readonly error: unknown;
  readonly retryAfter: Duration;
}

/** What following needs from outside. */
export interface FollowTools {
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1, so that many watches do not act as one. */
  readonly random: () => number;
  readonly backoff?: Backoff;
  /** How it waits before it tries again; as long as the clock says unless told. */
  readonly pause?: Clock["sleep"];
  /** Is told of each watch that begins; whatever it answers is told how many events came when that watch has ended. */
  readonly onWatch?: () => (events: number) => void;
}

/** One watch of the many that following takes. */
interface BegunWatch extends AsyncDisposable {
  /** Where it begins. */
  readonly since: string;
  /** Everything that was there at that revision, if nobody knew it yet. */
  readonly listed?: FollowEvent;
  readonly events: () => AsyncIterable<WatchEvent>;
}

// A server ends each watch after some time of the client's choice, so that watches spread over servers anew.
const shortestWatch = minutes(5);
// A watch that ends at once although nothing went wrong would otherwise be opened again without a pause.
const briefWatch = seconds(1);

// After so long without a complaint the past is forgiven.
const healthyWatch = seconds(30);

/**
 * Tells what is in a collection and then follows it for ever: a watch that ends or breaks is resumed where it stopped, and
 * where the server no longer knows that place, everything is told anew. Everything comes as the beginning of a watch, or
 * as a list where the server knows no such watches. Until then a refusal is thrown, because it is the caller's to mend,
 * unless the caller is patient; afterwards every error is told to `onProblem` and tried again.
 */
export async function* follow(
  transport: Pick<Transport, "list" | "watch">,
  resource: GroupVersionResource,
  { signal, onProblem, patient = false, ...selection }: FollowOptions,
  tools: FollowTools,
): AsyncGenerator<FollowEvent> {
  const { clock, random, onWatch, pause: pausing = (...sleep) => clock.sleep(...sleep) } = tools;
  const backoff =
    tools.backoff ?? exponentialBackoff({ first: milliseconds(500), most: seconds(30), jitter: 1, random });
  allowManyListeners(signal);
  const withSignal = signal === undefined ? {} : { signal };
  let revision: string | undefined;
  let streams = true;
  let outlasts = patient;
  let failures = 0;
  let events = 0;

  while (!isStopped()) {
    const begun = clock.elapsed();
    try {
      if (revision === undefined) yield { kind: "listing" };
      await using watch = counted(await begin());
      if (watch.listed !== undefined) yield noted(watch.listed);
      for await (const event of watch.events()) {
        events += 1;
        if (event.kind === "bookmark" && compareResourceVersions(event.resourceVersion, watch.since) < 0)
          throw new WatchSetBackError(
            `the server is at revision ${event.resourceVersion} and was at ${watch.since} before`,
          );
        yield noted(toldOf(event));
      }
      if (clock.elapsed() - begun < briefWatch) await pause(undefined);
    } catch (error) {
      if (isStopped()) return;
      if (!outlasts && isCallersFault(error)) throw error;
      if (clock.elapsed() - begun > healthyWatch) failures = 0;
      if (isTooOld(error)) revision = undefined;
      if (isNotFound(error)) {
        // Nothing can be resumed of a collection that comes back.
        revision = undefined;
        yield { kind: "missing" };
      }
      await pause(error);
    }
  }

  /** Remembers how far things are by what is told next. */
  function noted(event: FollowEvent): FollowEvent {
    failures = 0;
    outlasts = true;
    revision = revisionOf(event) || revision;
    return event;
  }

  /** A watch from where the last one stopped, or one with everything in front of it where there is nothing to resume. */
  async function begin(): Promise<BegunWatch> {
    if (revision !== undefined) return resumed(revision);
    const started = streams ? await watchFromStart(transport, resource, watchFrom(undefined), { clock }) : undefined;
    if (started === undefined) {
      streams = false;
      const { items, metadata } = await listAll(transport, resource, { ...selection, ...withSignal });
      const since = metadata.resourceVersion ?? "";
      return { ...resumed(since), listed: { kind: "listed", objects: items, revision: since } };
    }
    const { objects, revision: since, events: further } = started;
    return {
      since,
      listed: { kind: "listed", objects, revision: since },
      events: () => further,
      [Symbol.asyncDispose]: () => started[Symbol.asyncDispose](),
    };
  }

  function counted(watch: BegunWatch): BegunWatch {
    const ended = onWatch?.();
    events = 0;
    return {
      ...watch,
      async [Symbol.asyncDispose]() {
        ended?.(events);
        await watch[Symbol.asyncDispose]();
      },
    };
  }

  function resumed(since: string): BegunWatch {
    return {
      since,
      events: () => transport.watch(resource, watchFrom(since)),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  function watchFrom(resourceVersion: string | undefined): WatchOptions {
    const timeout = milliseconds(Math.round(shortestWatch * (1 + random())));
    const place = resourceVersion === undefined ? {} : { resourceVersion };
    return { ...selection, ...place, allowWatchBookmarks: true, timeout, ...withSignal };
  }

  function isStopped(): boolean {
    return signal?.aborted === true;
  }

  async function pause(error: unknown): Promise<void> {
    // A gap is closed at once, unless the same happens again and again.
    const after = failures++ === 0 && isTooOld(error) ? noTime : backoff.delayAfter(failures);
    if (error !== undefined) onProblem?.({ error, retryAfter: after });
    try {
      await pausing(after, withSignal);
    } catch (reason) {
      if (!isStopped()) throw reason;
    }
  }
}

function revisionOf(event: FollowEvent): string {
  switch (event.kind) {
    case "listed":
    case "reached":
      return event.revision;
    case "changed":
    case "deleted":
      return event.object.metadata.resourceVersion ?? "";
    case "listing":
    case "missing":
      return "";
  }
}

/** The place to resume from is no longer known, or has never been. */
function isTooOld(error: unknown): boolean {
  return (
    hasReason(error, "Expired") ||
    hasReason(error, "Gone") ||
    isAheadOfServer(error) ||
    error instanceof WatchSetBackError
  );
}

/** After a server was set back to an older state, every revision of before lies in its future. */
function isAheadOfServer(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.status.details?.causes ?? []).some(({ reason }) => reason === "ResourceVersionTooLarge")
  );
}

/** Refusals that come again however often one asks. */
function isCallersFault(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { httpCode } = error;
  return httpCode >= 400 && httpCode < 500 && ![408, 410, 429].includes(httpCode);
}
