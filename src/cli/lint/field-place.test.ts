import { expect, test } from "vitest";
import type { Json } from "#machinery";
import { stepsTo } from "./field-place.ts";

const object: Json = {
  spec: {
    variables: [
      { name: "cpu", schema: { properties: { "a.b": { default: { list: [1, { x: 2 }] } }, a: { b: 1 } } } },
      { name: "a[0]", schema: {} },
    ],
    workers: { machineDeployments: [{ class: "w1" }, { class: "w2", naming: { template: "t" } }] },
  },
};

test.each<[string, readonly (string | number)[]]>([
  ["", []],
  ["spec", ["spec"]],
  ["spec.variables[cpu].name", ["spec", "variables", 0, "name"]],
  ["spec.variables[1].schema", ["spec", "variables", 1, "schema"]],
  ["spec.variables[a[0]].schema", ["spec", "variables", 1, "schema"]],
  [
    "spec.variables[cpu].schema.properties[a.b].default.list[1].x",
    ["spec", "variables", 0, "schema", "properties", "a.b", "default", "list", 1, "x"],
  ],
  ["spec.variables[cpu].schema.properties[a].b", ["spec", "variables", 0, "schema", "properties", "a", "b"]],
  [
    "spec.variables[cpu].schema.properties[a.b].default.list.[0]",
    ["spec", "variables", 0, "schema", "properties", "a.b", "default", "list", 0],
  ],
  [
    "spec.workers.machineDeployments[w2].naming.template",
    ["spec", "workers", "machineDeployments", 1, "naming", "template"],
  ],
  ["spec.variables[gpu].name", ["spec", "variables"]],
  ["spec.var", ["spec"]],
  ["spec.variables[cpu].name.deeper", ["spec", "variables", 0, "name"]],
])("%s leads to %j", (path, steps) => {
  expect(stepsTo(path, object)).toEqual(steps);
});
