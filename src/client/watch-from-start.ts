import { type Clock, seconds } from "#base";
import {
  ApiError,
  type GroupVersionResource,
  type KubeObject,
  type Transport,
  type WatchEvent,
  type WatchOptions,
} from "#machinery";

// A server that has said nothing for so long has not understood that it was to tell what is there.
const longestSilence = seconds(10);

/** A watch that has told everything that is there. */
export interface StartedWatch extends AsyncDisposable {
  readonly objects: readonly KubeObject[];
  readonly revision: string;
  /** What it tells from then on. */
  readonly events: AsyncIterable<WatchEvent>;
}

/**
 * Begins a watch with everything that is there. Undefined where the server does not know such watches, whether it refuses
 * them or tells some other watch.
 */
export async function watchFromStart(
  transport: Pick<Transport, "watch">,
  resource: GroupVersionResource,
  options: WatchOptions,
  { clock }: { readonly clock: Clock },
): Promise<StartedWatch | undefined> {
  const silence = watchForSilence(clock, options.signal);
  const asked = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", signal: silence.signal } as const;
  const events = transport.watch(resource, { ...options, ...asked })[Symbol.asyncIterator]();
  try {
    const told = await everythingIn(events, () => silence.heard());
    silence.allow();
    if (told !== undefined)
      return { ...told, events: { [Symbol.asyncIterator]: () => events }, [Symbol.asyncDispose]: end };
  } catch (error) {
    if (!silence.isOver && !isNotUnderstood(error)) {
      await end();
      throw error;
    }
  }
  await end();
  return undefined;

  async function end(): Promise<void> {
    silence.release();
    await events.return?.();
  }
}

/** Takes what is there out of the beginning of a watch; undefined where its end is not told. */
async function everythingIn(
  events: AsyncIterator<WatchEvent>,
  onEvent: () => void,
): Promise<Pick<StartedWatch, "objects" | "revision"> | undefined> {
  const found = new Map<string, KubeObject>();
  for (let next = await events.next(); next.done !== true; next = await events.next()) {
    const { value: event } = next;
    onEvent();
    if (event.kind !== "bookmark") collect(found, event);
    else if (event.initialEventsEnd) return { objects: [...found.values()], revision: event.resourceVersion };
    else return undefined;
  }
  return undefined;
}

/** What changes while everything is being told may come before its end. */
function collect(found: Map<string, KubeObject>, { kind, object }: Exclude<WatchEvent, { kind: "bookmark" }>): void {
  const { namespace = "", name = "" } = object.metadata;
  const key = `${namespace}/${name}`;
  if (kind === "deleted") found.delete(key);
  else found.set(key, object);
}

function isNotUnderstood(error: unknown): boolean {
  return error instanceof ApiError && (error.httpCode === 400 || error.httpCode === 422);
}

/** A signal that is aborted with an outer one, and also when nothing was heard for too long. */
function watchForSilence(clock: Clock, outer: AbortSignal | undefined) {
  const controller = new AbortController();
  const enough = new AbortController();
  const onAbort = (): void => controller.abort(outer?.reason);
  outer?.addEventListener("abort", onAbort, { once: true });
  if (outer?.aborted === true) onAbort();
  let heard = 0;
  let isOver = false;
  void attend();
  return {
    signal: controller.signal,
    /** True once it has been silent for too long. */
    get isOver() {
      return isOver;
    },
    heard: () => {
      heard += 1;
    },
    /** Silence does not matter any more. */
    allow: () => enough.abort(),
    release: () => {
      enough.abort();
      outer?.removeEventListener("abort", onAbort);
    },
  };

  async function attend(): Promise<void> {
    try {
      for (let before = -1; before !== heard;) {
        before = heard;
        await clock.sleep(longestSilence, { signal: enough.signal });
      }
    } catch (error) {
      if (!enough.signal.aborted) throw error;
      return;
    }
    isOver = true;
    controller.abort();
  }
}
