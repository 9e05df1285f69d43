import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Engine } from "#apiserver/registry";

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
const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

export function createMetrics(
  engine: Engine,
  inFlight: { readonly reads: () => number; readonly writes: () => number },
): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const total = new Counter({
    name: "apiserver_request_total",
    help: "Answered requests by verb, group, version, resource, subresource, scope and HTTP code.",
    labelNames: [...names, "code"],
    registers,
  });
  const duration = new Histogram({
    name: "apiserver_request_duration_seconds",
    help: "How long requests took, by verb, group, version, resource, subresource and scope.",
    labelNames: names,
    buckets,
    registers,
  });
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
    finished(labels, code, seconds) {
      const all = { ...labels, component: "apiserver" };
      total.inc({ ...all, code });
      if (labels.verb !== "WATCH") duration.observe(all, seconds);
    },
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
      return { text: await registry.metrics(), contentType: registry.contentType };
    },
  };
}
