import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeFieldValue, parseFieldSelector, printFieldSelector, requiredValue } from "./field-selector.ts";

describe("selectors are read and written in one way", () => {
  const cases: Record<string, string> = {
    "": "",
    ",": "",
    "a=b": "a=b",
    "a==b": "a=b",
    "a!=b": "a!=b",
    "a=b,": "a=b",
    "c=d,a=b": "a=b,c=d",
    "a=": "a=",
    "=a": "=a",
    "a=x\\,y\\=z\\\\": "a=x\\,y\\=z\\\\",
    " a = b ": " a = b ",
  };
  test.each(Object.entries(cases))("%j is %j", (text, canonical) => {
    expect(printFieldSelector(parseFieldSelector(text))).toBe(canonical);
  });

  test("any value can be asked for", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", "\\", ",", "=", "!", "é") }), (value) => {
        expect(requiredValue(parseFieldSelector(`f=${escapeFieldValue(value)},g!=x`), "f")).toBe(value);
      }),
    );
  });
});

describe("refusals in the words of kube-apiserver", () => {
  const cases: Record<string, string> = {
    a: "invalid selector: 'a'; can't understand 'a'",
    "a=b,c": "invalid selector: 'a=b,c'; can't understand 'c'",
    "a!b": "invalid selector: 'a!b'; can't understand 'a!b'",
    "a=b=c": "invalid field selector: unescaped character in value: 61",
    "a=b!=c": "invalid field selector: unescaped character in value: 61",
    "a=b\\x": "invalid field selector: invalid escape sequence: \\x",
    "a=b\\": "invalid field selector: invalid escape sequence: \\",
    "a in (b)": "invalid selector: 'a in (b)'; can't understand 'a in (b)'",
  };
  test.each(Object.entries(cases))("%j", (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(
      expect.objectContaining({ code: "INVALID_FIELD_SELECTOR", message }),
    );
  });
});

test.each([
  ["", true],
  ["a=1", true],
  ["a=2", false],
  ["a!=2", true],
  ["a=1,b=", true],
  ["b!=", false],
  ["constructor=", true],
])("%j over a=1 is %s", (text, matches) => {
  expect(parseFieldSelector(text).matches({ a: "1" })).toBe(matches);
});

test("a field that is only excluded is not required", () => {
  expect(requiredValue(parseFieldSelector("a!=1"), "a")).toBeUndefined();
});
