import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "#machinery";
import type { RealServer } from "../derive-builtins/real-server.ts";

const mostOfAKind = 2;
const mediaType = "application/vnd.kubernetes.protobuf";

interface Pair {
  readonly name: string;
  readonly json: unknown;
  readonly protobuf: string;
}

// Kinds that are only answered, and a subresource: asked for once in each form.
const questions: Readonly<Record<string, JsonObject>> = {
  "/apis/authorization.k8s.io/v1/subjectaccessreviews": {
    spec: {
      user: "u",
      groups: ["g"],
      extra: { e: ["1", "2"] },
      resourceAttributes: {
        verb: "get",
        resource: "pods",
        labelSelector: { requirements: [{ key: "a", operator: "In", values: ["b"] }] },
      },
    },
  },
  "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews": {
    spec: { nonResourceAttributes: { path: "/", verb: "get" } },
  },
  "/apis/authentication.k8s.io/v1/selfsubjectreviews": {},
  "/apis/authentication.k8s.io/v1/tokenreviews": { spec: { token: "t", audiences: ["a"] } },
};

/** Keeps objects in both of the forms in which the real server gives them. */
export class ProtobufRecorder {
  readonly #server: RealServer;
  readonly #pairs = new Map<string, Pair[]>();

  constructor(server: RealServer) {
    this.#server = server;
  }

  /** Keeps what lies at a path, unless there is enough of its kind. */
  async record(resource: string, path: string): Promise<void> {
    const pairs = this.#pairs.get(resource) ?? [];
    if (pairs.length >= mostOfAKind) return;
    this.#pairs.set(resource, pairs);
    // A controller may write between the two answers; then they are asked for again.
    for (let left = 10; left > 0; left--) {
      const before = await this.#server.ask(path);
      const { body } = await this.#server.ask(path, { accept: mediaType });
      const after = await this.#server.ask(path);
      if (!before.body.equals(after.body)) continue;
      pairs.push({ name: path, json: JSON.parse(after.body.toString("utf8")), protobuf: body.toString("base64") });
      return;
    }
    throw new Error(`${path} never stays as it is`);
  }

  /** Writes all that was kept, with the answers to some questions. */
  async write(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    const reviews: Pair[] = [];
    for (const [path, body] of Object.entries(questions)) {
      const json = await this.#server.ask(path, { method: "POST", body });
      const binary = await this.#server.ask(path, { method: "POST", body, accept: mediaType });
      reviews.push({
        name: path,
        json: JSON.parse(json.body.toString("utf8")),
        protobuf: binary.body.toString("base64"),
      });
    }
    const missing = "/api/v1/namespaces/default/pods/missing";
    await this.record("statuses", missing);
    writePairs(join(folder, "reviews.json"), reviews);
    writePairs(join(folder, "objects.json"), [...this.#pairs.values()].flat());
  }
}

function writePairs(file: string, pairs: readonly Pair[]): void {
  writeFileSync(file, `[\n${pairs.map((pair) => JSON.stringify(pair)).join(",\n")}\n]\n`);
}
