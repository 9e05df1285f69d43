import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { cacheMetricsIn } from "./prometheus-metrics.ts";

test("numbers are served under the names of reflectors, by kind", async () => {
  const registry = new Registry();
  const metrics = cacheMetricsIn(registry);
  metrics.add("reflector_lists_total", "Machine");
  metrics.observe("reflector_items_per_list", "Machine", 3);
  metrics.set("reflector_last_resource_version", "Machine", 42);
  const text = await registry.metrics();
  expect(text).toContain('reflector_lists_total{name="Machine"} 1');
  expect(text).toContain('reflector_items_per_list_sum{name="Machine"} 3');
  expect(text).toContain('reflector_last_resource_version{name="Machine"} 42');
});
