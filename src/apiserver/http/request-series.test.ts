import { expect, test } from "vitest";
import type { RequestLabels } from "./metrics.ts";
import { RequestSeries } from "./request-series.ts";

const labels: RequestLabels = {
  verb: "GET",
  group: "",
  version: "v1",
  resource: "pods",
  subresource: "",
  scope: "resource",
};
const text = 'verb="GET",group="",version="v1",resource="pods",subresource="",scope="resource",component="apiserver"';

test("requests are counted by code, and fall into the buckets of their durations", () => {
  const series = new RequestSeries();
  series.add(labels, 200, 0.005);
  series.add(labels, 200, 0.3);
  series.add(labels, 404, 100);
  const lines = series.render().split("\n");
  expect(lines).toContain(`apiserver_request_total{${text},code="200"} 2`);
  expect(lines).toContain(`apiserver_request_total{${text},code="404"} 1`);
  const bucket = (bound: string) =>
    lines.find((line) => line.startsWith(`apiserver_request_duration_seconds_bucket{${text},le="${bound}"`));
  expect(["0.005", "0.2", "0.4", "60", "+Inf"].map((bound) => bucket(bound)?.split(" ").at(-1))).toEqual([
    "1",
    "1",
    "2",
    "2",
    "3",
  ]);
  expect(lines).toContain(`apiserver_request_duration_seconds_sum{${text}} 100.305`);
  expect(lines).toContain(`apiserver_request_duration_seconds_count{${text}} 3`);
});

test("a watch is counted, but how long somebody watched is no measure", () => {
  const series = new RequestSeries();
  series.add({ ...labels, verb: "WATCH" }, 200, 1000);
  expect(series.render()).toContain("apiserver_request_total{");
  expect(series.render()).not.toContain("apiserver_request_duration_seconds_count{");
});
