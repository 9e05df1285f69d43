import { expect, test } from "vitest";
import { dumpReader } from "#control";
import { missingDefinitions } from "./dump.ts";
import { referenceOf, referenceText, thereAre } from "./missing-reference.ts";

const infrastructure = "infrastructure.cluster.x-k8s.io";

function machineOf(name: string) {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { name: "m", namespace: "default" },
    spec: {
      clusterName: "c",
      bootstrap: {},
      infrastructureRef: { apiGroup: infrastructure, kind: "DevMachine", name },
    },
  };
}

test("an object that does not exist is told with the field that names it and with what there is", async () => {
  const objects = ["b", "a"].map((name) => ({
    apiVersion: `${infrastructure}/v1beta2`,
    kind: "DevMachine",
    metadata: { name, namespace: "default" },
  }));
  const reader = dumpReader([...missingDefinitions(objects).definitions, ...objects]);
  const { signal } = new AbortController();
  const missing = await referenceOf(machineOf("typo"), "InfrastructureReady", { reader, signal });
  expect(missing === undefined ? "" : referenceText(missing)).toBe(
    "DevMachine default/typo, as spec.infrastructureRef.name says: there are a, b",
  );
  const found = await referenceOf(machineOf("a"), "InfrastructureReady", { reader, signal });
  expect(found).toEqual({ object: "DevMachine default/a", field: "spec.infrastructureRef.name" });
  expect(await referenceOf(machineOf("a"), "NodeReady", { reader, signal })).toBeUndefined();
});

test.each([
  [[], "there is none"],
  [["a"], "there is a"],
  ["abcdefghijk".split(""), "there are a, b, c, d, e, f, g, h, i, j, …"],
])("of %j it is said that %s", (names, said) => {
  expect(thereAre(names)).toBe(said);
});
