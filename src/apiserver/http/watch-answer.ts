import type { Writable } from "node:stream";
import type { Clock } from "#base";
import { ApiError, apiVersionOf, asJson, type JsonObject, type KubeObject, type WatchEvent } from "#machinery";
import { encodeWatchEvent, protobufMediaType } from "#apiserver/protobuf";
import type { Watching } from "#apiserver/registry";
import { drained } from "./drained.ts";
import { Encodings, jsonText } from "./encoded.ts";
import type { Representation } from "./representation.ts";
import { eventView, type View } from "./views.ts";

// Large enough to be worth a write, small enough to let others have their turn.
const bytesPerWrite = 256 * 1024;

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
  readonly clock: Clock;
  /** The server stops, or the client has gone. */
  readonly signal: AbortSignal;
}

/**
 * Sends the events of a watch until it is over. Only this watch waits for its client: what happens meanwhile gathers up
 * to a limit, after which the watch ends and the client resumes from what it saw last.
 */
export async function sendEvents({ watching, output, view, clock, signal }: WatchAnswer): Promise<void> {
  const stop = () => watching.close();
  signal.addEventListener("abort", stop);
  let first = true;
  try {
    for (let batch = await watching.next(); batch !== undefined && !signal.aborted; batch = await watching.next()) {
      for (const bytes of frames(batch)) {
        if (!output.write(bytes)) await drained(output, clock, signal);
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

  function* frames(events: readonly WatchEvent[]): Generator<Buffer> {
    let parts: Buffer[] = [];
    let size = 0;
    for (const event of events) {
      const frame = frameOf(view, event, first);
      first = false;
      for (const part of frame) size += part.length;
      parts.push(...frame);
      if (size < bytesPerWrite) continue;
      yield Buffer.concat(parts);
      parts = [];
      size = 0;
    }
    if (parts.length > 0) yield Buffer.concat(parts);
  }
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
