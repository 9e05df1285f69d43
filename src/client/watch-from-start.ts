import { type Clock, seconds } from "#base";
import {
  ApiError,
  type GroupVersionResource,
  type KubeObject,
  type Transport,
  type WatchEvent,
  type WatchOptions,
} from "#machinery";
import { type FollowEvent, toldOf } from "./follow-event.ts";

// A server that has said nothing for so long has not understood that it was to tell what is there.
const longestSilence = seconds(10);

/**
 * A watch that begins with everything that is there, in one `listed`. A server that does not know such watches refuses
 * them, or tells some other watch: then nothing is told here but that.
 */
export async function* streamFromStart(
  transport: Pick<Transport, "watch">,
  resource: GroupVersionResource,
  options: WatchOptions,
  { clock, onRefused }: { readonly clock: Clock; readonly onRefused: () => void },
): AsyncGenerator<FollowEvent> {
  const silence = watchForSilence(clock, options.signal);
  const asked = { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan", signal: silence.signal } as const;
  let found: Map<string, KubeObject> | undefined = new Map();
  try {
    for await (const event of transport.watch(resource, { ...options, ...asked })) {
      if (found === undefined) {
        yield toldOf(event);
        continue;
      }
      silence.heard();
      if (event.kind !== "bookmark") collect(found, event);
      else if (event.initialEventsEnd) {
        silence.allow();
        yield { kind: "listed", objects: [...found.values()], revision: event.resourceVersion };
        found = undefined;
      } else break;
    }
    if (found !== undefined && options.signal?.aborted !== true) onRefused();
  } catch (error) {
    if (found === undefined || !(silence.isOver || isNotUnderstood(error))) throw error;
    onRefused();
  } finally {
    silence.release();
  }
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
