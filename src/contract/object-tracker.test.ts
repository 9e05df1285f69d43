import { describe, expect, test } from "vitest";
import { ContextError, createFakeClock, createLogger, describeError, type Logger, parseTimestamp } from "#base";
import type { ServedKind } from "#client";
import type { KubeObject } from "#machinery";
import { type ExternalSource, ObjectTracker, type ObjectTrackerParts } from "./object-tracker.ts";
import type { ObjectEvent } from "./predicates.ts";
import { failureOf } from "./test-store.ts";

const machine = { apiVersion: "a.io/v1", kind: "FooMachine" };
const newerMachine = { ...machine, apiVersion: "a.io/v2" };

type Source = ExternalSource<string, string>;

describe("an object tracker", () => {
  test.each(["controller", "cache", "scheme", "predicateLogger"] as const)(
    "without its %s refuses to watch anything",
    async (missing) => {
      const { parts, sources, log } = setUp();
      const tracker = new ObjectTracker({ ...parts, [missing]: undefined });
      const text = "all of Controller, Cache, Scheme and PredicateLogger must be set for object tracker";
      expect(describeError(await failureOf(tracker.watch(machine, "first", { log })))).toBe(text);
      expect(describeError(await failureOf(tracker.watch(machine, "second", { log })))).toBe(text);
      expect(sources).toEqual([]);
    },
  );

  test("watches a kind when it is first asked for, and says so", async () => {
    const { tracker, sources, log, lines } = setUp();
    await tracker.watch(machine, "first", { log });
    expect(sources).toMatchObject([
      { cache: "cache", handler: "first", kind: { group: "a.io", version: "v1", kind: "FooMachine" } },
    ]);
    expect(lines.join("")).toContain('Adding watch on external object "a.io/v1, Kind=FooMachine"');
  });

  test("watches a kind once, in the version and for the handler that came first", async () => {
    const { tracker, sources, log } = setUp();
    await tracker.watch(machine, "first", { log });
    await tracker.watch(newerMachine, "second", { log });
    expect(sources.map(({ handler }) => handler)).toEqual(["first"]);
  });

  test("watches kinds of other names and groups besides", async () => {
    const { tracker, sources, log } = setUp();
    for (const kind of [machine, { ...machine, kind: "FooCluster" }, { ...machine, apiVersion: "b.io/v1" }])
      await tracker.watch(kind, "handler", { log });
    expect(sources).toHaveLength(3);
  });

  test("makes one watch for callers at the same time, and does not let the second wait", async () => {
    const pending: (() => void)[] = [];
    const { tracker, sources, log } = setUp(() => new Promise((resolve) => pending.push(resolve)));
    const first = tracker.watch(machine, "first", { log });
    await tracker.watch(machine, "second", { log });
    expect(sources).toHaveLength(1);
    for (const resolve of pending) resolve();
    await first;
    await tracker.watch(machine, "third", { log });
    expect(sources).toHaveLength(1);
  });

  test("forgets a watch that failed, and tries again when asked again", async () => {
    let failure: Error | undefined = new ContextError("boom");
    const { tracker, sources, log } = setUp(() =>
      failure === undefined ? Promise.resolve() : Promise.reject(failure),
    );
    const error = await failureOf(tracker.watch(machine, "first", { log }));
    expect(describeError(error)).toBe('failed to add watch on external object "a.io/v1, Kind=FooMachine": boom');
    failure = undefined;
    await tracker.watch(newerMachine, "second", { log });
    expect(sources.map(({ handler }) => handler)).toEqual(["first", "second"]);
  });

  test("prefers a kind that was declared to its names alone", async () => {
    const declared: ServedKind = {
      group: "a.io",
      version: "v1",
      kind: "FooMachine",
      resource: { group: "a.io", version: "v1", resource: "foomachines" },
      namespaced: true,
      is: (object): object is KubeObject => object.kind === "FooMachine",
    };
    const { parts, sources, log } = setUp();
    const tracker = new ObjectTracker({ ...parts, scheme: [declared] });
    await tracker.watch(machine, "handler", { log });
    expect(sources[0]?.kind).toBe(declared);
  });

  test("never tells of paused objects, and says so to its own logger", async () => {
    const { tracker, sources, log, lines } = setUp();
    await tracker.watch(machine, "handler", { log });
    const tells = sources[0]?.predicate ?? (() => undefined);
    expect(tells(added({ name: "m", namespace: "ns" }))).toBe(true);
    expect(tells(added({ name: "m", namespace: "ns", annotations: { "cluster.x-k8s.io/paused": "" } }))).toBe(false);
    expect(lines.at(-1)).toMatch(/paused.*FooMachine=ns\/m/);
  });

  test("asks the caller's predicates first, and whether the object is paused last", async () => {
    const { tracker, sources, log } = setUp();
    const predicates = [({ object }: ObjectEvent) => object.metadata.name !== "other"];
    await tracker.watch(machine, "handler", { log, predicates });
    const tells = sources[0]?.predicate ?? (() => undefined);
    expect(tells(added({ name: "m" }))).toBe(true);
    expect(tells(added({ name: "other" }))).toBe(false);
    expect(tells(added({ name: "m", annotations: { "cluster.x-k8s.io/paused": "" } }))).toBe(false);
  });
});

interface SetUp {
  readonly tracker: ObjectTracker<string, string>;
  readonly parts: ObjectTrackerParts<string, string>;
  readonly sources: readonly Source[];
  readonly log: Logger;
  readonly lines: readonly string[];
}

function setUp(watch: () => Promise<void> = () => Promise.resolve()): SetUp {
  const sources: Source[] = [];
  const lines: string[] = [];
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const log = createLogger({
    format: "text",
    level: "debug",
    clock,
    destination: { write: (line) => lines.push(line) },
  });
  const controller = {
    watch: (source: Source) => {
      sources.push(source);
      return watch();
    },
  };
  const parts = { controller, cache: "cache", scheme: [], predicateLogger: log };
  return { tracker: new ObjectTracker(parts), parts, sources, log, lines };
}

function added(metadata: KubeObject["metadata"]): ObjectEvent {
  return { kind: "added", object: { ...machine, metadata }, initial: false };
}
