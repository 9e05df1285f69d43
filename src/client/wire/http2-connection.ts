import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import type { TLSSocket } from "node:tls";
import { type Clock, type Duration, noTime, seconds } from "#base";
import { ConnectionError } from "../errors.ts";
import type { Wire, WireRequest } from "./wire.ts";

/** A connection that carries many requests at once. */
export interface Http2Connection extends Wire {
  /** Whether another request fits now. */
  hasRoom(): boolean;
  /** Takes no further requests, and ends with the last of those under way. */
  retire(): void;
}

/** How a connection is watched over. */
export interface Http2Options {
  readonly authority: string;
  readonly clock: Clock;
  /** After how much silence the server is asked whether it is still there. */
  readonly pingAfter?: Duration;
  /** How long the answer to that may take. */
  readonly pingTimeout?: Duration;
  /** How many bytes may lie unread in memory: all together, and a quarter of that for one answer. */
  readonly mostUnread?: number;
  /** Is told when another request fits that did not fit before. */
  readonly onRoom?: () => void;
  /** Is told once when the connection is gone. */
  readonly onGone: (connection: Http2Connection) => void;
}

// What readers that do not keep up may leave lying in memory, and one of them alone.
const defaultMostUnread = 16 * 1024 * 1024;
const shareOfOne = 1 / 4;
const mostStreams = 1_000;
// Whether a connection that was silent for so long still lives is asked together with the next request.
const doubtfulAfter = seconds(5);
const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = constants;

/** Speaks HTTP/2 over a socket; resolves once the server has said how much it takes. */
export async function openHttp2(socket: TLSSocket, options: Http2Options): Promise<Http2Connection> {
  const { mostUnread = defaultMostUnread } = options;
  const session = connect(options.authority, {
    createConnection: () => socket,
    settings: { enablePush: false, initialWindowSize: Math.floor(mostUnread * shareOfOne) },
    // In megabytes; the platform refuses new streams above it, and its default is less than one large list.
    maxSessionMemory: 512,
  });
  await new Promise<void>((resolve, reject) => {
    session.once("remoteSettings", () => resolve());
    session.once("error", reject);
    session.once("close", () => reject(new Error("the server closed the connection")));
  });
  session.setLocalWindowSize(mostUnread);
  return connectionOn(session, socket, options);
}

function connectionOn(session: ClientHttp2Session, socket: TLSSocket, options: Http2Options): Http2Connection {
  const { clock, pingAfter = seconds(30), pingTimeout = seconds(15), onGone, onRoom } = options;
  let streams = 0;
  let isRetired = false;
  let heard = { bytes: socket.bytesRead, at: clock.elapsed() };
  let watching: AbortController | undefined;

  const connection: Http2Connection = {
    hasRoom: () => !isRetired && !session.closed && !session.destroyed && streams < roomIn(session),
    send(request) {
      const stream = begin(session, request);
      enter();
      stream.once("close", leave);
      return answered(stream, request);
    },
    retire() {
      isRetired = true;
      if (streams === 0) session.close();
    },
    close: () => session.destroy(),
  };
  session.on("goaway", () => (isRetired = true));
  // Each stream hears of it by itself.
  session.on("error", () => undefined);
  session.once("close", () => {
    watching?.abort("idle");
    onGone(connection);
  });
  session.unref();
  return connection;

  function enter(): void {
    if (++streams > 1) return;
    // Only a connection in use keeps the process alive.
    session.ref();
    watching = new AbortController();
    void watchOver(watching.signal);
  }

  function leave(): void {
    streams--;
    onRoom?.();
    if (streams > 0) return;
    watching?.abort("idle");
    heard = { bytes: socket.bytesRead, at: clock.elapsed() };
    if (isRetired) session.close();
    else session.unref();
  }

  async function watchOver(signal: AbortSignal): Promise<void> {
    let silence = quiet() < doubtfulAfter ? pingAfter : noTime;
    try {
      for (;;) {
        if (silence > 0) await clock.sleep(silence, { signal });
        if (silence === 0 || quiet() >= pingAfter) await ping(signal);
        silence = pingAfter;
      }
    } catch (error) {
      if (!signal.aborted) session.destroy(error instanceof Error ? error : undefined);
    }
  }

  /** How long nothing has come in; never less than the truth, and exact only as often as it is asked. */
  function quiet(): number {
    const bytes = socket.bytesRead;
    if (bytes !== heard.bytes) heard = { bytes, at: clock.elapsed() };
    return clock.elapsed() - heard.at;
  }

  async function ping(signal: AbortSignal): Promise<void> {
    const answer = new AbortController();
    const stop = (): void => answer.abort("answered");
    signal.addEventListener("abort", stop, { once: true });
    session.ping((error) => {
      if (error === null) answer.abort("answered");
    });
    try {
      await clock.sleep(pingTimeout, { signal: answer.signal });
    } catch {
      // Only an answer, or the end of the last stream, cuts this sleep short.
      return;
    } finally {
      signal.removeEventListener("abort", stop);
    }
    throw new ConnectionError("the server did not answer a ping", { mayHaveArrived: true });
  }
}

/** A server that takes nothing at first may still take something later, so there is always room for one. */
function roomIn({ remoteSettings }: ClientHttp2Session): number {
  return Math.max(1, Math.min(remoteSettings.maxConcurrentStreams ?? mostStreams, mostStreams));
}

function begin(session: ClientHttp2Session, { method, path, headers, body, signal }: WireRequest): ClientHttp2Stream {
  signal?.throwIfAborted();
  let stream: ClientHttp2Stream;
  try {
    stream = session.request({ ...headers, ":method": method, ":path": path }, { endStream: body === undefined });
  } catch (error) {
    throw new ConnectionError(`${method} ${path}: the connection is gone`, { mayHaveArrived: false, cause: error });
  }
  if (body !== undefined) stream.end(body);
  return stream;
}

function answered(stream: ClientHttp2Stream, { method, path, signal }: WireRequest): ReturnType<Wire["send"]> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      reject(signal?.reason);
      // In this order the server is told that nobody is interested any more, not that something is wrong.
      stream.close(NGHTTP2_CANCEL);
      stream.destroy(signal?.reason instanceof Error ? signal.reason : undefined);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    let failure: Error | undefined;
    let isAnswered = false;
    stream.on("error", (error: Error) => (failure = error));
    stream.once("response", (headers) => {
      isAnswered = true;
      resolve({
        status: headers[":status"] ?? 0,
        headers,
        body: stream,
        // A connection that goes away ends its streams as if all were well, except for this code.
        isWhole: () => stream.readableEnded && (stream.rstCode ?? NGHTTP2_NO_ERROR) === NGHTTP2_NO_ERROR,
      });
    });
    stream.once("close", () => {
      signal?.removeEventListener("abort", onAbort);
      if (isAnswered) return;
      const mayHaveArrived = stream.rstCode !== NGHTTP2_REFUSED_STREAM;
      reject(
        new ConnectionError(`${method} ${path}: the connection broke before the answer`, {
          mayHaveArrived,
          ...(failure === undefined ? {} : { cause: failure }),
        }),
      );
    });
  });
}
