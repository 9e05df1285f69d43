import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import { decodeFields } from "./fields-v1.ts";

describe("what a fieldsV1 says, in canonical words", () => {
  const cases: Record<string, { readonly given: JsonObject; readonly canonical: JsonObject }> = {
    nothing: { given: {}, canonical: {} },
    "a dot at the root": { given: { ".": {}, "f:a": {} }, canonical: { "f:a": {} } },
    "only a dot": { given: { "f:a": { ".": {} } }, canonical: { "f:a": {} } },
    "null below a step": { given: { "f:a": null }, canonical: { "f:a": {} } },
    "anything below a dot": { given: { "f:a": { ".": 5, "f:b": {} } }, canonical: { "f:a": { ".": {}, "f:b": {} } } },
    "unknown steps beside others": { given: { "f:a": { "x:y": {}, "f:b": {} } }, canonical: { "f:a": { "f:b": {} } } },
    "nothing but unknown steps": { given: { "f:a": { "x:y": {} } }, canonical: { "f:a": {} } },
    "unknown steps at the root": { given: { "x:y": {} }, canonical: {} },
    "steps out of order": {
      given: { "f:b": {}, "f:a": { "f:c": {}, ".": {} } },
      canonical: { "f:a": { ".": {}, "f:c": {} }, "f:b": {} },
    },
    "one step in two spellings": {
      given: { 'k:{"b":1,"a":2}': { "f:x": {} }, 'k:{"a":2,"b":1}': { "f:y": {} } },
      canonical: { 'k:{"a":2,"b":1}': { "f:x": {}, "f:y": {} } },
    },
  };
  test.each(Object.entries(cases))("%s", (_, { given, canonical }) => {
    const { fields } = decodeFields(given);
    expect(JSON.stringify(fields)).toBe(JSON.stringify(canonical));
  });
});

test.each<Json>([5, "x", [], true])("%j is no set of fields", (fields) => {
  expect(() => decodeFields({ "f:a": fields })).toThrow(/expected an object of fields/);
});

test("a canonical fieldsV1 is kept as it is", () => {
  const fields = { "f:a": { ".": {}, "f:b": {} }, 'v:"x"': {} };
  expect(decodeFields(fields).fields).toBe(fields);
  expect(decodeFields(fields)).toBe(decodeFields(fields));
});
