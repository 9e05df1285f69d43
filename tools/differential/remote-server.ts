import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { Agent, request } from "node:https";
import { fieldAt, parseYaml } from "#machinery";

/** A request as it goes over the wire. */
export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Without the client certificate of the kubeconfig. */
  readonly anonymous?: boolean;
}

/** What a server answered, as it came over the wire. */
export interface Answer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const deadlineMilliseconds = 30_000;

/** An API server, reached with the client certificate of a kubeconfig. */
export class RemoteServer {
  readonly #url: string;
  readonly #admin: Agent;
  readonly #anonymous: Agent;

  constructor(kubeconfig: string) {
    const config = parseYaml(readFileSync(kubeconfig));
    const cluster = firstOf(config, "clusters", "cluster");
    const user = firstOf(config, "users", "user");
    const ca = decoded(cluster, "certificate-authority-data");
    this.#url = String(fieldAt(cluster, "server"));
    this.#anonymous = new Agent({ keepAlive: true, ca });
    this.#admin = new Agent({
      keepAlive: true,
      ca,
      cert: decoded(user, "client-certificate-data"),
      key: decoded(user, "client-key-data"),
    });
  }

  call({ method, path, headers = {}, body, anonymous = false }: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const agent = anonymous ? this.#anonymous : this.#admin;
      const bytes = body === undefined ? undefined : Buffer.from(body);
      const length = bytes === undefined ? {} : { "content-length": String(bytes.length) };
      const sent = request(`${this.#url}${path}`, { method, agent, headers: { ...length, ...headers } }, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ code: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.setTimeout(deadlineMilliseconds, () => sent.destroy(new Error(`${method} ${path}: no answer in 30 s`)));
      sent.on("error", reject);
      sent.end(bytes);
    });
  }

  close(): void {
    this.#admin.destroy();
    this.#anonymous.destroy();
  }
}

function firstOf(config: unknown, list: string, name: string): unknown {
  const members = fieldAt(config, list);
  return Array.isArray(members) ? fieldAt(members[0], name) : undefined;
}

function decoded(from: unknown, name: string): Buffer {
  const text = fieldAt(from, name);
  if (typeof text !== "string") throw new Error(`the kubeconfig has no ${name}`);
  return Buffer.from(text, "base64");
}
