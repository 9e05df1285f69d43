import { describe, expect, test } from "vitest";
import {
  comparePathElements,
  describePathElement,
  goJson,
  keyElement,
  parsePathElement,
  valueElement,
} from "./path-element.ts";

describe("a step is read in any spelling and kept in one", () => {
  const cases: Record<string, { readonly text: string; readonly step: string | undefined }> = {
    "a field": { text: "f:name", step: "f:name" },
    "a field without a name": { text: "f:", step: "f:" },
    "keys in another order": { text: 'k:{"port":80,"name":"a"}', step: 'k:{"name":"a","port":80}' },
    "keys with blanks": { text: 'k:{ "name" : "a" }', step: 'k:{"name":"a"}' },
    "no keys at all": { text: "k:{}", step: "k:{}" },
    "null for keys": { text: "k:null", step: "k:{}" },
    "keys with something behind them": { text: 'k:{"name":"a"} x', step: 'k:{"name":"a"}' },
    "a number": { text: "v:1.0", step: "v:1" },
    "a number with an exponent": { text: "v:1e2", step: "v:100" },
    "a text that HTML would read": { text: 'v:"<a>"', step: 'v:"\\u003ca\\u003e"' },
    "a value with something behind it": { text: 'v:"a" trailing', step: 'v:"a"' },
    "an index": { text: "i:7", step: "i:7" },
    "an index with a sign": { text: "i:+1", step: "i:1" },
    "a kind of step that nobody knows": { text: "x:foo", step: undefined },
  };
  test.each(Object.entries(cases))("%s", (_, { text, step }) => {
    expect(parsePathElement(text)).toBe(step);
  });
});

test.each(["f", "", "fname", "v:", "v:zzz", "k:[]", "k:5", "i:zz", "i:1.5"])("%j is no step", (text) => {
  expect(() => parsePathElement(text)).toThrow(/parsing key as path element/);
});

test.each([
  ["f:name", ".name"],
  ['k:{"name":"a","port":80}', '[name="a",port=80]'],
  ['v:"a"', '[="a"]'],
  ["v:1.5", "[=1.5]"],
  ["v:true", "[=true]"],
  ["i:3", "[3]"],
])("%s prints as %s", (step, text) => {
  expect(describePathElement(step)).toBe(text);
});

test("steps sort by kind, then by name, key, value or index", () => {
  const sorted = [
    "f:a",
    "f:b",
    "f:\uffff",
    "f:\u{10000}",
    'k:{"id":2}',
    'k:{"id":10}',
    'k:{"name":"a"}',
    'k:{"name":"a","port":1}',
    'k:{"name":"a b"}',
    'k:{"name":"b"}',
    "v:2",
    "v:10",
    'v:"a"',
    "v:false",
    "v:true",
    "v:null",
    "i:2",
    "i:10",
  ];
  expect(sorted.toReversed().toSorted(comparePathElements)).toEqual(sorted);
});

test("texts in steps are escaped as Go escapes them", () => {
  expect(goJson('a<b>&"c"\\\u2028\b\f\n')).toBe('"a\\u003cb\\u003e\\u0026\\"c\\"\\\\\\u2028\\u0008\\u000c\\n"');
  expect(valueElement("\\b")).toBe('v:"\\\\b"');
  expect(keyElement({ b: 1, a: "x" })).toBe('k:{"a":"x","b":1}');
});
