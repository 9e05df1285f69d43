import type { Writable } from "node:stream";
import { ApiError, apiVersionOf, asJson, type JsonObject, type KubeObject, type WatchEvent } from "#machinery";
import { encodeWatchEvent, protobufMediaType } from "#apiserver/protobuf";
import type { Watching } from "#apiserver/registry";
import type { Deadlines } from "./deadlines.ts";
import { drained, isFull } from "./drained.ts";
import { Encodings, jsonText } from "./encoded.ts";
import type { Representation } from "./representation.ts";
import { eventView, type View } from "./views.ts";

// Large enough to be worth a write, small enough to let others have their turn.
const bytesPerWrite = 96 * 1024;
const smallEvent = 1024;

type Bookmark = Extract<WatchEvent, { kind: "bookmark" }>;

const types = { added: "ADDED", modified: "MODIFIED", deleted: "DELETED", bookmark: "BOOKMARK" } as const;
const prefixes = {
  added: Buffer.from(`{"type":"${types.added}","object":`),
  modified: Buffer.from(`{"type":"${types.modified}","object":`),
  deleted: Buffer.from(`{"type":"${types.deleted}","object":`),
  bookmark: Buffer.from(`{"type":"${types.bookmark}","object":`),
};
const suffix = Buffer.from("}\n");
const protobufEvents = new Encodings(4 * 1024 * 1024);

export interface WatchAnswer {
  readonly watching: Watching;
  readonly output: Writable;
  readonly view: View;
  readonly deadlines: Deadlines;
  /** The server stops, or the client has gone. */
  readonly signal: AbortSignal;
}

/**
 * Sends the events of a watch until it is over. Only this watch waits for its client: what happens meanwhile gathers up
 * to a limit, after which the watch ends and the client resumes from what it saw last.
 */
export async function sendEvents({ watching, output, view, deadlines, signal }: WatchAnswer): Promise<void> {
  const stop = () => watching.close();
  signal.addEventListener("abort", stop);
  let first = true;
  try {
    for (let batch = await watching.next(); batch !== undefined && !signal.aborted; batch = await watching.next()) {
      for (const bytes of pieces(batch)) {
        output.write(bytes);
        if (isFull(output)) await drained(output, deadlines, signal);
        if (signal.aborted) return;
      }
    }
  } catch (error) {
    if (!signal.aborted) output.write(errorFrame(error, view.representation));
  } finally {
    signal.removeEventListener("abort", stop);
    watching.close();
    output.end();
  }

  /** Events as bytes, in pieces that are worth a write. */
  function* pieces(events: readonly WatchEvent[]): Generator<Buffer> {
    let [from, size] = [0, 0];
    for (const [index, event] of events.entries()) {
      size += sizeOf(event);
      if (size < bytesPerWrite && index < events.length - 1) continue;
      yield bytesOf(view, from === 0 && index === events.length - 1 ? events : events.slice(from, index + 1), first);
      first = false;
      [from, size] = [index + 1, 0];
    }
  }

  function sizeOf(event: WatchEvent): number {
    const { format, view: shown } = view.representation;
    // Tables are small, and made anew for every second.
    if (event.kind === "bookmark" || shown === "table" || format !== "json") return smallEvent;
    return eventView(view, event.object, false).length;
  }
}

interface Batch {
  readonly form: string;
  readonly events: readonly WatchEvent[];
  readonly bytes: Buffer;
}

// What many watch is put together once: those who see the same events get the very same bytes. They see them at about the
// same time, so that few batches have to be kept, each until another takes its place.
const places = 64;
const batches = Array.from<Batch | undefined>({ length: places });
let place = 0;

function bytesOf(view: View, events: readonly WatchEvent[], first: boolean): Buffer {
  const { format, view: shown, metaVersion } = view.representation;
  if (shown === "table") return written(view, events, first);
  const form = `${format} ${shown} ${metaVersion}`;
  for (let back = 1; back <= places; back += 1) {
    const known = batches[(place - back + places) % places];
    if (known === undefined) break;
    if (known.form === form && areSame(known.events, events)) return known.bytes;
  }
  const bytes = written(view, events, first);
  batches[place] = { form, events, bytes };
  place = (place + 1) % places;
  return bytes;
}

function areSame(one: readonly WatchEvent[], other: readonly WatchEvent[]): boolean {
  if (one.length !== other.length) return false;
  for (const [index, event] of one.entries()) {
    const counterpart = other[index];
    if (counterpart === undefined || counterpart.kind !== event.kind) return false;
    if (event.kind === "bookmark" || counterpart.kind === "bookmark") return false;
    if (counterpart.object !== event.object) return false;
  }
  return true;
}

function written(view: View, events: readonly WatchEvent[], first: boolean): Buffer {
  return Buffer.concat(events.flatMap((event, index) => frameOf(view, event, first && index === 0)));
}

/** The parts of one event on the wire. */
function frameOf(view: View, event: WatchEvent, first: boolean): readonly Buffer[] {
  const object = event.kind === "bookmark" ? bookmarkOf(view, event) : event.object;
  if (view.representation.format !== "protobuf") return [prefixes[event.kind], eventView(view, object, first), suffix];
  const encode = () => encodeWatchEvent(types[event.kind], asJson(object)) ?? Buffer.alloc(0);
  return [protobufEvents.of(object, event.kind, encode)];
}

/** An object that holds nothing but how far the watch has come, shown like any other. */
function bookmarkOf({ target }: View, { resourceVersion, initialEventsEnd }: Bookmark): KubeObject {
  const { definition, version } = target;
  const annotations = initialEventsEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  return {
    kind: definition.kind,
    apiVersion: apiVersionOf({ group: definition.group, version: version.version }),
    metadata: { resourceVersion, ...annotations },
  };
}

/** The last event of a watch that cannot go on. */
export function errorFrame(error: unknown, { format }: Pick<Representation, "format">): Buffer {
  const known = error instanceof ApiError ? error : undefined;
  const status = known?.status ?? {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "the watch failed",
    reason: "InternalError",
    code: 500,
  };
  if (format === "protobuf") return encodeWatchEvent("ERROR", statusJson(status)) ?? Buffer.alloc(0);
  return Buffer.from(`{"type":"ERROR","object":${jsonText(status)}}\n`);
}

/** The media type that a stream of events announces. */
export function streamType({ format }: Pick<Representation, "format">): string {
  return format === "protobuf" ? `${protobufMediaType};stream=watch` : "application/json";
}

function statusJson(status: object): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Status holds nothing but JSON
  return status as JsonObject;
}
