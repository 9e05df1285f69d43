import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { encodeJson } from "./json-encode.ts";
import { type Json, JsonTooDeepError } from "./json.ts";
import { parseYaml, parseYamlDocuments, printYaml, printYamlDocuments } from "./yaml.ts";

describe("values as Kubernetes reads them", () => {
  const cases: Record<string, string> = {
    "{a: y, b: no, c: on, d: Off, e: YES, f: True, g: TRUE, h: tRUE, i: n, j: Y}":
      '{"a":true,"b":false,"c":true,"d":false,"e":true,"f":true,"g":true,"h":"tRUE","i":false,"j":true}',
    "{y: 1, no: 2, 1: 3, 1.5: 4, 0x10: 5, 1e3: 6}": '{"1":3,"1.5":4,"1000":6,"16":5,"false":2,"true":1}',
    "{a: ~, b: null, c: , d: Null, e: NULL, f: nUll}": '{"a":null,"b":null,"c":null,"d":null,"e":null,"f":"nUll"}',
    "{a: 010, b: 0x10, c: 0o10, d: 0b11, e: 1_000, f: +1, g: -0, h: 1e3, i: .5, j: 1., l: 08, m: 1:30}":
      '{"a":8,"b":16,"c":8,"d":3,"e":1000,"f":1,"g":0,"h":1000,"i":0.5,"j":1,"l":8,"m":"1:30"}',
    "{a: 0b2, b: 0_1, c: _1, d: 1_, e: +0x1F, f: -010, g: +.5, h: 1e, i: .e1, j: 0o8, k: 00, l: 0o, m: 0O, p: 0x, q: -0b}":
      '{"a":"0b2","b":1,"c":"_1","d":1,"e":31,"f":-8,"g":0.5,"h":"1e","i":".e1","j":"0o8","k":0,"l":"0o","m":"0O","p":"0x","q":"-0b"}',
    "{a: 2001-01-01, b: 2001-12-14T21:59:43Z, c: 2001-12-14 21:59:43.10 -5}":
      '{"a":"2001-01-01","b":"2001-12-14T21:59:43Z","c":"2001-12-14 21:59:43.10 -5"}',
    "{a: 9223372036854775807, b: -9007199254740993, c: 12345678901234567890, d: 1e400}":
      '{"a":9223372036854775807,"b":-9007199254740993,"c":12345678901234567890,"d":"1e400"}',
    "{a: 0xFFFFFFFFFFFFFFFF, b: 0x10000000000000000}": '{"a":18446744073709551615,"b":"0x10000000000000000"}',
    "{a: !!binary aGVsbG8=, b: !!str 1, c: !!int '3', d: !!float 3, e: !!timestamp 2001-01-01}":
      '{"a":"hello","b":"1","c":3,"d":3,"e":"2001-01-01"}',
    "{a: &x [1], b: *x}": '{"a":[1],"b":[1]}',
    "a:\n  <<: {x: 1, y2: 2}\n  x: 3": '{"a":{"x":3,"y2":2}}',
    "a: |\n  line\n  line\nb: >-\n  folded\n  text": '{"a":"line\\nline\\n","b":"folded text"}',
    "{__proto__: {x: 1}, constructor: 2}": '{"__proto__":{"x":1},"constructor":2}',
    '{"json": ["is", {"yaml": true}]}': '{"json":["is",{"yaml":true}]}',
    "": "null",
    "# nothing": "null",
  };
  test.each(Object.entries(cases))("%j", (yaml, json) => {
    expect(encodeJson(parseYaml(yaml))).toBe(json);
    expect(encodeJson(parseYaml(Buffer.from(yaml)))).toBe(json);
  });
});

describe("documents", () => {
  test("several in one text, without the empty ones", () => {
    expect(parseYamlDocuments("a: 1\n---\n---\n# comment\n---\nb: 2\n...\n")).toEqual([{ a: 1 }, { b: 2 }]);
  });

  test("more than one where one is expected", () => {
    expect(() => parseYaml("a: 1\n---\nb: 2")).toThrow("yaml: expected one document, found 2");
  });

  test("written with a line between them", () => {
    expect(printYamlDocuments([{ a: 1 }, { b: 2 }])).toBe("a: 1\n---\nb: 2\n");
  });
});

