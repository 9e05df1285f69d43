import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { load } from "js-yaml";
import { decodeJson, fieldAt, type Json } from "#machinery";

export interface Answer {
  readonly code: number;
  readonly body: Json;
}

/** Headers by name; a list is sent as several headers. */
export type Headers = { readonly [name: string]: string | readonly string[] };

/** Asks a server, as its administrator unless headers say that it shall be someone else. */
export interface Connection {
  ask(method: string, path: string, body?: Json, headers?: Headers): Promise<Answer>;
  close(): void;
}

/** Connects to the server that a kubeconfig with client certificates names. */
export function connectAs(kubeconfig: string): Connection {
  const config = load(readFileSync(kubeconfig, "utf8"));
  const first = (list: string, member: string) => {
    const entries = fieldAt(config, list);
    return Array.isArray(entries) ? fieldAt(entries[0], member) : undefined;
  };
  const [cluster, user] = [first("clusters", "cluster"), first("users", "user")];
  const pem = (value: unknown) => Buffer.from(String(value), "base64");
  const ca = pem(fieldAt(cluster, "certificate-authority-data"));
  const administrator = {
    cert: pem(fieldAt(user, "client-certificate-data")),
    key: pem(fieldAt(user, "client-key-data")),
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca, ...administrator });
  const nobody = new Agent({ keepAlive: true, maxSockets: 1, ca });
  const server = String(fieldAt(cluster, "server"));
  return {
    ask: (method, path, body, headers = {}) =>
      new Promise((resolve, reject) => {
        const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
        const all = { ...headers, ...(body === undefined ? {} : { "content-type": type }) };
        // Who brings a token along shows no certificate, which would count first.
        const through = headers["authorization"] === undefined ? agent : nobody;
        const call = request(`${server}${path}`, { agent: through, method }, (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => resolve({ code: response.statusCode ?? 0, body: bodyIn(Buffer.concat(parts)) }));
        });
        for (const [name, value] of Object.entries(all)) call.setHeader(name, value);
        call.on("error", reject);
        call.end(body === undefined ? undefined : JSON.stringify(body));
      }),
    close() {
      agent.destroy();
      nobody.destroy();
    },
  };
}

/** Some paths answer in plain text. */
function bodyIn(bytes: Buffer): Json {
  const text = bytes.toString("utf8");
  return text.startsWith("{") ? decodeJson(bytes).value : text;
}
