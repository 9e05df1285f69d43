import { describe, expect, test } from "vitest";
import { describeError } from "#base";
import type { Json, KubeObject } from "#machinery";
import { failuresFrom, isReady } from "./external-status.ts";
import { failureOf } from "./test-store.ts";

const what = 'foo.io/v1, Kind=Foo "x"';

describe("failuresFrom", () => {
  test.each<[Json | undefined, string, string]>([
    [undefined, "", ""],
    [null, "", ""],
    [{}, "", ""],
    [{ failureReason: "r", failureMessage: "m" }, "r", "m"],
    [{ failureReason: "r" }, "r", ""],
  ])("a status %j has the reason %j and the message %j", (status, reason, message) => {
    expect(failuresFrom(withStatus(status))).toEqual({ reason, message });
  });

  test.each<[Json, string]>([
    [
      { failureReason: 1 },
      `failed to determine failureReason on ${what}: .status.failureReason accessor error: 1 is of the type int64, expected string`,
    ],
    [
      { failureReason: null },
      `failed to determine failureReason on ${what}: .status.failureReason accessor error: <nil> is of the type <nil>, expected string`,
    ],
    [
      { failureMessage: { b: 1, a: [true] } },
      `failed to determine failureMessage on ${what}: .status.failureMessage accessor error: map[a:[true] b:1] is of the type map[string]interface {}, expected string`,
    ],
    [
      "x",
      `failed to determine failureReason on ${what}: .status.failureReason accessor error: x is of the type string, expected map[string]interface{}`,
    ],
  ])("a status %j is an error", async (status, text) => {
    expect(describeError(await failureOf(failures(status)))).toBe(text);
  });
});

describe("isReady", () => {
  test.each<[Json | undefined, boolean]>([
    [undefined, false],
    [null, false],
    [{}, false],
    [{ ready: false }, false],
    [{ ready: true }, true],
  ])("a status %j is ready: %j", (status, ready) => {
    expect(isReady(withStatus(status))).toBe(ready);
  });

  test.each<[Json, string]>([
    [{ ready: "true" }, "true is of the type string, expected bool"],
    [{ ready: null }, "<nil> is of the type <nil>, expected bool"],
    [{ ready: 1.5 }, "1.5 is of the type float64, expected bool"],
    [{ ready: ["a", 1] }, "[a 1] is of the type []interface {}, expected bool"],
    [5, "5 is of the type int64, expected map[string]interface{}"],
  ])("a status %j is an error", async (status, text) => {
    expect(describeError(await failureOf(readiness(status)))).toBe(
      `failed to determine ${what} readiness: .status.ready accessor error: ${text}`,
    );
  });
});

function withStatus(status: Json | undefined): KubeObject {
  const object = { apiVersion: "foo.io/v1", kind: "Foo", metadata: { name: "x" } };
  return status === undefined ? object : { ...object, status };
}

async function failures(status: Json) {
  return failuresFrom(withStatus(status));
}

async function readiness(status: Json) {
  return isReady(withStatus(status));
}
