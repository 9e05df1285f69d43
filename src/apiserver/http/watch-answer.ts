import type { Writable } from "node:stream";
import { WeakCache } from "#base";
import { ApiError, apiVersionOf, asJson, type JsonObject, type KubeObject, type WatchEvent } from "#machinery";
import { encodeWatchEvent, protobufMediaType } from "#apiserver/protobuf";
import type { WatchBatch, Watching } from "#apiserver/registry";
import type { Deadlines } from "./deadlines.ts";
import { drained, isFull } from "./drained.ts";
import { Encodings, jsonText } from "./encoded.ts";
import type { Representation } from "./representation.ts";
import { eventView, type View } from "./views.ts";

// Large enough to be worth a write, small enough to let others have their turn.
const bytesPerWrite = 96 * 1024;

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
      for (const piece of piecesOf(view, batch, first)) {
        output.write(piece);
        first = false;
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
}

// Many see the same events at about the same time.
const sharedPieces = new WeakCache<readonly WatchEvent[], Map<string, readonly Buffer[]>>(8 * 1024 * 1024);

/** Events as bytes, in pieces that are worth a write; for all who watch the same they are put together once. */
function piecesOf(view: View, { events, shared }: WatchBatch, first: boolean): Iterable<Buffer> {
  const { format, view: shown, metaVersion } = view.representation;
  // The first row of a table is not like the others, and all tell how old they are.
  if (!shared || shown === "table") return pieces(view, events, first);
  const form = `${format} ${shown} ${metaVersion}`;
  const forms = sharedPieces.get(events) ?? new Map<string, readonly Buffer[]>();
  const known = forms.get(form);
  if (known !== undefined) return known;
  const made = [...pieces(view, events, first)];
  forms.set(form, made);
  sharedPieces.set(events, forms, sizeOf(made));
  return made;
}

function* pieces(view: View, events: readonly WatchEvent[], first: boolean): Generator<Buffer> {
  let gathered: Buffer[] = [];
  let size = 0;
  for (const [index, event] of events.entries()) {
    const frame = frameOf(view, event, first && index === 0);
    gathered.push(...frame);
    size += sizeOf(frame);
    if (size < bytesPerWrite && index < events.length - 1) continue;
    yield Buffer.concat(gathered, size);
    [gathered, size] = [[], 0];
  }
}

function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
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
