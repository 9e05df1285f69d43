import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** What a connection to a front meets. */
export type Behaviour =
  /** Everything is passed on to a port. */
  | { readonly kind: "passes"; readonly to: number }
  /** Nobody listens. */
  | { readonly kind: "closed" }
  /** Connections are accepted, and then nothing comes any more. */
  | { readonly kind: "black-hole" }
  | { readonly kind: "resets" }
  /** Bytes without sense. */
  | { readonly kind: "garbage" };

/** A port that stays the same whatever is behind it. */
export interface Front {
  readonly port: number;
  /** Changes what connections meet; those that are there are cut off, or silenced where nothing is to come any more. */
  behave(behaviour: Behaviour): Promise<void>;
  /** How many connections are open. */
  readonly connections: number;
  close(): Promise<void>;
}

/** Opens a front on a port of the loopback. */
export async function openFront(first: Behaviour): Promise<Front> {
  const sockets = new Set<Socket>();
  let behaviour = first;
  let server = await listening(0);
  const { port } = portOf(server);
  return {
    port,
    get connections() {
      return sockets.size;
    },
    async behave(next) {
      const wasClosed = behaviour.kind === "closed";
      behaviour = next;
      if (next.kind === "black-hole") for (const socket of sockets) socket.unpipe().pause();
      else cut();
      if (next.kind === "closed") await closed(server);
      else if (wasClosed) server = await listening(port);
    },
    async close() {
      const isOpen = behaviour.kind !== "closed";
      behaviour = { kind: "closed" };
      cut();
      if (isOpen) await closed(server);
    },
  };

  function cut(): void {
    for (const socket of sockets) socket.destroy();
  }

  async function listening(on: number): Promise<Server> {
    const opened = createServer((socket) => {
      keep(socket);
      meet(socket);
    });
    opened.listen(on, "127.0.0.1");
    await once(opened, "listening");
    return opened;
  }

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  }

  function meet(socket: Socket): void {
    switch (behaviour.kind) {
      case "passes": {
        const inner = connect(behaviour.to, "127.0.0.1");
        keep(inner);
        inner.once("close", () => socket.destroy());
        socket.once("close", () => inner.destroy());
        socket.pipe(inner).pipe(socket);
        return;
      }
      case "resets":
        socket.resetAndDestroy();
        return;
      case "garbage":
        socket.end("SSH-2.0-OpenSSH_9.6\r\n".repeat(100));
        return;
      case "black-hole":
      case "closed":
        socket.pause();
    }
  }
}

function portOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the front has no port");
  return address;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
