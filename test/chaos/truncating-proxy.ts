import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import type { Pki } from "#apiserver";

/** Stands between a client and a server and ends watches within an event, as if all was told. */
export interface TruncatingProxy extends AsyncDisposable {
  readonly port: number;
  /** After how many bytes a new watch is ended; never, unless there is such a function. */
  endAfter: (() => number) | undefined;
  /** What is put in place of the rest. */
  instead: string;
}

/** Speaks HTTP/1.1, in which an end can be told without having reached it. */
export async function openTruncatingProxy(pki: Pki, target: () => number): Promise<TruncatingProxy> {
  const { certificate, key } = pki.serving;
  const server = createServer({ cert: certificate, key }, (asked, answer) => pass(asked, answer));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a server on a port has such an address
  const { port } = server.address() as AddressInfo;
  const proxy: TruncatingProxy = {
    port,
    endAfter: undefined,
    instead: "",
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;

  function pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { method, url = "", headers } = asked;
    const upstream = request(
      { host: "127.0.0.1", port: target(), ca: pki.authority, method, path: url, headers },
      (given) => {
        answer.writeHead(given.statusCode ?? 500, given.headers);
        let left = url.includes("watch=true") ? (proxy.endAfter?.() ?? Infinity) : Infinity;
        given.on("data", (chunk: Buffer) => {
          answer.write(chunk.subarray(0, left));
          left -= chunk.length;
          if (left > 0) return;
          answer.end(proxy.instead);
          upstream.destroy();
        });
        given.on("end", () => answer.end());
        given.on("error", () => answer.destroy());
      },
    );
    upstream.on("error", () => answer.destroy());
    answer.on("close", () => upstream.destroy());
    asked.pipe(upstream);
  }
}
