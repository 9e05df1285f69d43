import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands between a client and a server and passes bytes on, unless a test says otherwise. */
export interface FaultyProxy extends AsyncDisposable {
  readonly port: number;
  /** The port of the server; while there is none, whoever connects is dropped. */
  target: number | undefined;
  /** After how many bytes from the server a new connection is reset; never, unless there is such a function. */
  resetAfter: (() => number) | undefined;
  /** Lets no byte pass any more on the connections that there are, without closing them. */
  stall(): void;
  /** Drops all connections. */
  dropAll(): void;
}

export async function openFaultyProxy(): Promise<FaultyProxy> {
  const sockets = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (client) => {
    adopt(client);
    if (proxy.target === undefined) client.resetAndDestroy();
    else join(client, connect(proxy.target, "127.0.0.1"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  const proxy: FaultyProxy = {
    port,
    target: undefined,
    resetAfter: undefined,
    stall() {
      for (const socket of sockets) socket.removeAllListeners("data").pause();
    },
    dropAll() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;

  function join(client: Socket, upstream: Socket): void {
    adopt(upstream);
    client.once("close", () => upstream.destroy());
    upstream.once("close", () => client.destroy());
    let left = proxy.resetAfter?.() ?? Infinity;
    client.on("data", (chunk) => upstream.write(chunk));
    upstream.on("data", (chunk) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) client.resetAndDestroy();
    });
    client.resume();
  }

  function adopt(socket: Socket): void {
    sockets.add(socket);
    // Whatever breaks is what the test is about.
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
  }
}
