import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { fieldAt } from "#machinery";

/** What a server answered. */
export interface WireAnswer {
  readonly code: number;
  readonly body: Buffer;
}

/** A client as managers are: HTTP/2 over TLS with a certificate. */
export interface WireClient {
  call(method: string, path: string, body?: string, contentType?: string): Promise<WireAnswer>;
  /** Opens a watch; tells the bytes of every chunk. */
  watch(path: string, onChunk: (chunk: Buffer) => void): ClientHttp2Stream;
  close(): void;
}

export function connectWire(kubeconfig: unknown): WireClient {
  const cluster = first(kubeconfig, "clusters", "cluster");
  const user = first(kubeconfig, "users", "user");
  const session: ClientHttp2Session = connect(String(fieldAt(cluster, "server")), {
    ca: decoded(fieldAt(cluster, "certificate-authority-data")),
    cert: decoded(fieldAt(user, "client-certificate-data")),
    key: decoded(fieldAt(user, "client-key-data")),
    settings: { initialWindowSize: 4 * 1024 * 1024 },
  });
  session.once("connect", () => session.setLocalWindowSize(16 * 1024 * 1024));
  return {
    call: (method, path, body, contentType = "application/json") =>
      new Promise((resolve, reject) => {
        const stream = session.request({
          ":method": method,
          ":path": path,
          "user-agent": "bench/1",
          ...(body === undefined ? {} : { "content-type": contentType }),
        });
        const chunks: Buffer[] = [];
        let code = 0;
        stream.on("response", (headers) => {
          code = Number(headers[":status"]);
        });
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => resolve({ code, body: Buffer.concat(chunks) }));
        stream.on("error", reject);
        stream.end(body);
      }),
    watch(path, onChunk) {
      const stream = session.request({ ":method": "GET", ":path": path, "user-agent": "bench/1" });
      stream.on("data", onChunk);
      stream.on("error", () => undefined);
      return stream;
    },
    close: () => session.destroy(),
  };
}

function first(config: unknown, list: string, name: string): unknown {
  const members = fieldAt(config, list);
  return Array.isArray(members) ? fieldAt(members[0], name) : undefined;
}

function decoded(text: unknown): Buffer {
  return Buffer.from(String(text), "base64");
}
