import { describe, expect, test } from "vitest";
import { ContextError, createFakeClock, createLogger, describeError, type Logger, parseTimestamp } from "#base";
import type { AnyKind, ServedKind } from "#client";
import type { CacheChange, KeysOf, Predicate } from "#control";
import type { KubeObject } from "#machinery";
import { ObjectTracker, type ObjectTrackerParts } from "./object-tracker.ts";
import { failureOf } from "./test-store.ts";

const machine = { apiVersion: "a.io/v1", kind: "FooMachine" };
const newerMachine = { ...machine, apiVersion: "a.io/v2" };
const first: KeysOf<KubeObject> = () => [{ name: "first" }];
const second: KeysOf<KubeObject> = () => [{ name: "second" }];

/** What the controller was asked to watch. */
interface Added {
  readonly kind: AnyKind;
  readonly handler: unknown;
  readonly tells: Predicate;
}

describe("an object tracker", () => {
  test.each(["controller", "cache", "scheme", "predicateLogger"] as const)(
    "without its %s refuses to watch anything",
    async (missing) => {
      const { parts, added, log } = setUp();
      const tracker = new ObjectTracker({ ...parts, [missing]: undefined });
      const text = "all of Controller, Cache, Scheme and PredicateLogger must be set for object tracker";
      expect(describeError(await failureOf(tracker.watch(machine, first, { log })))).toBe(text);
      expect(describeError(await failureOf(tracker.watch(machine, second, { log })))).toBe(text);
      expect(added).toEqual([]);
    },
  );

  test("watches a kind when it is first asked for, and says so", async () => {
    const { tracker, added, log, lines } = setUp();
    await tracker.watch(machine, first, { log });
    expect(added).toMatchObject([{ kind: { group: "a.io", version: "v1", kind: "FooMachine" }, handler: first }]);
    expect(lines.join("")).toContain('Adding watch on external object "a.io/v1, Kind=FooMachine"');
  });

  test("watches a kind once, in the version and for the handler that came first", async () => {
    const { tracker, added, log } = setUp();
    await tracker.watch(machine, first, { log });
    await tracker.watch(newerMachine, second, { log });
    expect(added.map(({ handler }) => handler)).toEqual([first]);
  });

  test("watches kinds of other names and groups besides", async () => {
    const { tracker, added, log } = setUp();
    for (const kind of [machine, { ...machine, kind: "FooCluster" }, { ...machine, apiVersion: "b.io/v1" }])
      await tracker.watch(kind, first, { log });
    expect(added).toHaveLength(3);
  });

  test("makes one watch for callers at the same time, and does not let the second wait", async () => {
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { tracker, added, log } = setUp(() => gate);
    const adding = tracker.watch(machine, first, { log });
    await tracker.watch(machine, second, { log });
    open();
    await adding;
    await tracker.watch(machine, second, { log });
    expect(added.map(({ handler }) => handler)).toEqual([first]);
  });

  test("opens the cache of the kind before anything is watched, and fails where it cannot", async () => {
    const { tracker, parts, added, opened, log } = setUp();
    await tracker.watch(machine, first, { log });
    expect(opened).toEqual(added.map(({ kind }) => kind));

    const closed = { of: () => Promise.reject(new ContextError("no such kind")) };
    const error = await failureOf(new ObjectTracker({ ...parts, cache: closed }).watch(machine, first, { log }));
    expect(describeError(error)).toBe(
      'failed to add watch on external object "a.io/v1, Kind=FooMachine": no such kind',
    );
    expect(added).toHaveLength(1);
  });

  test("forgets a watch that failed, and tries again when asked again", async () => {
    let failure: Error | undefined = new ContextError("boom");
    const { tracker, added, log } = setUp(() => (failure === undefined ? Promise.resolve() : Promise.reject(failure)));
    const error = await failureOf(tracker.watch(machine, first, { log }));
    expect(describeError(error)).toBe('failed to add watch on external object "a.io/v1, Kind=FooMachine": boom');
    failure = undefined;
    await tracker.watch(newerMachine, second, { log });
    expect(added.map(({ handler }) => handler)).toEqual([first, second]);
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
    const { parts, added, log } = setUp();
    const tracker = new ObjectTracker({ ...parts, scheme: [declared] });
    await tracker.watch(machine, first, { log });
    expect(added[0]?.kind).toBe(declared);
  });

  test("never tells of paused objects, and says so to its own logger", async () => {
    const { tracker, added, log, lines } = setUp();
    await tracker.watch(machine, first, { log });
    const tells = added[0]?.tells ?? (() => undefined);
    expect(tells(appeared({ name: "m", namespace: "ns" }))).toBe(true);
    expect(tells(appeared({ name: "m", namespace: "ns", annotations: { "cluster.x-k8s.io/paused": "" } }))).toBe(false);
    expect(lines.at(-1)).toMatch(/paused.*FooMachine=ns\/m/);
  });

  test("asks the caller's predicates first, and whether the object is paused last", async () => {
    const { tracker, added, log } = setUp();
    const predicates = [({ object }: CacheChange) => object.metadata.name !== "other"];
    await tracker.watch(machine, first, { log, predicates });
    const tells = added[0]?.tells ?? (() => undefined);
    expect(tells(appeared({ name: "m" }))).toBe(true);
    expect(tells(appeared({ name: "other" }))).toBe(false);
    expect(tells(appeared({ name: "m", annotations: { "cluster.x-k8s.io/paused": "" } }))).toBe(false);
  });
});

interface SetUp {
  readonly tracker: ObjectTracker;
  readonly parts: ObjectTrackerParts;
  readonly added: readonly Added[];
  readonly opened: readonly AnyKind[];
  readonly log: Logger;
  readonly lines: readonly string[];
}

function setUp(answer: () => Promise<void> = () => Promise.resolve()): SetUp {
  const added: Added[] = [];
  const opened: AnyKind[] = [];
  const lines: string[] = [];
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const log = createLogger({
    format: "text",
    level: "debug",
    clock,
    destination: { write: (line) => lines.push(line) },
  });
  const parts: ObjectTrackerParts = {
    controller: {
      watch: (kind, handler, { predicate: tells = () => true } = {}) => {
        added.push({ kind, handler, tells: tells as Predicate });
        return answer();
      },
    },
    cache: { of: async (kind) => opened.push(kind) },
    scheme: [],
    predicateLogger: log,
  };
  return { tracker: new ObjectTracker(parts), parts, added, opened, log, lines };
}

function appeared(metadata: KubeObject["metadata"]): CacheChange {
  return { kind: "added", object: { ...machine, metadata }, initial: false };
}
