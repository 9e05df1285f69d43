import { expect, test } from "vitest";
import { InvalidJsonPointerError, parseJsonPointer, printJsonPointer } from "./json-pointer.ts";

const cases: Record<string, readonly string[]> = {
  "": [],
  "/": [""],
  "/a/b": ["a", "b"],
  "/a//b": ["a", "", "b"],
  "/metadata/labels/example.com~1name": ["metadata", "labels", "example.com/name"],
  "/~01": ["~1"],
  "/-/0": ["-", "0"],
};

test.each(Object.entries(cases))("%j is read and written", (text, tokens) => {
  expect(parseJsonPointer(text)).toEqual(tokens);
  expect(printJsonPointer(tokens)).toBe(text);
});

test.each(["a", "a/b", "/~", "/~2", "/a~/b"])("%j is refused", (text) => {
  expect(() => parseJsonPointer(text)).toThrow(InvalidJsonPointerError);
});
