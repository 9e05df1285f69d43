import fc from "fast-check";
import { decodeServerJson, encodeJson } from "#machinery";
import { describe, expect, test } from "vitest";
import { readOver } from "./read-over.ts";

const read = (text: string, older: unknown) => readOver(Buffer.from(text), older);

const condition = (type: string, status: string) => ({ type, status, observedGeneration: 3 });
const older = {
  kind: "Lamp",
  metadata: { name: "a", generation: 1, labels: { room: "hall" } },
  status: { lit: true, conditions: [condition("Ready", "True"), condition("Paused", "False")] },
};

const readLamp = (now: object) => read(JSON.stringify(now), older) as unknown as typeof older;

describe("what has not changed is the older value itself", () => {
  test("as a whole", () => {
    for (const value of [older, {}, [], { a: {}, b: [] }]) expect(read(JSON.stringify(value), value)).toBe(value);
  });

  test("around a part that has changed", () => {
    const conditions = [condition("Ready", "False"), condition("Paused", "False")];
    const now = { ...older, status: { ...older.status, conditions } };
    const result = readLamp(now);
    expect(result).toEqual(now);
    expect(result.metadata).toBe(older.metadata);
    expect(result.status.conditions[1]).toBe(older.status.conditions[1]);
    expect(result.status.conditions[0]).not.toBe(older.status.conditions[0]);
  });

  test("around a member that is new, gone or elsewhere", () => {
    const { kind, metadata, status } = older;
    for (const now of [
      { kind, spec: {}, metadata, status },
      { metadata, status },
      { status, kind, metadata },
    ]) {
      const result = readLamp(now);
      expect(JSON.stringify(result)).toBe(JSON.stringify(now));
      expect(result.metadata).toBe(metadata);
      expect(result.status).toBe(status);
    }
  });

  test("around the part of the text that is left out", () => {
    const [before, omitted, after] = [
      '{"kind":"Lamp","metadata":{"name":"a","generation":1',
      ',"x":[1]',
      ',"labels":{}}}',
    ];
    const bytes = Buffer.from(before + omitted + after);
    const at = (_: Buffer, from: number) =>
      from === before.length ? { from, to: before.length + omitted.length } : undefined;
    const { kind, metadata } = older;
    const result = readOver(bytes, { kind, metadata }, { among: metadata, at });
    expect(result).toEqual({ kind, metadata: { ...metadata, labels: {} } });
    expect(readOver(bytes, { kind, metadata }, { among: {}, at })).toMatchObject({ metadata: { x: [1] } });
  });
});

// Each older value is one that careless comparing would take for what the text says.
const deceptive: readonly { readonly text: string; readonly older: unknown }[] = [
  { text: '{"a":"x","b":"y"}', older: { a: 'x","b":"y' } },
  { text: '{"a":"x\\ny"}', older: { a: "x\\ny" } },
  { text: '"\u00e9"', older: "\u00c3\u00a9" },
  { text: '{"a":1}', older: { a: 1, b: 2 } },
  { text: '{"a":1,"b":2}', older: { a: 1 } },
  { text: "[1,2]", older: [1, 2, 3] },
  { text: "[1,2,3]", older: [1, 2] },
  { text: "[]", older: {} },
  { text: "{}", older: [] },
  { text: "12", older: 1 },
  { text: "[1.0,-1,1e3,0.5]", older: [1, 1, 1, 0] },
  { text: "[12345678901234567890]", older: [1] },
  { text: "[true,false,null]", older: [false, null, true] },
  { text: '{"__proto__":{"a":1}}', older: {} },
  { text: '{"constructor":"x","toString":{}}', older: {} },
  { text: '{"2":1,"1":2}', older: { 1: 2, 2: 1 } },
  { text: '{"a":1,"a":2}', older: { a: 1 } },
];

test.each(deceptive)("$text says the same over $older as by itself", ({ text, older: other }) => {
  expect(read(text, other)).toEqual(read(text, undefined));
});

test("what other servers might write is left to others", () => {
  expect(read('{"a" :1}', { a: 1 })).toBeUndefined();
  expect(read('{"a":1} ', { a: 1 })).toBeUndefined();
});

test.each(["", "{", "[1,]", '{"a":1,}', "{a:1}", "[01]", '{"a":tru}', '{"a":"\t"}', '{1:"a"}', "{,}"])(
  "%s, which is not JSON, is left to others",
  (text) => {
    expect(read(text, { a: 1 })).toBeUndefined();
    expect(read(text, [1])).toBeUndefined();
  },
);

test("bytes that are no text are left to others", () => {
  expect(readOver(Buffer.from([0x22, 0xff, 0x22]), "a")).toBeUndefined();
});

test("what is read over any other value is what stands there, in its order", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, other) => {
      const text = JSON.stringify(value);
      const result = read(text, other);
      expect(result === undefined ? undefined : encodeJson(result)).toBe(encodeJson(decodeServerJson(text)));
      expect(read(text, JSON.parse(text))).toEqual(decodeServerJson(text));
    }),
  );
});

test("what is read over a value that differs in places is what stands there", () => {
  const leaf = fc.constantFrom<unknown>("a", "b", 'c"', "d\\", "\u00e9", 1, 12, -1, 1.5, true, null);
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: "medium" },
      leaf,
      fc.array(tie("tree"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "c", "1"), tie("tree"), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(tree, tree, (value, other) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(read(text, other))).toBe(text);
    }),
    { numRuns: 1000 },
  );
});
