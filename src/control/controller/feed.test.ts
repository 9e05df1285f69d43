import { describe, expect, test } from "vitest";
import { createFakeClock, createLogger, minutes, parseTimestamp, seconds } from "#base";
import { ApiError, type KubeObject, type ObjectKey } from "#machinery";
import type { CacheChange, KindCache } from "../cache/kind-cache.ts";
import { Lamp } from "../test-lamp.ts";
import { type KeysOf, related } from "../watches.ts";
import { feedRelated } from "./feed.ts";

const ConfigMap = { group: "", version: "v1", kind: "ConfigMap" };
const lamp: ObjectKey = { namespace: "default", name: "a" };

/** A queue that is fed by changes of ConfigMaps. */
function scene(keysOf: KeysOf<KubeObject>) {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ format: "text", level: "warn", clock, destination });
  const added: ObjectKey[] = [];
  let untold = 0;
  let tell: (change: CacheChange) => void = () => undefined;
  const cache = { subscribe: (listener: typeof tell) => void (tell = listener) } as unknown as KindCache;
  feedRelated(cache, related(ConfigMap, keysOf), Lamp, {
    add: (key) => added.push(key),
    reader: {} as never,
    clock,
    log,
    signal: new AbortController().signal,
    pending: { begin: () => undefined, end: () => undefined },
    onUntold: () => (untold += 1),
  });
  return {
    clock,
    added,
    lines,
    untold: () => untold,
    change: (name: string): void => {
      const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name } };
      tell({ kind: "added", object, initial: false });
    },
  };
}

function failing(times: number, error: Error): KeysOf<KubeObject> {
  let left = times;
  return () => {
    if (left-- > 0) throw error;
    return [lamp];
  };
}

describe("whoever throws when asked whom a change concerns", () => {
  test("is asked again, and the change is not lost", async () => {
    const { change, clock, added, lines, untold } = scene(failing(2, new TypeError("nobody thought of this")));
    change("c");
    await clock.advance(seconds(1));
    expect(added).toEqual([lamp]);
    expect(untold()).toBe(2);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/nobody could tell yet whom a change concerns.*nobody thought of this/);
  });

  test("keeps no other change from its object", async () => {
    const keysOf: KeysOf<KubeObject> = ({ metadata: { name = "" } }) => {
      if (name === "odd") throw new TypeError("nobody thought of this");
      return [{ namespace: "default", name }];
    };
    const { change, added } = scene(keysOf);
    for (const name of ["a", "odd", "b"]) change(name);
    expect(added.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("is not asked for ever where it is a mistake, and that is said", async () => {
    const { change, clock, lines, untold } = scene(failing(Infinity, new TypeError("nobody thought of this")));
    change("c");
    await clock.advance(minutes(60));
    expect(untold()).toBe(10);
    expect(lines.at(-1)).toMatch(/ERROR.*nobody could tell whom a change concerns.*nobody thought of this/i);
  });

  test("is asked for as long as it takes where a server refuses", async () => {
    const refusal = new ApiError({ httpCode: 503, reason: "ServiceUnavailable", message: "not now" });
    const { change, clock, added } = scene(failing(100, refusal));
    change("c");
    await clock.advance(minutes(60));
    expect(added).toEqual([lamp]);
  });
});
