import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeFirstJson, decodeJson, decodeServerJson } from "./json-decode.ts";
import { encodeJson } from "./json-encode.ts";
import { deepestJson, type Json, JsonTooDeepError } from "./json.ts";
import { InvalidJsonError } from "./json-parse.ts";

describe("values", () => {
  const cases: Record<string, [text: string, value: Json]> = {
    "a scalar": [" true ", true],
    "an object with everything": [
      '{"a":[1,2.5,-3e2],"b":{"c":null,"d":false},"e":"x\\n\\u00e9"}',
      { a: [1, 2.5, -300], b: { c: null, d: false }, e: "x\né" },
    ],
    "the largest exact number": ["9007199254740991", 9007199254740991],
    "an integer no number can hold": ['{"a":9007199254740993}', { a: 9007199254740993n }],
    "a negative integer no number can hold": ["[-9223372036854775808]", [-9223372036854775808n]],
    "a long fraction": ["[0.12345678901234567890]", [0.12345678901234568]],
    "long digits inside a string": [
      '{"a":"12345678901234567890","b":12345678901234567890}',
      { a: "12345678901234567890", b: 12345678901234567890n },
    ],
    "escapes beside a long integer": ['["\\"\\\\\\u0041\\/",12345678901234567890]', ['"\\A/', 12345678901234567890n]],
    "an exponent": ["1e20", 1e20],
  };
  test.each(Object.entries(cases))("%s", (_, [text, value]) => {
    expect(decodeJson(text)).toEqual({ value, duplicateFields: [] });
    expect(decodeJson(Buffer.from(text))).toEqual({ value, duplicateFields: [] });
  });

  test("whatever is written is read back", () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: "medium" }), (value) => {
        const text = encodeJson(value as Json);
        expect(encodeJson(decodeJson(text).value)).toBe(text);
        expect(decodeJson(text).duplicateFields).toEqual([]);
      }),
    );
  });

  test("any integer of up to 300 digits stays exact", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 300n), max: 10n ** 300n }), (integer) => {
        expect(encodeJson(decodeJson(`{"a":[${integer}]}`).value)).toBe(`{"a":[${integer}]}`);
      }),
    );
  });

  test("keys that mean something to JavaScript are plain data", () => {
    for (const tail of ["1", "12345678901234567890"]) {
      const { value } = decodeJson(`{"__proto__":{"a":1},"constructor":2,"toString":3,"n":${tail}}`);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value as object)).toEqual(["__proto__", "constructor", "toString", "n"]);
      expect(encodeJson(value)).toBe(`{"__proto__":{"a":1},"constructor":2,"n":${tail},"toString":3}`);
    }
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
  });
});

describe("keys that stand more than once", () => {
  const cases: Record<string, [text: string, duplicates: string[]]> = {
    "at the top": ['{"kind":"A","kind":"B"}', ["kind"]],
    "each is named once": ['{"spec":{"x":1,"x":2,"x":3}}', ["spec.x"]],
    "in the order of the text": ['{"data":{"a":1,"a":2,"b":3,"b":4}}', ["data.a", "data.b"]],
    "in lists": ['{"spec":{"l":[1,{"x":1,"x":2}]}}', ["spec.l[1].x"]],
    "in lists of lists, before the list itself": [
      '{"s":{"l":[[{"x.y":1,"x.y":2}]],"a/b":{"c":1,"c":2},"l":3}}',
      ["s.l[0][0].x.y", "s.a/b.c", "s.l"],
    ],
    "inside what is replaced later": ['{"m":{"name":1,"name":2},"m":{}}', ["m.name", "m"]],
    "written with and without escapes": ['{"a":1,"\\u0061":2}', ["a"]],
    __proto__: ['{"__proto__":1,"__proto__":2}', ["__proto__"]],
    "colons in strings do not count": ['{"a:b":"c:\\":d","e":":"}', []],
  };
  test.each(Object.entries(cases))("%s", (_, [text, duplicates]) => {
    expect(decodeJson(text).duplicateFields).toEqual(duplicates);
  });

  test("no more than a hundred are named", () => {
    const members = Array.from({ length: 150 }, (_, index) => `"k${index}":1,"k${index}":2`);
    expect(decodeJson(`{${members.join(",")}}`).duplicateFields).toHaveLength(100);
  });

  test.each(['"a":1', '"a":{"b":1,"b":2}'])("many of them under a long name are read quickly: %s", (text) => {
    const name = "x".repeat(1_000_000);
    const inside = Array.from({ length: 50_000 }, () => text).join(",");
    expect(decodeJson(`{"${name}":{${inside}}}`).duplicateFields).toContain(`${name}.a`);
  });

  test("the last one wins", () => {
    expect(decodeJson('{"a":1,"b":2,"a":3}').value).toEqual({ a: 3, b: 2 });
  });
});

