import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { load } from "js-yaml";
import { fieldAt, type Json } from "#machinery";

export interface Answer {
  readonly code: number;
  /** The server's time when it answered. */
  readonly date: string;
  readonly body: Buffer;
}

export interface Question {
  readonly method?: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly body?: Json | Buffer;
}

/** A running kube-apiserver, asked over HTTPS with the certificates of a kubeconfig. */
export class RealServer {
  readonly #base: string;
  readonly #agent: Agent;

  constructor(kubeconfig: string) {
    const config: unknown = load(readFileSync(kubeconfig, "utf8"));
    const cluster = firstOf(config, "clusters", "cluster");
    const user = firstOf(config, "users", "user");
    this.#base = String(fieldAt(cluster, "server"));
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: 1,
      ca: pem(fieldAt(cluster, "certificate-authority-data")),
      cert: pem(fieldAt(user, "client-certificate-data")),
      key: pem(fieldAt(user, "client-key-data")),
    });
  }

  ask(path: string, question: Question = {}): Promise<Answer> {
    const { method = "GET", accept = "application/json", contentType = "application/json", body } = question;
    const payload = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const headers = { accept, ...(payload === undefined ? {} : { "content-type": contentType }) };
    return new Promise((resolve, reject) => {
      const call = request(`${this.#base}${path}`, { agent: this.#agent, method, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const date = new Date(response.headers.date ?? 0).toISOString();
          resolve({ code: response.statusCode ?? 0, date, body: Buffer.concat(parts) });
        });
      });
      call.on("error", reject);
      call.end(payload);
    });
  }

  /** The JSON answer to a GET; anything but 200 is an error. */
  async read(path: string): Promise<unknown> {
    const { code, body } = await this.ask(path);
    if (code !== 200) throw new Error(`GET ${path}: ${code}: ${body.toString("utf8").slice(0, 300)}`);
    return JSON.parse(body.toString("utf8"));
  }

  close(): void {
    this.#agent.destroy();
  }
}

function firstOf(config: unknown, list: string, member: string): unknown {
  const entries = fieldAt(config, list);
  return Array.isArray(entries) ? fieldAt(entries[0], member) : undefined;
}

function pem(data: unknown): string {
  return Buffer.from(String(data), "base64").toString("utf8");
}
