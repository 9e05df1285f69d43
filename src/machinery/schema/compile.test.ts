import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeFieldError } from "../field-error.ts";
import { FieldPath } from "../field-path.ts";
import { sharing } from "../share.ts";
import { deepestJson, type Json, JsonTooDeepError } from "../json.ts";
import { compileSchema } from "./compile.ts";
import type { JsonSchema } from "./json-schema.ts";
import { SchemaTooDeepError } from "./nesting.ts";

const text: JsonSchema = { type: "string" };
const named: JsonSchema = { type: "object", properties: { name: text } };

function errorsOf(schema: JsonSchema, value: Json, path?: FieldPath): readonly string[] {
  return compileSchema(schema, { root: "value" }).validate(value, path).map(describeFieldError);
}

describe("pruning", () => {
  test("gives back the very same object where nothing goes", () => {
    const schema = compileSchema({ type: "object", properties: { spec: { type: "array", items: named } } });
    const value = { apiVersion: "v1", kind: "A", metadata: { name: "a" }, spec: [{ name: "x" }] };
    expect(schema.prune(value)).toBe(value);
  });

  test("copies only the way to what goes", () => {
    const schema = compileSchema({ type: "object", properties: { a: named, b: named } });
    const value = { a: { name: "x" }, b: { name: "y", typo: 1 } };
    const pruned = schema.prune(value) as typeof value;
    expect(pruned).toEqual({ a: { name: "x" }, b: { name: "y" } });
    expect(pruned.a).toBe(value.a);
    expect(value.b.typo).toBe(1);
  });

  test("treats fields named like parts of JavaScript as fields", () => {
    const schema = compileSchema({
      type: "object",
      properties: { spec: { type: "object", additionalProperties: named } },
    });
    const value = JSON.parse(
      '{"spec":{"__proto__":{"name":"a","x":1},"constructor":{"name":"b"}},"toString":1}',
    ) as Json;
    const pruned = schema.prune(value);
    expect(JSON.stringify(pruned)).toBe('{"spec":{"__proto__":{"name":"a"},"constructor":{"name":"b"}}}');
    expect(schema.unknownFields(value)).toEqual(["spec.__proto__.x", "toString"]);
    expect(({} as { name?: string }).name).toBeUndefined();
  });

  test("names unknown fields of the object's own metadata first", () => {
    const schema = compileSchema({ type: "object", properties: { spec: named } });
    const value = { metadata: { name: "a", zzz: 1, ownerReferences: [{ foo: 1 }] }, spec: { b: 1, a: 1 } };
    expect(schema.unknownFields(value)).toEqual([
      "metadata.ownerReferences[0].foo",
      "metadata.zzz",
      "spec.a",
      "spec.b",
    ]);
  });

  test("of a value that is no resource drops apiVersion, kind and metadata like any other field", () => {
    const schema = compileSchema(named, { root: "value" });
    expect(schema.prune({ name: "a", kind: "K" })).toEqual({ name: "a" });
  });
});

describe("defaults", () => {
  const schema = compileSchema({
    type: "object",
    properties: {
      spec: { type: "object", default: {}, properties: { list: { type: "array", items: text, default: ["a"] } } },
    },
  });

  test("give back the very same object where nothing is missing", () => {
    const value = { spec: { list: [] } };
    expect(schema.applyDefaults(value)).toBe(value);
  });

  test("of a default that is filled in are filled in too, and are frozen", () => {
    const filled = schema.applyDefaults({}) as { spec: { list: string[] } };
    expect(filled).toEqual({ spec: { list: ["a"] } });
    expect(() => filled.spec.list.push("b")).toThrow(TypeError);
  });

  test("for a field called __proto__ are data", () => {
    const properties = JSON.parse('{"__proto__":{"type":"integer","default":1}}') as { [name: string]: JsonSchema };
    const value = compileSchema({ type: "object", properties }, { root: "value" }).applyDefaults({});
    expect(JSON.stringify(value)).toBe('{"__proto__":1}');
  });
});

