import { expect, test } from "vitest";
import { encodeJson } from "./json-encode.ts";
import { type Json, JsonTooDeepError } from "./json.ts";

const cases: Record<string, [value: Json, text: string]> = {
  "keys come in order": [{ b: 1, a: { d: 2, c: [{ f: 1, e: 2 }] } }, '{"a":{"c":[{"e":2,"f":1}],"d":2},"b":1}'],
  "keys that are in order already": [{ a: 1, b: [true, null, "x"] }, '{"a":1,"b":[true,null,"x"]}'],
  "keys that look like numbers come in the order of texts": [{ "10": 1, "9": 2, a: 3 }, '{"10":1,"9":2,"a":3}'],
  "bigints are integers": [{ b: [9007199254740993n], a: -1n }, '{"a":-1,"b":[9007199254740993]}'],
  "texts are escaped": [{ b: 'a"\\\n\u0001é\ud800', a: "" }, '{"a":"","b":"a\\"\\\\\\n\\u0001é\\ud800"}'],
  "long texts are escaped": [{ b: `"${"x".repeat(200)}`, a: "" }, `{"a":"","b":"\\"${"x".repeat(200)}"}`],
  "keys are escaped": [{ 'b"': 1, "a\n": 2 }, '{"a\\n":2,"b\\"":1}'],
  "empty containers": [{ b: {}, a: [] }, '{"a":[],"b":{}}'],
  "a scalar": [1.5, "1.5"],
  "members that are there without a value are left out": [{ b: 1, a: undefined } as unknown as Json, '{"b":1}'],
};

test.each(Object.entries(cases))("%s", (_, [value, text]) => {
  expect(encodeJson(value)).toBe(text);
});

test.each(["sorted", "unsorted"])("a value nested too deeply is refused, %s or not", (order) => {
  let value: Json = 1;
  for (let level = 0; level < 100_000; level++) value = order === "sorted" ? [value] : { b: 1, a: value };
  expect(() => encodeJson(value)).toThrow(JsonTooDeepError);
});
