import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { load } from "js-yaml";
import type { JsonObject } from "#machinery";

/** What a server answered. */
export interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

/** A real kube-apiserver, reached with the client certificate of a kubeconfig. */
export class RealServer {
  readonly #url: string;
  readonly #agent: Agent;

  constructor(kubeconfig: string) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a kubeconfig of our own making
    const config = load(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
    const [{ cluster }] = config.clusters;
    const [{ user }] = config.users;
    this.#url = cluster.server;
    this.#agent = new Agent({
      keepAlive: true,
      ca: decode(cluster["certificate-authority-data"]),
      cert: decode(user["client-certificate-data"]),
      key: decode(user["client-key-data"]),
    });
  }

  call(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: { "content-type": contentType } };
      const sent = request(`${this.#url}${path}`, options, (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("error", reject);
        response.on("end", () => {
          resolve({ code: response.statusCode ?? 0, body: parsed(text) });
        });
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

interface Kubeconfig {
  readonly clusters: readonly [
    { readonly cluster: { readonly server: string; readonly "certificate-authority-data": string } },
  ];
  readonly users: readonly [
    { readonly user: { readonly "client-certificate-data": string; readonly "client-key-data": string } },
  ];
}

function decode(base64: string): Buffer {
  return Buffer.from(base64, "base64");
}

/** An answer that is no JSON, such as a plain 404, becomes a message. */
function parsed(text: string): JsonObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API answers nothing but objects
  return text.startsWith("{") ? (JSON.parse(text) as JsonObject) : { message: text };
}
