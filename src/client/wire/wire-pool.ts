import { connect, type TLSSocket } from "node:tls";
import { type Backoff, type Clock, type Duration, exponentialBackoff, milliseconds, seconds, toError } from "#base";
import type { Credential } from "../config/credentials.ts";
import { type Connection, serverUrl } from "../connection.ts";
import { withDeadline } from "../deadline.ts";
import { ConnectionError, TransportClosedError } from "../errors.ts";
import { orAborted, sharedRun } from "../shared-run.ts";
import { createHttp1Wire } from "./http1-wire.ts";
import { type Http2Connection, openHttp2 } from "./http2-connection.ts";
import { tlsMaterial } from "./tls-material.ts";
import type { Wire } from "./wire.ts";

/** What was opened or lost. */
export type ConnectionEvent =
  | { readonly kind: "opened"; readonly protocol: "h2" | "http/1.1" }
  | { readonly kind: "closed" }
  | { readonly kind: "failed"; readonly error: unknown };

/** How connections are made and watched over. */
export interface WirePoolOptions {
  readonly clock: Clock;
  /** Which protocols to offer; HTTP/2 and HTTP/1.1 unless told. */
  readonly protocols?: readonly ("h2" | "http/1.1")[];
  readonly connectTimeout?: Duration;
  /** How many connections there may be; further requests wait until there is room. As many as are needed unless told. */
  readonly mostConnections?: number;
  /** How many bytes of answers may lie unread in memory, per connection. */
  readonly mostUnread?: number;
  readonly pingAfter?: Duration;
  readonly pingTimeout?: Duration;
  /** How long to wait before connecting again after so many failures. */
  readonly backoff?: Backoff;
  readonly onConnection?: (event: ConnectionEvent) => void;
}

/** All connections to one server. */
export interface WirePool extends Wire {
  /** Makes new connections with this credential; those that are there end with their last request. */
  renew(credential: Credential): void;
}

const defaultBackoff = exponentialBackoff({ first: milliseconds(100), most: seconds(2) });

const shortLife = seconds(1);

/** Opens connections as they are needed: another one only where those that are there are full. */
export function createWirePool(connection: Connection, options: WirePoolOptions): WirePool {
  const { clock, protocols = ["h2", "http/1.1"], onConnection, backoff = defaultBackoff } = options;
  const { mostConnections = Infinity } = options;
  const server = serverUrl(connection);
  const host = server.hostname.replace(/^\[(.*)\]$/, "$1");
  const sessions: Http2Connection[] = [];
  const room = createRoom();
  let http1: Wire | undefined;
  let credential: Credential | undefined;
  let failures = 0;
  let failedAt = clock.elapsed();
  let isClosed = false;

  const dial = sharedRun(async (signal) => {
    const wait = failures === 0 ? 0 : failedAt + backoff.delayAfter(failures) - clock.elapsed();
    if (wait > 0) await clock.sleep(milliseconds(wait), { signal });
    try {
      await open(signal);
      failures = 0;
    } catch (error) {
      if (signal.aborted) throw error;
      countFailure();
      onConnection?.({ kind: "failed", error });
      throw new ConnectionError(`failed to connect to ${server.origin}`, { mayHaveArrived: false, cause: error });
    }
  });

  return {
    async send(request) {
      for (;;) {
        if (isClosed) throw new TransportClosedError();
        const wire = http1 ?? sessions.find((session) => session.hasRoom());
        // Taken in the same turn in which there was room.
        if (wire !== undefined) return await sendOver(wire, request);
        const waiting = request.signal === undefined ? {} : { signal: request.signal };
        if (sessions.length < mostConnections) await dial(waiting);
        else await room.wait(waiting);
      }
    },
    renew(next) {
      credential = next;
      for (const session of sessions.splice(0)) session.retire();
      http1 = undefined;
      room.open();
    },
    close() {
      isClosed = true;
      for (const session of sessions.splice(0)) session.close();
      http1?.close();
      room.open();
    },
  };

  function countFailure(): void {
    failures++;
    failedAt = clock.elapsed();
  }

  async function sendOver(wire: Wire, request: Parameters<Wire["send"]>[0]): ReturnType<Wire["send"]> {
    try {
      return await wire.send(request);
    } catch (error) {
      // Whatever answers there next may speak another protocol.
      if (wire === http1 && error instanceof ConnectionError && !error.mayHaveArrived) http1 = undefined;
      throw error;
    }
  }

  async function open(signal: AbortSignal): Promise<void> {
    if (server.protocol === "http:") {
      http1 = createHttp1Wire({ server, mostConnections });
      return;
    }
    const tls = await tlsMaterial(connection.tls ?? {}, { host, credential });
    const timeout = options.connectTimeout ?? seconds(10);
    await withDeadline({ clock, timeout, signal, what: "connecting" }, async (ending) => {
      const socket = connect({ host, port: portOf(server), ...tls, ALPNProtocols: [...protocols] });
      const onAbort = (): void => void socket.destroy(toError(ending.reason));
      ending.addEventListener("abort", onAbort, { once: true });
      await secured(socket);
      if (socket.alpnProtocol === "h2") await openSession(socket);
      else {
        socket.destroy();
        http1 = createHttp1Wire({ server, tls, mostConnections });
        onConnection?.({ kind: "opened", protocol: "http/1.1" });
      }
      ending.removeEventListener("abort", onAbort);
    });
  }

  async function openSession(socket: TLSSocket): Promise<void> {
    const { pingAfter, pingTimeout, mostUnread } = options;
    const openedAt = clock.elapsed();
    const session = await openHttp2(socket, {
      authority: server.origin,
      clock,
      ...(pingAfter === undefined ? {} : { pingAfter }),
      ...(pingTimeout === undefined ? {} : { pingTimeout }),
      ...(mostUnread === undefined ? {} : { mostUnread }),
      onRoom: () => room.open(),
      onGone: (gone) => {
        const at = sessions.indexOf(gone);
        if (at !== -1) sessions.splice(at, 1);
        room.open();
        // A server that lets everybody in and throws them out at once is not stormed.
        if (clock.elapsed() - openedAt < shortLife) countFailure();
        onConnection?.({ kind: "closed" });
      },
    });
    if (isClosed) session.close();
    else sessions.push(session);
    onConnection?.({ kind: "opened", protocol: "h2" });
  }
}

/** Where requests wait that fit nowhere; whoever is let in looks again. */
function createRoom() {
  const waiting = new Set<() => void>();
  return {
    async wait({ signal }: { readonly signal?: AbortSignal }): Promise<void> {
      signal?.throwIfAborted();
      let leave = (): void => undefined;
      const left = new Promise<void>((resolve) => waiting.add((leave = resolve)));
      try {
        await (signal === undefined ? left : orAborted(left, signal));
      } finally {
        waiting.delete(leave);
      }
    },
    open(): void {
      for (const leave of waiting) leave();
    },
  };
}

function portOf({ port }: URL): number {
  return port === "" ? 443 : Number(port);
}

function secured(socket: TLSSocket): Promise<void> {
  socket.setNoDelay(true);
  socket.setKeepAlive(true, seconds(30));
  return new Promise((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("the server closed the connection")));
  });
}
