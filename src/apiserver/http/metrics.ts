import type { Gauge, Registry } from "prom-client";
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
  const requests = new RequestSeries();
  const watches = new Set<{ readonly labels: RequestLabels }>();
  let gauges: Promise<Gauges> | undefined;
  return {
    finished: (labels, code, seconds) => requests.add(labels, code, seconds),
    watching(labels) {
      const watch = { labels };
      watches.add(watch);
      return () => watches.delete(watch);
    },
    async render() {
      const { registry, longRunning, stored, served, current, revision } = await (gauges ??= createGauges());
      longRunning.reset();
      for (const { labels } of watches) longRunning.inc({ ...labels, component: "apiserver" });
      for (const { definition, collection } of engine.resources.all()) {
        const { group, resource } = definition;
        stored.set({ resource: group === "" ? resource : `${resource}.${group}` }, collection.size);
        served.set({ resource, group }, collection.size);
      }
      current.set({ request_kind: "readOnly" }, inFlight.reads());
      current.set({ request_kind: "mutating" }, inFlight.writes());
      revision.set(engine.committer.published);
      return { text: `${requests.render()}\n${await registry.metrics()}`, contentType: registry.contentType };
    },
  };
}

interface Gauges {
  readonly registry: Registry;
  readonly longRunning: Gauge<(typeof names)[number]>;
  readonly stored: Gauge<"resource">;
  readonly served: Gauge<"resource" | "group">;
  readonly current: Gauge<"request_kind">;
  readonly revision: Gauge;
}

/** What is only known when somebody looks. The library comes with the first look, so that a start does not wait for it. */
async function createGauges(): Promise<Gauges> {
  const { collectDefaultMetrics, Gauge: GaugeOf, Registry: RegistryOf } = await import("prom-client");
  const registry = new RegistryOf();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const kept = "Objects that are kept, by resource.";
  return {
    registry,
    longRunning: new GaugeOf({
      name: "apiserver_longrunning_requests",
      help: "Watches that are open at the moment.",
      labelNames: names,
      registers,
    }),
    stored: new GaugeOf({ name: "apiserver_storage_objects", help: kept, labelNames: ["resource"], registers }),
    served: new GaugeOf({
      name: "apiserver_resource_objects",
      help: kept,
      labelNames: ["resource", "group"],
      registers,
    }),
    current: new GaugeOf({
      name: "apiserver_current_inflight_requests",
      help: "Requests under way that are neither watches nor waiting.",
      labelNames: ["request_kind"],
      registers,
    }),
    revision: new GaugeOf({ name: "apiserver_storage_revision", help: "The newest revision.", registers }),
  };
}
