import { expect, test } from "vitest";
import { createFakeClock, findError, parseTimestamp, seconds } from "#base";
import { DeadlineExceededError } from "#client";
import type { CallOptions, Transport } from "#machinery";
import { ClusterNotConnectedError } from "../errors.ts";
import { boundedTransport } from "./bounded-transport.ts";

const nodes = { group: "", version: "v1", resource: "nodes" };
const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n" } };

/** Never answers, whatever it is asked, until it is told not to wait any more. */
function silent(options: CallOptions = {}): Promise<never> {
  return new Promise((_resolve, reject) => {
    options.signal?.addEventListener("abort", () => reject(options.signal?.reason), { once: true });
  });
}

const silence: Transport = {
  get: (_resource, _key, options) => silent(options),
  list: (_resource, options) => silent(options),
  create: (_resource, _object, options) => silent(options),
  update: (_resource, _object, options) => silent(options),
  patch: (_resource, _key, _patch, options) => silent(options),
  apply: (_resource, _object, options) => silent(options),
  delete: (_resource, _key, options) => silent(options),
  deleteCollection: (_resource, options) => silent(options),
  discover: (options) => silent(options),
  async *watch(_resource, options) {
    // Whoever stops a watch sees it end.
    yield* await silent(options).catch(() => []);
  },
};

const calls: Readonly<Record<string, (transport: Transport, options?: CallOptions) => Promise<unknown>>> = {
  get: (transport, options) => transport.get(nodes, { name: "n" }, options),
  list: (transport, options) => transport.list(nodes, options),
  create: (transport, options) => transport.create(nodes, node, options),
  update: (transport, options) => transport.update(nodes, node, options),
  patch: (transport, options) => transport.patch(nodes, { name: "n" }, { kind: "merge", patch: {} }, options),
  apply: (transport, options) => transport.apply(nodes, node, { fieldManager: "m", ...options }),
  delete: (transport, options) => transport.delete(nodes, { name: "n" }, options),
  deletecollection: (transport, options) => transport.deleteCollection(nodes, options),
  discover: (transport, options) => transport.discover(options),
};

function bounded() {
  const clock = createFakeClock(parseTimestamp("2025-01-15T12:00:00Z"));
  const ending = new AbortController();
  const transport = boundedTransport(silence, { clock, timeout: seconds(10), signal: ending.signal });
  return { clock, ending, transport };
}

test.each(Object.entries(calls))("%s ends in time, with the cluster, and with its caller", async (verb, call) => {
  const { clock, ending, transport } = bounded();
  const late = call(transport).catch((error: unknown) => error);
  await clock.advance(seconds(10));
  expect(await late).toBeInstanceOf(DeadlineExceededError);
  expect(String(await late)).toContain(`${verb} with its retries took longer than 10s`);

  const stop = new AbortController();
  const stopped = call(transport, { signal: stop.signal }).catch((error: unknown) => error);
  stop.abort(new Error("enough"));
  expect(String(await stopped)).toContain("enough");

  const cut = call(transport).catch((error: unknown) => error);
  ending.abort(new ClusterNotConnectedError());
  expect(findError(await cut, ClusterNotConnectedError)).toBeDefined();
  const after = await call(transport).catch((error: unknown) => error);
  expect(findError(after, ClusterNotConnectedError)).toBeDefined();
  expect(clock.sleepers).toBe(0);
});

test("a watch goes on until the cluster or its caller ends it", async () => {
  const { clock, ending, transport } = bounded();
  const drained = async (options?: CallOptions): Promise<unknown> => {
    for await (const event of transport.watch(nodes, options)) return event;
    return "ended";
  };
  const stop = new AbortController();
  const stopped = drained({ signal: stop.signal });
  const cut = drained().catch((error: unknown) => error);
  await clock.advance(seconds(3600));
  stop.abort();
  expect(await stopped).toBe("ended");
  ending.abort(new ClusterNotConnectedError());
  expect(await cut).toBeInstanceOf(ClusterNotConnectedError);
});
