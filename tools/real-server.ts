import { readFileSync } from "node:fs";
import { request } from "node:https";
import { decodeJson, fieldAt, isJsonObject, type JsonObject } from "#machinery";
import { load } from "js-yaml";

/** What a server answered. */
export interface Answer {
  readonly status: number;
  readonly body: JsonObject;
}

/** Calls a server: the method, the path, and the object to send. */
export type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** Calls the API server that a kubeconfig with client certificates names. */
export function connectTo(kubeconfig: string): Call {
  const config = load(readFileSync(kubeconfig, "utf8"));
  const cluster = firstOf(config, "clusters", "cluster");
  const user = firstOf(config, "users", "user");
  const server = String(fieldAt(cluster, "server"));
  const tls = {
    ca: decoded(fieldAt(cluster, "certificate-authority-data")),
    cert: decoded(fieldAt(user, "client-certificate-data")),
    key: decoded(fieldAt(user, "client-key-data")),
  };
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const headers = body === undefined ? {} : { "content-type": "application/json" };
      const call = request(new URL(path, server), { method, headers, ...tls }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: objectIn(Buffer.concat(chunks)) }));
      });
      call.on("error", reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
}

function firstOf(config: unknown, list: string, name: string): unknown {
  const members = fieldAt(config, list);
  return Array.isArray(members) ? fieldAt(members[0], name) : undefined;
}

function decoded(text: unknown): Buffer {
  return Buffer.from(String(text), "base64");
}

function objectIn(bytes: Buffer): JsonObject {
  const { value } = decodeJson(bytes);
  if (!isJsonObject(value)) throw new Error(`the server answered ${bytes.toString()}`);
  return value;
}
