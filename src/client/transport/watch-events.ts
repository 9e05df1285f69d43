import type { Readable } from "node:stream";
import { CapstanError } from "#base";
import {
  ApiError,
  decodeServerJson,
  deepFreeze,
  fieldAt,
  type Json,
  type KubeObject,
  type WatchEvent,
} from "#machinery";
import { WatchBrokenError } from "../errors.ts";
import type { WireAnswer } from "../wire/wire.ts";
import { isStatus, statusError } from "./refusal.ts";
import { isKubeObject } from "./answered-object.ts";
import type { StringPool } from "./string-pool.ts";
import { cutManagedFields } from "./cut-managed-fields.ts";
import { LineCutter } from "./watch-lines.ts";

const kinds: Readonly<Record<string, "added" | "modified" | "deleted">> = {
  ADDED: "added",
  MODIFIED: "modified",
  DELETED: "deleted",
};

/** How events are read. */
export interface EventOptions {
  readonly mostBytes: number;
  readonly texts: StringPool;
  readonly withoutManagedFields?: boolean;
}

/**
 * The events of a watch as they come; no more is read than its reader takes. Ends where the server ends it, and throws a
 * WatchBrokenError where the stream breaks off, an ApiError where the server sends one.
 */
export async function* watchEvents(
  answer: WireAnswer,
  { mostBytes, texts, withoutManagedFields = false }: EventOptions,
): AsyncGenerator<WatchEvent> {
  const cutter = new LineCutter(mostBytes);
  const read = withoutManagedFields
    ? (line: Buffer) => eventOf(cutManagedFields(line), texts)
    : (line: Buffer) => eventOf(line, texts);
  try {
    for await (const chunk of chunksOf(answer.body)) for (const line of cutter.lines(chunk)) yield read(line);
  } finally {
    // Whoever stops reading is not sent anything further.
    answer.body.destroy();
  }
  const rest = cutter.rest();
  if (!answer.isWhole()) throw new WatchBrokenError("reset", "the connection broke within a watch");
  if (rest.toString("utf8").trim() !== "") yield lastEventOf(rest, texts);
}

async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a body without an encoding yields buffers
    for await (const chunk of body) yield chunk as Buffer;
  } catch (error) {
    if (error instanceof CapstanError) throw error;
    throw new WatchBrokenError("reset", "the connection broke within a watch", error);
  }
}

function eventOf(line: Buffer, texts: StringPool): WatchEvent {
  let message: Json;
  try {
    message = texts.intern(decodeServerJson(line));
  } catch (error) {
    const start = JSON.stringify(line.toString("utf8", 0, 100));
    throw new WatchBrokenError("garbage", `a line of the watch is not JSON: ${start}`, error);
  }
  return readEvent(message, line);
}

/** A stream that ends without a line end may still have ended after an event. */
function lastEventOf(rest: Buffer, texts: StringPool): WatchEvent {
  let message: Json;
  try {
    message = texts.intern(decodeServerJson(rest));
  } catch (error) {
    throw new WatchBrokenError("truncated", `the watch ended within an event, after ${rest.length} bytes of it`, error);
  }
  return readEvent(message, rest);
}

function readEvent(message: Json, line: Buffer): WatchEvent {
  const type = fieldAt(message, "type");
  const object = fieldAt(message, "object");
  const kind = typeof type === "string" && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind !== undefined && isKubeObject(object)) return { kind, object: deepFreeze(object) };
  if (type === "BOOKMARK" && isKubeObject(object)) return bookmarkOf(object);
  if (type === "ERROR") throw errorOf(object);
  // Some servers refuse with a bare Status on a stream that has begun.
  if (isStatus(message)) throw statusError(message);
  const start = JSON.stringify(line.toString("utf8", 0, 100));
  throw new WatchBrokenError("garbage", `a line of the watch is not an event: ${start}`);
}

function bookmarkOf({ metadata }: KubeObject): WatchEvent {
  const { resourceVersion = "", annotations = {} } = metadata;
  return { kind: "bookmark", resourceVersion, initialEventsEnd: annotations["k8s.io/initial-events-end"] === "true" };
}

function errorOf(object: unknown): ApiError {
  if (isStatus(object)) return statusError(object);
  return new ApiError({
    httpCode: 500,
    reason: "InternalError",
    message: "the watch failed, and the server did not say why",
  });
}
