import { isUtf8 } from "node:buffer";
import { CapstanError, type Clock, type Duration } from "#base";
import {
  ApiError,
  decodeJson,
  decodeServerJson,
  deepFreeze,
  fieldAt,
  type Json,
  type KubeObject,
  type WatchEvent,
  type WatchOptions,
} from "#machinery";
import { type Deadline, startDeadline } from "../deadline.ts";
import { WatchBrokenError } from "../errors.ts";
import type { WireAnswer } from "../wire/wire.ts";
import { isStatus, statusError } from "./refusal.ts";
import { isKubeObject } from "./answered-object.ts";
import { managedFieldsAt, managedFieldsIn, probableKeyOf } from "./event-outline.ts";
import { textWithout } from "./json-bytes.ts";
import { readOver } from "./read-over.ts";
import { LineReader } from "./line-reader.ts";

const kinds: Readonly<Record<string, "added" | "modified" | "deleted">> = {
  ADDED: "added",
  MODIFIED: "modified",
  DELETED: "deleted",
};

/** How events are read. */
export interface EventOptions extends Pick<WatchOptions, "withoutManagedFields" | "unfrozen" | "olderVersion"> {
  readonly mostBytes: number;
}

/** How a watch is begun. */
export interface WatchBeginning {
  readonly clock: Clock;
  /** How long it may take until the server has ended it. */
  readonly timeout: Duration;
  /** Whoever stops a watch with it sees it end. */
  readonly signal?: AbortSignal | undefined;
  readonly open: (signal: AbortSignal) => Promise<WireAnswer>;
}

/**
 * The events of a watch as they come; no more is read than its reader takes. Ends where the server ends it, and throws a
 * WatchBrokenError where the stream breaks off, an ApiError where the server sends one.
 */
export function watchEvents(beginning: WatchBeginning, options: EventOptions): AsyncIterableIterator<WatchEvent> {
  return new WatchEvents(beginning, options);
}

type Told = IteratorResult<WatchEvent, undefined>;

const over: Told = { done: true, value: undefined };

/** Not a generator: an event goes in one step from the stream to whoever waits for it, and they come by the thousand. */
class WatchEvents implements AsyncIterableIterator<WatchEvent, undefined> {
  readonly #beginning: WatchBeginning;
  readonly #options: EventOptions;
  #opening: Promise<void> | undefined;
  #deadline: Deadline | undefined;
  #answer: WireAnswer | undefined;
  #lines: LineReader<Told> | undefined;
  #isOver = false;

  constructor(beginning: WatchBeginning, options: EventOptions) {
    this.#beginning = beginning;
    this.#options = options;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Told> {
    if (this.#lines !== undefined) return this.#lines.next();
    return this.#nextOfNew();
  }

  return(): Promise<Told> {
    this.#close();
    return Promise.resolve(over);
  }

  async #nextOfNew(): Promise<Told> {
    if (this.#isOver || this.#isStopped()) return over;
    try {
      await (this.#opening ??= this.#open());
    } catch (error) {
      return this.#broken(error);
    }
    return this.#lines === undefined ? over : await this.#lines.next();
  }

  async #open(): Promise<void> {
    const { clock, timeout, signal, open } = this.#beginning;
    const { mostBytes } = this.#options;
    this.#deadline = startDeadline({ clock, signal, timeout, what: "the watch" });
    this.#answer = await open(this.#deadline.signal);
    const read = (line: Buffer): Told => this.#read(line);
    const end = (): Told => this.#end();
    if (this.#isOver) this.#answer.body.destroy();
    else this.#lines = new LineReader(this.#answer.body, { mostBytes, read, end });
  }

  #read(line: Buffer): Told {
    if (this.#isOver) return over;
    try {
      return { done: false, value: eventOf(line, this.#options) };
    } catch (error) {
      return this.#broken(error);
    }
  }

  #end(): Told {
    if (this.#isOver) return over;
    try {
      const last = this.#last();
      this.#close();
      return last === undefined ? over : { done: false, value: last };
    } catch (error) {
      return this.#broken(error);
    }
  }

  /** What the stream ended with, if it did not break. */
  #last(): WatchEvent | undefined {
    const error = this.#lines?.error;
    if (error instanceof CapstanError) throw error;
    if (error !== undefined || this.#answer?.isWhole() !== true)
      throw new WatchBrokenError("reset", "the connection broke within a watch", error);
    const rest = this.#lines?.rest() ?? Buffer.alloc(0);
    return rest.toString("utf8").trim() === "" ? undefined : lastEventOf(rest, this.#options);
  }

  /** Whoever has stopped a watch sees it end, whatever has become of it. */
  #broken(error: unknown): Told {
    const isLate = this.#deadline?.signal.aborted === true;
    this.#close();
    if (this.#isStopped()) return over;
    if (!isLate) throw error;
    throw new WatchBrokenError("stalled", "the server did not end a watch in time", this.#deadline?.signal.reason);
  }

  #isStopped(): boolean {
    return this.#beginning.signal?.aborted === true;
  }

  /** Whoever stops reading is not sent anything further. */
  #close(): void {
    this.#isOver = true;
    this.#answer?.body.destroy();
    this.#deadline?.release();
  }
}

function eventOf(line: Buffer, options: EventOptions): WatchEvent {
  let message: Json;
  try {
    message = decoded(line, options);
  } catch (error) {
    const start = JSON.stringify(line.toString("utf8", 0, 100));
    throw new WatchBrokenError("garbage", `a line of the watch is not JSON: ${start}`, error);
  }
  return readEvent(message, line, options);
}

/** A stream that ends without a line end may still have ended after an event. */
function lastEventOf(rest: Buffer, options: EventOptions): WatchEvent {
  let message: Json;
  try {
    message = decoded(rest, options);
  } catch (error) {
    throw new WatchBrokenError("truncated", `the watch ended within an event, after ${rest.length} bytes of it`, error);
  }
  return readEvent(message, rest, options);
}

function decoded(line: Buffer, options: EventOptions): Json {
  const { withoutManagedFields = false, unfrozen = false } = options;
  const message = readOverOlder(line, options);
  if (message !== undefined) return message;
  const cut = withoutManagedFields ? managedFieldsIn(line) : undefined;
  // What is not UTF-8 is left to the decoder, who says so.
  const rest = cut === undefined || !isUtf8(line) ? line : textWithout(cut, line);
  return unfrozen ? decodeServerJson(rest) : decodeJson(rest).value;
}

/** Most of what an event says its object has said before; undefined where that is not known. */
function readOverOlder(line: Buffer, { olderVersion, withoutManagedFields = false }: EventOptions): Json | undefined {
  const key = olderVersion === undefined ? undefined : probableKeyOf(line);
  const older = key === undefined ? undefined : olderVersion?.(key);
  if (older === undefined) return undefined;
  const leftOut = withoutManagedFields ? { among: older.metadata, at: managedFieldsAt } : undefined;
  return readOver(line, { type: "MODIFIED", object: older }, leftOut);
}

function readEvent(message: Json, line: Buffer, { unfrozen = false }: EventOptions): WatchEvent {
  const type = fieldAt(message, "type");
  const object = fieldAt(message, "object");
  const kind = typeof type === "string" && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
  if (kind !== undefined && isKubeObject(object)) return { kind, object: unfrozen ? object : deepFreeze(object) };
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