describe("refusals in Go's words", () => {
  const cases: Record<string, string> = {
    "": "unexpected end of JSON input",
    "{": "unexpected end of JSON input",
    '"a': "unexpected end of JSON input",
    '{"a":1}x': "invalid character 'x' after top-level value",
    "\ufeff{}": "invalid character 'ï' looking for beginning of value",
    '{"a":1,}': "invalid character '}' looking for beginning of object key string",
    "{'a':1}": "invalid character '\\'' looking for beginning of object key string",
    '{"a" 1}': "invalid character '1' after object key",
    '{"a":01}': "invalid character '1' after object key:value pair",
    '{"a":NaN}': "invalid character 'N' looking for beginning of value",
    '{"a":"\u0001"}': "invalid character '\\x01' in string literal",
    '["\\x"]': "invalid character 'x' in string escape code",
    '["\\u00g0"]': "invalid character 'g' in \\u hexadecimal character escape",
    "[1 2]": "invalid character '2' after array element",
    "[tru3]": "invalid character '3' in literal true (expecting 'e')",
    "[-]": "invalid character ']' in numeric literal",
    "[1.]": "invalid character ']' after decimal point in numeric literal",
    "[1e+]": "invalid character ']' in exponent of numeric literal",
    "[1]]": "invalid character ']' after top-level value",
    '["]': "unexpected end of JSON input",
    '[1"]': "invalid character '\"' after array element",
    "[1e400]": "number 1e400 is out of range",
  };
  test.each(Object.entries(cases))("%j", (text, message) => {
    expect(() => decodeJson(text)).toThrow(expect.objectContaining({ code: "INVALID_JSON", message }));
  });

  test("bytes that are not UTF-8", () => {
    expect(() => decodeJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow("invalid UTF-8");
  });

  test("an integer with a million digits is refused at once", () => {
    expect(() => decodeJson("9".repeat(1_000_000))).toThrow(/^number 9{30}… is out of range$/);
  });
});

describe("depth", () => {
  test("as deep as allowed is read and written", () => {
    const text = "[".repeat(deepestJson) + "]".repeat(deepestJson);
    expect(encodeJson(decodeJson(text).value)).toBe(text);
  });

  test.each([deepestJson + 1, 10_000, 1_000_000])("%i levels are refused, not an overflow", (levels) => {
    expect(() => decodeJson("[".repeat(levels) + "]".repeat(levels))).toThrow(JsonTooDeepError);
    expect(() => decodeJson('{"a":'.repeat(levels))).toThrow("exceeded max depth");
  });
});

test.each(["{}", '{"a":[1,"x",null,true]}', '{"a":12345678901234567890}', '{"a":"1234567890123456"}', "[1.5e3]"])(
  "what a server writes is read as exactly: %s",
  (text) => {
    expect(decodeServerJson(Buffer.from(text))).toEqual(decodeJson(text).value);
  },
);

test("what is no JSON is refused, whoever wrote it", () => {
  expect(() => decodeServerJson(Buffer.from('{"a":'))).toThrow(InvalidJsonError);
});

test("a number of many digits is exact wherever it stands", () => {
  for (let before = 0; before < 40; before += 1) {
    const text = `{"${"a".repeat(before)}":1234567890123456789}`;
    expect(decodeServerJson(Buffer.from(text))).toEqual(decodeJson(text).value);
  }
});

describe("the first value of a body", () => {
  test.each([
    ['{"a":1} and more', { a: 1 }],
    ["[1]{", [1]],
    [" true", true],
  ])("is read from %s", (text, value) => {
    expect(decodeFirstJson(Buffer.from(text))).toEqual(value);
  });

  test.each([
    ["nonsense", "invalid character 'o' in literal null (expecting 'u')"],
    ['{"a":', "unexpected end of JSON input"],
  ])("is not found in %s", (text, message) => {
    expect(() => decodeFirstJson(Buffer.from(text))).toThrow(message);
  });
});
