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
  type GroupVersionResource,
  hasReason,
  type KubeObject,
  type ListOptions,
  type Transport,
} from "#machinery";
import { listAll } from "./list-pages.ts";
import { allowManyListeners } from "./many-listeners.ts";

/** What a watch that never ends tells: everything at first and after a gap, then each change. */
export type KindEvent<Obj extends KubeObject = KubeObject> =
  | { readonly kind: "listed"; readonly objects: readonly Obj[] }
  | { readonly kind: "changed"; readonly object: Obj }
  | { readonly kind: "deleted"; readonly object: Obj };

/** Which objects to follow. */
export interface FollowOptions extends Pick<
  ListOptions,
  "namespace" | "labelSelector" | "fieldSelector" | "onWarning"
> {
  /** Ends the watch. */
  readonly signal?: AbortSignal;
  /** Is told what went wrong before each new try. */
  readonly onProblem?: (problem: { readonly error: unknown; readonly retryAfter: Duration }) => void;
}

/** What following needs from outside. */
export interface FollowTools {
  readonly clock: Clock;
  /** Gives numbers from 0 up to 1, so that many watches do not act as one. */
  readonly random: () => number;
  readonly backoff?: Backoff;
}

// A server ends each watch after some time of the client's choice, so that watches spread over servers anew.
const shortestWatch = minutes(5);
// A watch that ends at once although nothing went wrong would otherwise be opened again without a pause.
const briefWatch = seconds(1);

// After so long without a complaint the past is forgiven.
const healthyWatch = seconds(30);

/**
 * Lists a collection and then watches it for ever: a watch that ends or breaks is resumed where it stopped, and where the
 * server no longer knows that place, everything is listed anew. Until the first list has succeeded a refusal is thrown,
 * because it is the caller's to mend; afterwards every error is told to `onProblem` and tried again.
 */
export async function* follow(
  transport: Pick<Transport, "list" | "watch">,
  resource: GroupVersionResource,
  { signal, onProblem, ...selection }: FollowOptions,
  tools: FollowTools,
): AsyncGenerator<KindEvent> {
  const { clock, random } = tools;
  const backoff =
    tools.backoff ?? exponentialBackoff({ first: milliseconds(500), most: seconds(30), jitter: 1, random });
  allowManyListeners(signal);
  const withSignal = signal === undefined ? {} : { signal };
  let revision: string | undefined;
  let hasListed = false;
  let failures = 0;

  while (!isStopped()) {
    const begun = clock.elapsed();
    try {
      if (revision === undefined) {
        const { items, metadata } = await listAll(transport, resource, { ...selection, ...withSignal });
        revision = metadata.resourceVersion ?? "";
        hasListed = true;
        yield { kind: "listed", objects: items };
      }
      const timeout = milliseconds(Math.round(shortestWatch * (1 + random())));
      const resumed = { resourceVersion: revision, allowWatchBookmarks: true, timeout };
      for await (const event of transport.watch(resource, { ...selection, ...resumed, ...withSignal })) {
        failures = 0;
        if (event.kind === "bookmark") revision = event.resourceVersion || revision;
        else {
          revision = event.object.metadata.resourceVersion ?? revision;
          yield { kind: event.kind === "deleted" ? "deleted" : "changed", object: event.object };
        }
      }
      if (clock.elapsed() - begun < briefWatch) await pause(undefined);
    } catch (error) {
      if (isStopped()) return;
      if (!hasListed && isCallersFault(error)) throw error;
      if (clock.elapsed() - begun > healthyWatch) failures = 0;
      if (isTooOld(error)) revision = undefined;
      await pause(error);
    }
  }

  function isStopped(): boolean {
    return signal?.aborted === true;
  }

  async function pause(error: unknown): Promise<void> {
    // A gap is closed at once, unless the same happens again and again.
    const after = failures++ === 0 && isTooOld(error) ? noTime : backoff.delayAfter(failures);
    if (error !== undefined) onProblem?.({ error, retryAfter: after });
    try {
      await clock.sleep(after, withSignal);
    } catch (reason) {
      if (!isStopped()) throw reason;
    }
  }
}

/** The place to resume from is no longer known, or has never been. */
function isTooOld(error: unknown): boolean {
  return hasReason(error, "Expired") || hasReason(error, "Gone") || isAheadOfServer(error);
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
