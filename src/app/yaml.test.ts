import { expect, test } from "vitest";
import { UnreadableFileError } from "./errors.ts";
import { parseYaml, printYaml } from "./yaml.ts";

test.each([
  ["YAML", "a: 2025-01-15T12:00:00Z\nb: [1, true]", { a: "2025-01-15T12:00:00Z", b: [1, true] }],
  ["JSON", '{"a": {"b": null}}', { a: { b: null } }],
])("%s is read, times as texts", (_, text, value) => {
  expect(parseYaml(text, "facts.yaml")).toEqual(value);
});

test.each([
  ["nothing", "", "expected a document, but the input is empty"],
  ["a list that does not end", "a: 1\nb: [1", "unexpected end of the stream within a flow collection in line 2"],
  ["a key that stands twice", "a: 1\na: 2", "duplicated mapping key in line 2"],
  ["two documents", "a: 1\n---\nb: 2", "expected a single document in the stream, but found more"],
])("%s is refused with its place", (_, text, why) => {
  expect(() => parseYaml(text, "facts.yaml")).toThrow(
    new UnreadableFileError(`facts.yaml is neither YAML nor JSON: ${why}`),
  );
});

test("what is printed is read again", () => {
  const value = { status: "True", message: `* one\n* ${"long ".repeat(50)}`, since: "2025-01-15T12:00:00Z", rows: [] };
  expect(parseYaml(printYaml(value), "printed")).toEqual(value);
});
