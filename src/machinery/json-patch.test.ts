import { createRequire } from "node:module";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { deepFreeze } from "./clone.ts";
import { applyJsonPatch, JsonPatchError } from "./json-patch.ts";
import { isJsonObject, type Json } from "./json.ts";

interface SuiteCase {
  readonly comment?: string;
  readonly doc: Json;
  readonly patch: Json;
  readonly expected?: Json;
  readonly error?: string;
  readonly disabled?: boolean;
}

const refused = "refused";

const load = createRequire(import.meta.url);

describe.each(["tests.json", "spec_tests.json"])("the public suite, %s", (file) => {
  const cases = load(`json-patch-test-suite/${file}`) as readonly SuiteCase[];
  const enabled = cases.filter(({ disabled }) => !disabled).map((one, index) => [one.comment ?? `case ${index}`, one]);

  test.each(enabled as [string, SuiteCase][])("%s", (_, { doc, patch, expected, error }) => {
    const outcome = outcomeOf(() => applyJsonPatch(deepFreeze(doc), deepFreeze(patch)));
    // A case that only tests leaves the document as it is.
    expect(outcome).toEqual(error === undefined ? (expected ?? doc) : refused);
  });
});

describe("sharing", () => {
  const document = deepFreeze({ a: { b: [1, { c: 2 }] }, d: { e: 3 }, f: [] });

  test("only what changes is copied", () => {
    const result = applyJsonPatch(document, [{ op: "replace", path: "/a/b/1/c", value: 9 }]) as typeof document;
    expect(result).toEqual({ a: { b: [1, { c: 9 }] }, d: { e: 3 }, f: [] });
    expect([result.d, result.f]).toEqual([document.d, document.f]);
    expect(result.d).toBe(document.d);
    expect(result.f).toBe(document.f);
  });

  test("a patch that only tests hands the document back", () => {
    expect(applyJsonPatch(document, [{ op: "test", path: "/d/e", value: 3 }])).toBe(document);
  });

  test("a copy does not change with its original, nor the value of the patch with the document", () => {
    const value = deepFreeze({ x: [] });
    const patch: Json = [
      { op: "add", path: "/d/new", value },
      { op: "copy", from: "/d", path: "/g" },
      { op: "add", path: "/d/new/x/-", value: 1 },
      { op: "add", path: "/g/new/x/-", value: 2 },
      { op: "copy", from: "/g/new", path: "/h" },
      { op: "replace", path: "/h/x/0", value: 3 },
    ];
    expect(applyJsonPatch(document, patch)).toEqual({
      ...document,
      d: { e: 3, new: { x: [1] } },
      g: { e: 3, new: { x: [2] } },
      h: { x: [3] },
    });
    expect(value).toEqual({ x: [] });
  });

  test("__proto__ is a key like any other", () => {
    const patch: Json = [
      { op: "add", path: "/__proto__", value: { polluted: true } },
      { op: "add", path: "/__proto__/more", value: 1 },
    ];
    const result = applyJsonPatch({}, patch);
    expect(JSON.stringify(result)).toBe('{"__proto__":{"polluted":true,"more":1}}');
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(() => applyJsonPatch({}, [{ op: "add", path: "/__proto__/polluted", value: true }])).toThrow(JsonPatchError);
    expect(() => applyJsonPatch({}, [{ op: "test", path: "/constructor/name", value: "Object" }])).toThrow(
      JsonPatchError,
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("limits", () => {
  const nothing = { op: "test", path: "", value: {} };

  test("10,000 operations pass, one more does not", () => {
    expect(
      applyJsonPatch(
        {},
        Array.from({ length: 10_000 }, () => nothing),
      ),
    ).toEqual({});
    expect(() =>
      applyJsonPatch(
        {},
        Array.from({ length: 10_001 }, () => nothing),
      ),
    ).toThrow(
      expect.objectContaining({
        problem: "too-many-operations",
        message: "The allowed maximum operations in a JSON patch is 10000, got 10001",
      }),
    );
  });

  test("copies that double themselves end at the limit", () => {
    const patch = Array.from({ length: 40 }, (_, index) => ({ op: "copy", from: "", path: `/${index}` }));
    expect(() => applyJsonPatch({ a: "x".repeat(100) }, patch)).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ message: expect.stringContaining("too large") }) }),
    );
  });

  test("a list that is longer than a call has arguments can be copied", () => {
    const list = Array.from({ length: 200_000 }, () => 0);
    expect(applyJsonPatch({ a: list }, [{ op: "copy", from: "/a", path: "/b" }])).toEqual({ a: list, b: list });
  });

  test("moving is quick, however much is moved", () => {
    const document = { a: Array.from({ length: 300_000 }, () => 0), into: {} };
    const there = { op: "move", from: "/a", path: "/into/a" };
    const back = { op: "move", from: "/into/a", path: "/a" };
    const patch = Array.from({ length: 10_000 }, (_, index) => (index % 2 === 0 ? there : back));
    expect(applyJsonPatch(document, patch)).toEqual(document);
  });

  test("moves that nest what is there already end at the depth", () => {
    const document = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${index}`, {}]));
    const into = (index: number) => ({ op: "move", from: `/k${index}`, path: `/k${index + 1}/a` });
    const patch = Array.from({ length: 1_000 }, (_, index) => into(index));
    expect(applyJsonPatch(document, patch.slice(0, 990))).toHaveProperty("k1000");
    expect(() => applyJsonPatch(document, patch)).toThrow(
      expect.objectContaining({ problem: "failed", cause: expect.objectContaining({ code: "JSON_TOO_DEEP" }) }),
    );
  });

  test("copies that nest themselves end at the depth", () => {
    const patch = Array.from({ length: 5_000 }, () => ({ op: "copy", from: "", path: "/a" }));
    expect(() => applyJsonPatch({}, patch, { mostCopiedBytes: Infinity })).toThrow(
      expect.objectContaining({ cause: expect.objectContaining({ code: "JSON_TOO_DEEP" }) }),
    );
  });

  test("the limit of copies is counted over the whole patch", () => {
    const document = { a: "x".repeat(98) };
    expect(() => applyJsonPatch(document, copies(10), { mostCopiedBytes: 1_000 })).not.toThrow();
    expect(() => applyJsonPatch(document, copies(11), { mostCopiedBytes: 1_000 })).toThrow(JsonPatchError);
  });
});

describe("what is no patch", () => {
  test.each([{}, 1, "x", null, [1], [[]]] as Json[])("%j", (patch) => {
    expect(() => applyJsonPatch({}, patch)).toThrow(expect.objectContaining({ problem: "malformed" }));
  });

  test("a failure names the operation", () => {
    const patch = [
      { op: "test", path: "", value: {} },
      { op: "remove", path: "/spec/x" },
    ];
    expect(() => applyJsonPatch({}, patch)).toThrow(
      expect.objectContaining({
        problem: "failed",
        message: 'operation 1 of the JSON patch ("remove" "/spec/x") failed',
        cause: expect.objectContaining({ message: "there is nothing at /spec/x" }),
      }),
    );
  });
});

describe("as kube-apiserver takes it", () => {
  const spec = { l: [1, 2, 3], n: null, o: { a: 1 } };
  const cases: Record<string, [operation: Json, expected: Json]> = {
    "add without a value": [
      { op: "add", path: "/x" },
      { ...spec, x: null },
    ],
    "test for null where nothing is": [{ op: "test", path: "/x", value: null }, spec],
    "remove of the last item": [
      { op: "remove", path: "/l/-1" },
      { ...spec, l: [1, 2] },
    ],
    "add after the last item": [
      { op: "add", path: "/l/-1", value: 9 },
      { ...spec, l: [1, 2, 3, 9] },
    ],
    "replace of what is absent": [
      { op: "replace", path: "/x", value: 1 },
      { ...spec, x: 1 },
    ],
    "copy of what is absent": [
      { op: "copy", from: "/x", path: "/y" },
      { ...spec, y: null },
    ],
    "an index with a leading zero": [
      { op: "add", path: "/l/01", value: 1 },
      { ...spec, l: [1, 1, 2, 3] },
    ],
    "remove of what is absent": [{ op: "remove", path: "/x" }, refused],
    "an index beyond the list": [{ op: "add", path: "/l/7", value: 1 }, refused],
    "an index before the list": [{ op: "remove", path: "/l/-4" }, refused],
    "a move into itself": [{ op: "move", from: "/o", path: "/o/b" }, refused],
  };
  test.each(Object.entries(cases))("%s", (_, [operation, expected]) => {
    expect(outcomeOf(() => applyJsonPatch(deepFreeze(spec), [operation], { dialect: "kubernetes" }))).toEqual(expected);
  });
});

test("adding and removing again changes nothing", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (document, key, value) => {
      fc.pre(isJsonObject(document) && !Object.hasOwn(document, key));
      const path = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      const patch = [
        { op: "add", path, value: value as Json },
        { op: "remove", path },
      ];
      expect(applyJsonPatch(deepFreeze(document) as Json, patch)).toEqual(document);
    }),
  );
});

function copies(count: number): Json {
  return Array.from({ length: count }, (_, index) => ({ op: "copy", from: "/a", path: `/${index}` }));
}

function outcomeOf(run: () => Json): Json {
  try {
    return run();
  } catch (error) {
    if (error instanceof JsonPatchError) return refused;
    throw error;
  }
}
