import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { Duration } from "#base";

/** Takes numbers about reviews. */
export interface WebhookMetrics {
  /** A review has begun; the answer is called with the HTTP status and the time when it has ended. */
  begun(path: string): (ended: { readonly code: number; readonly took: Duration }) => void;
}

const buckets = Array.from({ length: 12 }, (_, exponent) => 10 ** (exponent - 8));

/** Keeps numbers about reviews in a registry, under the names that controller-runtime gives them. */
export function webhookMetricsIn(registry: Registry): WebhookMetrics {
  const registers = [registry];
  const latency = new Histogram({
    name: "controller_runtime_webhook_latency_seconds",
    help: "How long reviews took.",
    labelNames: ["webhook"],
    buckets,
    registers,
  });
  const total = new Counter({
    name: "controller_runtime_webhook_requests_total",
    help: "Reviews by the HTTP status of their answer.",
    labelNames: ["webhook", "code"],
    registers,
  });
  const inFlight = new Gauge({
    name: "controller_runtime_webhook_requests_in_flight",
    help: "Reviews under way.",
    labelNames: ["webhook"],
    registers,
  });
  return {
    begun(webhook) {
      inFlight.inc({ webhook });
      return ({ code, took }) => {
        inFlight.dec({ webhook });
        latency.observe({ webhook }, took / 1000);
        total.inc({ webhook, code: String(code) });
      };
    },
  };
}
