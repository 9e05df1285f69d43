import type { ClusterClassVariable } from "#api";
import { describeFieldError, FieldPath, type Json, type JsonObject } from "#machinery";
import { describe, expect, test } from "vitest";
import { validateDefinitions } from "./validate-definitions.ts";

const path = FieldPath.of("spec", "variables");
const place = "spec.variables[a].schema.openAPIV3Schema";

/** What is found in a definition of which nothing is known but that it is JSON. */
function errorsOf(schema: Json): readonly string[] {
  const variable = {
    name: "a",
    required: false,
    schema: { openAPIV3Schema: schema },
  } as unknown as ClusterClassVariable;
  return validateDefinitions([variable], path).map(describeFieldError);
}

describe("a schema that is none", () => {
  test.each<[Json, readonly string[]]>([
    ["text", [`${place}: Invalid value: must be an object`]],
    [{ type: 3 }, [`${place}.type: Invalid value: must be a text`]],
    [{ type: "object", properties: [] }, [`${place}.properties: Invalid value: must be an object`]],
    [{ type: "object", properties: { b: true } }, [`${place}.properties[b]: Invalid value: must be an object`]],
    [
      { type: "object", additionalProperties: true },
      [`${place}.additionalProperties: Invalid value: must be an object`],
    ],
    [{ type: "array", items: [{ type: "string" }] }, [`${place}.items: Invalid value: must be an object`]],
    [{ type: "string", enum: "x" }, [`${place}.enum: Invalid value: must be a list`]],
    [{ type: "string", maxLength: 1.5 }, [`${place}.maxLength: Invalid value: must be an integer`]],
    [{ type: "array", items: {}, uniqueItems: "yes" }, [`${place}.uniqueItems: Invalid value: must be true or false`]],
    [{ type: "string", allOf: [3] }, [`${place}.allOf[0]: Invalid value: must be an object`]],
    [
      { type: "string", "x-kubernetes-validations": [{ rule: 3 }, "x"] },
      [
        `${place}.x-kubernetes-validations[0].rule: Invalid value: must be a text`,
        `${place}.x-kubernetes-validations[1]: Invalid value: must be an object`,
      ],
    ],
  ])("%j gets an error with its place", (schema, expected) => {
    expect(errorsOf(schema)).toEqual(expected);
  });

  test.each([[undefined], [null], [{}]])("is missing where the definition has %j", (schema) => {
    const variable = { name: "a", required: false, schema } as unknown as ClusterClassVariable;
    expect(validateDefinitions([variable], path).map(describeFieldError)).toEqual([
      `${place}.type: Required value: must not be empty for specified object fields`,
    ]);
  });
});

test("all defaults of a variable share one budget of costs", () => {
  const list = Array.from({ length: 400 }, (_, index) => index);
  const rule = "self.all(x, self.all(y, x + y >= 0 && self.all(z, z >= 0)))";
  const costly: JsonObject = {
    type: "array",
    items: { type: "integer" },
    default: list,
    "x-kubernetes-validations": [{ rule }],
  };
  const errors = errorsOf({ type: "object", properties: { b: costly, c: costly } });
  expect(errors).toEqual([
    expect.stringMatching(/properties\[b\]\.default: Invalid value: "array": .*call cost exceeds limit/),
  ]);
});

test("rules at the root of a list are evaluated, as Kubernetes does it below the root", () => {
  const list = { type: "array", maxItems: 3, items: { type: "integer" } };
  const rules = [{ rule: "self.all(x, x > 0)", message: "all must be above 0" }];
  expect(errorsOf({ ...list, default: [1, 2], "x-kubernetes-validations": rules })).toEqual([]);
  expect(errorsOf({ ...list, default: [0], "x-kubernetes-validations": rules })).toEqual([
    `${place}.default: Invalid value: all must be above 0`,
  ]);
});
