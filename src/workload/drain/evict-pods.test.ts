import { expect, test } from "vitest";
import { createFakeClock, createLogger, parseTimestamp, seconds } from "#base";
import { createClient } from "#client";
import { ApiError, type KubeObject, notFound, type Transport } from "#machinery";
import type { Pod } from "../core-kinds.ts";
import { evictPods, isDrained } from "./evict-pods.ts";
import type { DecidedPod } from "./pods-on-node.ts";

const clock = createFakeClock(parseTimestamp("2025-01-15T12:00:00Z"));
const log = createLogger({ format: "text", level: "error", clock, destination: { write: () => undefined } });

function evicting(answer: (name: string) => unknown) {
  const evictions: KubeObject[] = [];
  const refused = (): never => {
    throw new Error("only evictions are created");
  };
  const others = { get: refused, list: refused, update: refused, patch: refused, apply: refused, delete: refused };
  const transport: Transport = {
    ...others,
    watch: refused,
    deleteCollection: refused,
    discover: refused,
    async create(_resource, object, options) {
      expect(options?.subresource).toBe("eviction");
      evictions.push(object);
      const problem = await answer(object.metadata.name ?? "");
      if (problem !== undefined) throw problem;
      return object;
    },
  };
  return { evictions, options: { client: createClient(transport, { clock }), clock, log } };
}

function evict(name: string, order = 0): DecidedPod {
  return { pod: aPod(name), decision: { kind: "evict", order, warnings: [] } };
}

function aPod(name: string): Pod {
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace: "n", name } };
}

test("a Pod that is gone already is not waited for", async () => {
  const { options } = evicting((name) => notFound({ group: "", resource: "pods" }, name));
  expect(isDrained(await evictPods([evict("a")], options))).toBe(true);
});

test("refusals are told by what they say", async () => {
  const problems: Readonly<Record<string, Error>> = {
    budget: new ApiError({
      httpCode: 429,
      reason: "TooManyRequests",
      message: "Cannot evict pod as it would violate the pod's disruption budget.",
      details: { causes: [{ reason: "DisruptionBudget", message: "The disruption budget b needs 1" }] },
    }),
    ending: new ApiError({
      httpCode: 403,
      reason: "Forbidden",
      message: 'pods "ending" is forbidden: unable to create new content in namespace n because it is being terminated',
      details: { causes: [{ reason: "NamespaceTerminating", message: "namespace n is being terminated" }] },
    }),
    forbidden: new ApiError({ httpCode: 403, reason: "Forbidden", message: "forbidden" }),
    broken: new Error("connection reset"),
  };
  const { options } = evicting((name) => problems[name]);
  const { failed } = await evictPods(
    Object.keys(problems).map((name) => evict(name)),
    options,
  );
  expect(Object.fromEntries(failed)).toEqual({
    "Cannot evict pod as it would violate the pod's disruption budget. The disruption budget b needs 1": ["n/budget"],
    "Cannot evict pod from terminating namespace: unable to create eviction (kube-controller-manager should set deletionTimestamp)":
      ["n/ending"],
    forbidden: ["n/forbidden"],
    "connection reset": ["n/broken"],
  });
});

test("only the lowest order that is there is touched, be it only because one of it is on its way out", async () => {
  const { evictions, options } = evicting(() => undefined);
  const leaving = evict("leaving", 1);
  const gone = { ...leaving.pod.metadata, deletionTimestamp: parseTimestamp("2025-01-15T11:00:00Z") };
  const result = await evictPods(
    [
      { ...leaving, pod: { ...leaving.pod, metadata: gone } },
      evict("later", 2),
      { pod: aPod("stays"), decision: { kind: "skip", why: "static Pod" } },
      { pod: aPod("done"), decision: { kind: "completed" } },
    ],
    options,
  );
  expect(evictions).toEqual([]);
  expect(result).toEqual({
    leaving: ["n/leaving"],
    failed: new Map(),
    awaited: [],
    later: ["n/later"],
    awaitedLater: [],
    ignored: ["n/stays", "n/done"],
  });
});

test("Pods that are to complete come before those with a higher order, and after those with a lower one", async () => {
  const { evictions, options } = evicting(() => undefined);
  const waiting: DecidedPod = { pod: aPod("job"), decision: { kind: "wait-completed", order: 0 } };
  expect(await evictPods([waiting, evict("later", 1)], options)).toMatchObject({
    awaited: ["n/job"],
    later: ["n/later"],
  });
  expect(evictions).toEqual([]);
  expect(await evictPods([waiting, evict("now", -1)], options)).toMatchObject({
    leaving: ["n/now"],
    awaitedLater: ["n/job"],
  });
});

test("a pass evicts for ten seconds, and the next one goes on", async () => {
  const { evictions, options } = evicting(() => clock.sleep(seconds(4)));
  const pods = ["a", "b", "c", "d", "e"].map((name) => evict(name));
  const result = evictPods(pods, { ...options, gracePeriodSeconds: 1 });
  await clock.advance(seconds(20));
  expect(await result).toMatchObject({
    leaving: ["n/a", "n/b", "n/c"],
    failed: new Map([["eviction timeout of 10s reached, eviction will be retried", ["n/d", "n/e"]]]),
  });
  expect(evictions[0]).toEqual({
    apiVersion: "policy/v1",
    kind: "Eviction",
    metadata: { namespace: "n", name: "a" },
    deleteOptions: { gracePeriodSeconds: 1 },
  });
});