describe("validation", () => {
  test("takes integers beyond 2^53 for integers, and those beyond 64 bits for none", () => {
    const schema: JsonSchema = { type: "integer", maximum: 9_223_372_036_854_775_000n };
    expect(errorsOf(schema, 9_007_199_254_740_993n)).toEqual([]);
    expect(errorsOf(schema, 9_223_372_036_854_775_807n, FieldPath.of("n"))).toEqual([
      "n: Invalid value: 9223372036854775807:  in body should be less than or equal to 9223372036854775000",
    ]);
    expect(errorsOf({ type: "integer" }, 2n ** 63n, FieldPath.of("n"))).toEqual([
      'n: Invalid value: "number":  in body must be of type integer: "number"',
    ]);
  });

  test("puts places behind the path it is given and keeps them out of the text", () => {
    const schema: JsonSchema = { type: "array", items: { type: "object", additionalProperties: text } };
    expect(errorsOf(schema, [{}, { k: 1 }], FieldPath.of("spec", "default"))).toEqual([
      'spec.default.[1].k: Invalid value: "integer": [1].k in body must be of type string: "integer"',
    ]);
  });

  test("does not find a required field on the prototype", () => {
    expect(errorsOf({ type: "object", required: ["toString", "constructor"] }, {})).toEqual([
      "toString: Required value",
      "constructor: Required value",
    ]);
  });

  test("reports equal texts once and errors in the order of the keywords", () => {
    const schema: JsonSchema = {
      type: "string",
      maxLength: 1,
      enum: ["a"],
      allOf: [{ maxLength: 1 }, { minLength: 9 }],
    };
    expect(errorsOf(schema, "bcd", FieldPath.of("x"))).toEqual([
      "x: Too long: may not be more than 1 byte",
      'x: Invalid value: "bcd":  in body should be at least 9 chars long',
      'x: Invalid value: "": "" must validate all the schemas (allOf). None validated',
      'x: Unsupported value: "bcd": supported values: "a"',
    ]);
  });

  test("refuses every text where a pattern is broken", () => {
    expect(errorsOf({ type: "string", pattern: "(" }, "a", FieldPath.of("x"))).toEqual([
      "x: Invalid value: \"a\":  in body should match '(, but pattern is invalid: error parsing regexp: missing closing ): `(`'",
    ]);
  });

  test("of one field is that of its schema", () => {
    const status = compileSchema({ type: "object", properties: { status: named } }).property("status");
    expect(status?.validate({ name: 1 }, FieldPath.of("status")).map(describeFieldError)).toEqual([
      'status.name: Invalid value: "integer": name in body must be of type string: "integer"',
    ]);
    expect(compileSchema(named).property("constructor")).toBeUndefined();
  });

  test("checks uniqueItems, which variables may use", () => {
    const schema: JsonSchema = { type: "array", uniqueItems: true, items: { type: "object" } };
    expect(errorsOf(schema, [{ a: 1 }, { a: 1 }], FieldPath.of("x"))).toEqual([
      `x: Invalid value: "":  in body shouldn't contain duplicates`,
    ]);
    expect(errorsOf(schema, [{ a: 1 }, { a: 2 }])).toEqual([]);
  });
});

describe("nesting", () => {
  test("of 10,000 levels in a schema is refused with a clear error", () => {
    const deep = nested(10_000, (items) => ({ type: "array", items }));
    expect(() => compileSchema(deep as JsonSchema)).toThrow(SchemaTooDeepError);
  });

  test("of 10,000 levels in a value is refused or left alone, never a crash", () => {
    const value = { a: nested(10_000, (inside) => [inside]), b: nested(10_000, (b) => ({ b })) };
    const anything = compileSchema({ type: "object", additionalProperties: true }, { root: "value" });
    expect(() => anything.prune(value)).toThrow(JsonTooDeepError);
    const kept = compileSchema({ "x-kubernetes-preserve-unknown-fields": true }, { root: "value" });
    expect(kept.prune(value)).toBe(value);
    expect(kept.validate(value)).toEqual([]);
    expect(compileSchema(named, { root: "value" }).validate(value)).toEqual([]);
    expect(deepestJson).toBeLessThan(10_000);
  });
});