describe("refusals", () => {
  const cases: Record<string, [yaml: string, message: RegExp]> = {
    "a repeated key": ["x: 1\nspec:\n  a: 1\n  a: 2\n", /^yaml: line 4: key "a" already set in map$/],
    "keys that become equal": ["{y: 1, true: 2}", /^yaml: line 1: key "true" already set in map$/],
    "a list that does not close": ["a: [1\nb: 2", /^yaml: line 2: /],
    "a tab that indents": ["a:\n\t- b", /^yaml: line 2: /],
    "an unknown tag": ["a: !mine b", /^yaml: line 1: unknown scalar tag/],
    "a key that is null": ["{~: 1}", /^yaml: line 1: a key must be a text, a number or a boolean$/],
    "a key that is a list": ["? [a]\n: b", /^yaml: line \d: a key must be/],
    "an infinite number": ["a: .inf", /^yaml: json: unsupported value: Infinity$/],
    "no number": ["a: .NaN", /^yaml: json: unsupported value: NaN$/],
    "an alias without its anchor": ["a: *x", /^yaml: line 1: unidentified alias "x"$/],
  };
  test.each(Object.entries(cases))("%s", (_, [yaml, message]) => {
    expect(() => parseYaml(yaml)).toThrow(
      expect.objectContaining({ code: "INVALID_YAML", message: expect.stringMatching(message) }),
    );
  });

  test("a repeated key can be told from the rest, and the last one can win", () => {
    expect(() => parseYaml("{a: 1, a: 2}")).toThrow(expect.objectContaining({ isDuplicateKey: true, line: 1 }));
    expect(parseYaml("{a: 1, a: 2}", { duplicateKeys: "last-wins" })).toEqual({ a: 2 });
  });

  test("a billion laughs", () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level},`.repeat(10)}]`,
    );
    expect(() => parseYaml(`a0: &a0 lol\n${levels.join("\n")}`)).toThrow("yaml: document contains excessive aliasing");
  });

  test("a value inside itself", () => {
    expect(() => parseYaml("a: &a [*a]")).toThrow(JsonTooDeepError);
    expect(() => parseYaml("a: &a {b: *a, c: *a}")).toThrow(JsonTooDeepError);
  });

  test("a value nested too deeply", () => {
    expect(() => parseYaml("[".repeat(5_000) + "]".repeat(5_000))).toThrow(/^yaml: line 1: /);
  });

  test("bytes that are not UTF-8", () => {
    expect(() => parseYaml(Buffer.from([0x61, 0xff]))).toThrow("yaml: invalid UTF-8");
  });
});

describe("writing", () => {
  test("keys in order, lists at the margin of their key, doubtful texts in quotes", () => {
    const value: Json = {
      kind: "A",
      apiVersion: "v1",
      list: [{ b: 1, a: "on" }, "1", "text"],
      texts: ["null", "~", "", "1e3", "0x1", "2001-01-01", "a: b", "x", "1_000", "<<"],
      lines: "one\ntwo\n",
      big: 9007199254740993n,
      none: null,
      empty: { list: [], map: {} },
      y: true,
    };
    expect(printYaml(value)).toBe(`apiVersion: v1
big: 9007199254740993
empty:
  list: []
  map: {}
kind: A
lines: |
  one
  two
list:
- a: "on"
  b: 1
- "1"
- text
none: null
texts:
- "null"
- "~"
- ""
- "1e3"
- "0x1"
- "2001-01-01"
- "a: b"
- x
- "1_000"
- "<<"
"y": true
`);
  });

  test("a part that stands in two places is written twice", () => {
    const part = { a: 1 };
    expect(printYaml([part, part])).toBe("- a: 1\n- a: 1\n");
  });

  test("whatever is written is read back", () => {
    const word = fc.constantFrom(
      "y",
      "no",
      "1",
      "0x1",
      "1e3",
      ".5",
      "_",
      "~",
      "null",
      "- a",
      "a: b",
      "#",
      " ",
      "\n",
      "\t",
      "'",
      '"',
    );
    const text = fc.oneof(
      fc.string({ unit: "grapheme" }),
      word,
      fc.array(word).map((words) => words.join("")),
    );
    const value = fc.letrec<{ value: Json; leaf: Json }>((tie) => ({
      leaf: fc.oneof(
        text,
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.bigInt(),
        fc.boolean(),
        fc.constant(null),
      ),
      value: fc.oneof(
        { depthSize: "small" },
        tie("leaf"),
        fc.array(tie("value")),
        fc.dictionary(text, tie("value")) as fc.Arbitrary<Json>,
      ),
    })).value;
    fc.assert(
      fc.property(value, (original) => {
        expect(encodeJson(parseYaml(printYaml(original)))).toBe(encodeJson(original));
      }),
      { numRuns: 500 },
    );
  });
});
