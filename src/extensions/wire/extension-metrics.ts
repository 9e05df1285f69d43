import { Counter, Histogram, type Registry } from "prom-client";
import type { GroupVersionHook } from "../catalog/group-version-hook.ts";

/** A call to an extension that has ended. */
export interface FinishedCall {
  /** With its port. */
  readonly host: string;
  readonly hook: GroupVersionHook;
  /** The HTTP status; undefined where none came back. */
  readonly code: number | undefined;
  /** The status in the answer; empty where there is none. */
  readonly status: string;
  readonly seconds: number;
}

/** Counts calls to extensions. */
export interface ExtensionMetrics {
  finished(call: FinishedCall): void;
}

const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

/** Counts nothing. */
export const noMetrics: ExtensionMetrics = { finished: () => undefined };

/** Counts calls in a registry of metrics, under the names that Cluster API uses. */
export function createExtensionMetrics(registry: Registry): ExtensionMetrics {
  const registers = [registry];
  const total = new Counter({
    name: "capi_runtime_sdk_requests_total",
    help: "Calls to runtime extensions by HTTP code, host, hook and the status in the answer.",
    labelNames: ["code", "host", "group", "version", "hook", "status"],
    registers,
  });
  const duration = new Histogram({
    name: "capi_runtime_sdk_request_duration_seconds",
    help: "How long calls to runtime extensions took, by host and hook.",
    labelNames: ["host", "group", "version", "hook"],
    buckets,
    registers,
  });
  return {
    finished({ host, hook: { group, version, hook }, code, status, seconds }) {
      const labels = { host, group, version, hook };
      total.inc({ ...labels, code: code ?? "<error>", status: status === "" ? "Unknown" : status });
      duration.observe(labels, seconds);
    },
  };
}
