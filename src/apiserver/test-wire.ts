import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2 } from "node:http2";
import { request } from "node:https";
import { join } from "node:path";
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from "node:tls";
import type { Security, TlsFiles } from "#apiserver/http";

const folder = join(import.meta.dirname, "../../test/fixtures/tls");
const read = (name: string) => readFileSync(join(folder, name), "utf8");

export const testAuthority = read("ca.crt");

/** What a server in a test shows. */
export const testTls: TlsFiles = { cert: read("server.crt"), key: read("server.key"), clientCa: testAuthority };

/** What a client in a test shows. */
export function identity(name: "admin" | "joe" | "stranger"): { readonly cert: string; readonly key: string } {
  return { cert: read(`${name}.crt`), key: read(`${name}.key`) };
}

/** Everyone may do everything; the certificate says who it is. */
export const permissive: Security = {
  authenticate: ({ tlsPeer }) =>
    Promise.resolve({
      name: tlsPeer === undefined ? "system:anonymous" : String(tlsPeer.certificate.subject.CN),
      groups: tlsPeer?.certificate.subject.O === "system:masters" ? ["system:masters"] : ["people"],
    }),
  authorize: () => Promise.resolve(),
};

export interface WireAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface WireCall {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly as?: "admin" | "joe" | "stranger";
}

/** One request in HTTP/1.1. */
export function call(port: number, path: string, { method = "GET", headers = {}, body, as = "admin" }: WireCall = {}) {
  return new Promise<WireAnswer>((resolve, reject) => {
    const options = {
      port,
      host: "127.0.0.1",
      path,
      method,
      headers,
      ca: testAuthority,
      agent: false,
      ...identity(as),
    };
    const sent = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          code: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A connection in HTTP/2. */
export function openSession(port: number): ClientHttp2Session {
  const session = connectHttp2(`https://127.0.0.1:${port}`, { ca: testAuthority, ...identity("admin") });
  session.on("error", () => undefined);
  return session;
}

/** A bare connection, for clients that do not keep to the rules. */
export function openSocket(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const socket = connectTls(
      { port, host: "127.0.0.1", ca: testAuthority, ...identity("admin"), ALPNProtocols: ["http/1.1"], ...options },
      () => resolve(socket),
    );
    socket.on("error", reject);
  });
}

/** Everything that a socket still receives until it is closed. */
export function untilClosed(socket: TLSSocket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    socket.on("close", () => resolve(text));
    socket.on("error", () => resolve(text));
  });
}
