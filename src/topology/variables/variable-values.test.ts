import type { VariableSchema } from "#api";
import { describeFieldError, FieldPath, type Json } from "#machinery";
import { describe, expect, test } from "vitest";
import { fillInValues, validateValues, type VariableDefinitions, type VariableValue } from "./variable-values.ts";

const path = FieldPath.of("spec", "topology", "variables");

function defined(name: string, schema: VariableSchema, required = false): VariableDefinitions[number] {
  return { name, definitions: [{ from: "inline", required, schema: { openAPIV3Schema: schema } }] };
}

const cpu = defined("cpu", { type: "integer", default: 1, minimum: 1 });
const proxy = defined("proxy", {
  type: "object",
  properties: { url: { type: "string" }, port: { type: "integer", default: 3128 } },
});
const zone = defined("zone", { type: "string", maxLength: 3 }, true);

describe("filling in values", () => {
  const filled = (values: readonly VariableValue[], create = true): unknown => {
    const outcome = fillInValues(values, [cpu, proxy, zone], { path, create });
    return outcome.kind === "filled" ? outcome.values : outcome.errors.map(describeFieldError);
  };

  test.each<[string, readonly VariableValue[], unknown]>([
    ["adds variables with a default, in the order of the definitions", [], [{ name: "cpu", value: 1 }]],
    [
      "keeps what is set and its order",
      [
        { name: "zone", value: "a" },
        { name: "cpu", value: 4 },
      ],
      [
        { name: "zone", value: "a" },
        { name: "cpu", value: 4 },
      ],
    ],
    [
      "fills in the parts of what is set",
      [{ name: "proxy", value: { url: "http://a" } }],
      [
        { name: "proxy", value: { url: "http://a", port: 3128 } },
        { name: "cpu", value: 1 },
      ],
    ],
    ["takes null for not set", [{ name: "cpu", value: null }], [{ name: "cpu", value: 1 }]],
    [
      "refuses what is not defined",
      [{ name: "gpu", value: { a: "<b>" } }],
      ['spec.topology.variables[gpu]: Invalid value: "{\\"a\\":\\"<b>\\"}": variable is not defined'],
    ],
    [
      "refuses what is set twice, and where it is defined",
      [
        { name: "cpu", value: 1 },
        { name: "cpu", value: 2, definitionFrom: "proxy" },
      ],
      [
        'spec.topology.variables[cpu]: Invalid value: "2": variable "cpu" has DefinitionFrom set. DefinitionFrom is ' +
          "deprecated, must not be set anymore and is going to be removed in the next apiVersion",
        'spec.topology.variables[cpu]: Invalid value: "2": variable "cpu" is set more than once',
      ],
    ],
  ])("%s", (_, values, expected) => {
    expect(filled(values)).toEqual(expected);
  });

  test("adds nothing to overrides", () => {
    expect(filled([], false)).toEqual([]);
  });

  test("refuses definitions that do not agree, and those that are none", () => {
    const definitions = [
      { ...cpu, definitionsConflict: true },
      { name: "gpu", definitions: [] },
    ];
    const outcome = fillInValues([], definitions, { path, create: true });
    expect(outcome.kind === "refused" && outcome.errors.map(describeFieldError)).toEqual([
      'spec.topology.variables: Invalid value: "[Name: cpu,Name: gpu]": variable definitions in the ClusterClass not valid: ' +
        '[variable "cpu" has conflicting definitions, variable "gpu" has no definitions]',
    ]);
  });
});

describe("checking values", () => {
  const errorsOf = (
    values: readonly VariableValue[],
    definitions: VariableDefinitions,
    options: { readonly old?: readonly VariableValue[]; readonly complete?: boolean } = {},
  ) => validateValues(values, definitions, { path, old: [], complete: true, ...options }).map(describeFieldError);

  test("finds nothing in values that fit", () => {
    expect(errorsOf([{ name: "zone", value: "a" }], [cpu, proxy, zone])).toEqual([]);
  });

  test("asks for required variables, but not of overrides", () => {
    expect(errorsOf([], [zone])).toEqual([
      'spec.topology.variables: Required value: required variable "zone" must be set',
    ]);
    expect(errorsOf([], [zone], { complete: false })).toEqual([]);
  });

  test.each<[string, string, VariableSchema, Json, string]>([
    [
      "a wrong type",
      "a",
      { type: "integer" },
      "x",
      '[a].value: Invalid value: "\\"x\\"": must be of type integer: "string"',
    ],
    [
      "a number too small",
      "a",
      { type: "integer", minimum: 2 },
      1,
      '[a].value: Invalid value: "1": should be greater than or equal to 2',
    ],
    [
      "a text too long",
      "a",
      { type: "string", maxLength: 1 },
      "xy",
      "[a].value: Too long: may not be more than 1 byte",
    ],
    ["null", "a", { type: "string" }, null, '[a].value: Invalid value: "null": must be of type string: "null"'],
    [
      "a wrong type deep inside",
      "a",
      { type: "object", properties: { b: { type: "integer" } } },
      { b: "x" },
      '[a].value.b: Invalid value: "{\\"b\\":\\"x\\"}": b in body must be of type integer: "string"',
    ],
    [
      "fields that nobody knows, even those that every object has",
      "a",
      { type: "object", properties: { b: { type: "object" } } },
      { b: { c: 1 }, metadata: {}, d: 1 },
      '[a]: Invalid value: "{\\"b\\":{\\"c\\":1},\\"d\\":1,\\"metadata\\":{}}": failed validation: "b.c,d,metadata" field(s) ' +
        'are not specified in the variable schema of variable "a"',
    ],
    [
      "a rule that does not hold",
      "a",
      { type: "integer", "x-kubernetes-validations": [{ rule: "self > 3", message: "must be more than 3" }] },
      1,
      '[a].value: Invalid value: "1": must be more than 3',
    ],
  ])("refuses %s", (_, name, schema, value, expected) => {
    const texts = errorsOf([{ name, value }], [defined(name, schema)]);
    expect(texts).toEqual([`spec.topology.variables${expected}`]);
  });

  test("judges changes by the value before, also one that was wrong already", () => {
    const grows = defined("a", {
      type: "integer",
      "x-kubernetes-validations": [{ rule: "self > oldSelf" }, { rule: "self > 5" }],
    });
    const [old, value] = [[{ name: "a", value: 3 }], [{ name: "a", value: 3 }]];
    expect(errorsOf(value, [grows], { old })).toEqual([
      'spec.topology.variables[a].value: Invalid value: "3": failed rule: self > oldSelf',
      'spec.topology.variables[a].value: Invalid value: "3": failed rule: self > 5',
    ]);
  });

  test("runs rules at the root of a list", () => {
    const list = defined("a", {
      type: "array",
      items: { type: "integer" },
      maxItems: 5,
      "x-kubernetes-validations": [{ rule: "self.all(x, x > 0)", message: "all must be above 0" }],
    });
    expect(errorsOf([{ name: "a", value: [1, 0] }], [list])).toEqual([
      'spec.topology.variables[a].value: Invalid value: "[1,0]": all must be above 0',
    ]);
  });

  test("refuses what is set twice before looking at anything else", () => {
    const twice = [
      { name: "zone", value: 1 },
      { name: "zone", value: 2 },
    ];
    expect(errorsOf(twice, [zone])).toEqual([
      'spec.topology.variables[zone]: Invalid value: "2": variable "zone" is set more than once',
    ]);
  });
});