describe("a Machine", () => {
  const folder = `${import.meta.dirname}/../../../test/fixtures/schema`;
  const machine = JSON.parse(readFileSync(`${folder}/machine.json`, "utf8")) as Json;
  const definition = JSON.parse(readFileSync(`${folder}/machines-definition.json`, "utf8")) as {
    spec: { versions: { storage: boolean; schema: { openAPIV3Schema: JsonSchema } }[] };
  };
  const version = definition.spec.versions.find(({ storage }) => storage);
  const schema = compileSchema(version?.schema.openAPIV3Schema ?? {});

  test("passes its own schema untouched", () => {
    expect(schema.prune(machine)).toBe(machine);
    expect(schema.applyDefaults(machine)).toBe(machine);
    expect(schema.validate(machine)).toEqual([]);
  });
});

describe("whatever JSON comes", () => {
  const schemas = fc.constantFrom<JsonSchema>(
    { type: "object", properties: { a: named, b: { type: "array", items: named } }, required: ["a"] },
    { type: "object", additionalProperties: { type: "string", format: "date-time", default: "x" } },
    { type: "array", "x-kubernetes-list-type": "set", items: { type: "integer", minimum: 1, multipleOf: 0.5 } },
    { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", ""], items: named },
    { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
    { "x-kubernetes-int-or-string": true, enum: [1, "a", null, {}], not: { pattern: "^a" } },
    {
      type: "string",
      format: "email",
      pattern: "^(a|b)*$",
      maxLength: 3,
      oneOf: [{ minLength: 2 }, { format: "uri" }],
    },
    {
      type: "object",
      anyOf: [{ required: ["a"] }, { properties: { a: { enum: [1] } } }],
      allOf: [{ minProperties: 1 }],
    },
  );

  test("nothing throws, and what accepts a value agrees with what reports on it", () => {
    fc.assert(
      fc.property(schemas, fc.jsonValue(), fc.jsonValue(), (schema, value, old) => {
        const compiled = compileSchema(schema, { root: "value" });
        const json = value as Json;
        const pruned = compiled.prune(json);
        expect(compiled.prune(pruned)).toBe(pruned);
        const filled = compiled.applyDefaults(pruned);
        expect(compiled.applyDefaults(filled)).toBe(filled);
        compiled.unknownFields(json);
        compiled.malformed(json);
        compiled.validateUpdate(filled, old as Json);
        const { parts } = compiled;
        const errors = [...parts.keywords(filled), ...parts.embeddedResources(filled), ...parts.listTypes(filled)];
        expect(compiled.accepts(filled)).toBe(errors.length === 0);
      }),
      { numRuns: 500 },
    );
  });
});

describe("an older value", () => {
  const item: JsonSchema = { type: "object", required: ["name"], properties: { name: text, size: { maximum: 2 } } };
  const schema = compileSchema(
    {
      type: "object",
      properties: {
        keyed: { type: "array", items: item, "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
        map: { type: "object", additionalProperties: item, maxProperties: 2 },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true, properties: { inside: named } },
        either: { type: "array", items: { type: "object", oneOf: [{ required: ["name"] }, { required: ["size"] }] } },
      },
    },
    { root: "value" },
  );
  const items = fc.record(
    { name: fc.constantFrom("a", "b"), size: fc.integer({ min: 1, max: 3 }), typo: fc.constantFrom(null, 1) },
    { requiredKeys: [] },
  );
  const values = fc.record(
    {
      keyed: fc.array(items, { maxLength: 3 }),
      map: fc.dictionary(fc.constantFrom("x", "y", "__proto__"), items),
      free: fc.record({ inside: items, other: items }, { requiredKeys: [] }),
      either: fc.array(items, { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );

  test("changes nothing about what is pruned and accepted", () => {
    fc.assert(
      fc.property(values, values, (first, second) => {
        const older = schema.prune(first);
        const value = sharing(second, older);
        expect(schema.prune(value, older)).toEqual(schema.prune(second));
        const pruned = sharing(schema.prune(value), older);
        const accepted = schema.accepts(older) ? older : undefined;
        expect(schema.accepts(pruned, accepted)).toBe(schema.accepts(pruned));
      }),
      { numRuns: 2000 },
    );
  });
});

function nested(depth: number, around: (inside: Json) => Json): Json {
  let value: Json = "x";
  for (let level = 0; level < depth; level++) value = around(value);
  return value;
}
