import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { Engine } from "#apiserver/registry";
import { RequestSeries } from "./request-series.ts";

/** What a request was, as metrics tell requests apart. */
export interface RequestLabels {
  readonly verb: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly scope: "resource" | "namespace" | "cluster" | "";
}

/** Counts what the server does, under the names that the real one uses. */
export interface Metrics {
  /** A request has been answered. */
  finished(labels: RequestLabels, code: number, seconds: number): void;
  /** A watch begins; the answer ends it. */
  watching(labels: RequestLabels): () => void;
  render(): Promise<{ readonly text: string; readonly contentType: string }>;
}

const names = ["verb", "group", "version", "resource", "subresource", "scope", "component"] as const;

export function createMetrics(
  engine: Engine,
  inFlight: { readonly reads: () => number; readonly writes: () => number },
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new RequestSeries();
  const longRunning = new Gauge({
    name: "apiserver_longrunning_requests",
    help: "Watches that are open at the moment.",
    labelNames: names,
    registers,
  });
  const objects = ["apiserver_storage_objects", "apiserver_resource_objects"].map(
    (name) =>
      new Gauge({ name, help: "Objects that are kept, by resource.", labelNames: ["resource", "group"], registers }),
  );
  const current = new Gauge({
    name: "apiserver_current_inflight_requests",
    help: "Requests under way that are neither watches nor waiting.",
    labelNames: ["request_kind"],
    registers,
  });
  const revision = new Gauge({ name: "apiserver_storage_revision", help: "The newest revision.", registers });
  return {
    finished: (labels, code, seconds) => requests.add(labels, code, seconds),
    watching(labels) {
      const all = { ...labels, component: "apiserver" };
      longRunning.inc(all);
      return () => longRunning.dec(all);
    },
    async render() {
      for (const { definition, collection } of engine.resources.all()) {
        const { group, resource } = definition;
        const [old, recent] = objects;
        old?.set({ resource: group === "" ? resource : `${resource}.${group}` }, collection.size);
        recent?.set({ resource, group }, collection.size);
      }
      current.set({ request_kind: "readOnly" }, inFlight.reads());
      current.set({ request_kind: "mutating" }, inFlight.writes());
      revision.set(engine.committer.published);
      return { text: `${requests.render()}\n${await registry.metrics()}`, contentType: registry.contentType };
    },
  };
}
