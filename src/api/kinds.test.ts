import { describe, expect, test } from "vitest";
import { definitionToCreate, type JsonSchema, type Kind, qualifiedNameProblems, validateCrd } from "#machinery";
import { annotations } from "./annotations.ts";
import { conditionReasons } from "./condition-reasons.ts";
import { finalizers } from "./finalizers.ts";
import { contractLabels } from "./groups.ts";
import { kinds } from "./kinds.ts";
import { labels } from "./labels.ts";

const byName = kinds.map((kind): [string, Kind] => [kind.kind, kind]);

describe("all kinds", () => {
  test("have names of their own", () => {
    const names = kinds.map(({ group, resource }) => `${resource.resource}.${group}`);
    expect(new Set(names).size).toBe(17);
    const short = kinds.flatMap(({ declaration }) => declaration.shortNames ?? []);
    expect(new Set(short).size).toBe(short.length);
  });

  test.each(byName)("%s has a definition that is valid", (_name, kind) => {
    expect(validateCrd(definitionToCreate(kind.crd()))).toEqual([]);
  });

  test.each(byName)("%s says one short sentence about every field", (_name, kind) => {
    const silent = [...fieldsOf(kind.schema(), kind.kind)]
      .filter(([path]) => path !== `${kind.kind}.metadata`)
      .filter(([, { description = "" }]) => !/^[A-Z].*\.$/.test(description) || description.length > 160);
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  test.each(byName)(
    "%s has a status resource exactly where it has a status that others may not write",
    (_name, kind) => {
      const { hasStatus = false, fields } = kind.declaration;
      expect(hasStatus).toBe(fields["status"] !== undefined);
    },
  );

  test.each(byName)("%s prints columns for fields that exist", (_name, kind) => {
    const paths = (kind.declaration.columns ?? []).map(({ jsonPath }) => jsonPath);
    const plain = paths.filter((path) => /^\.(spec|status)\.[\w.]+$/.test(path));
    const known = new Set([...fieldsOf(kind.schema(), "")].map(([path]) => path));
    expect(plain.filter((path) => !known.has(path))).toEqual([]);
  });
});

describe("conditions", () => {
  test.each(byName.filter(([, kind]) => hasConditions(kind)))("of %s are known", (name) => {
    expect(conditionReasons).toHaveProperty(name);
    expect(conditionReasons).toHaveProperty([name, "Paused", "reasons"], ["Paused", "NotPaused"]);
  });

  test("have types and reasons that an API server takes", () => {
    const words = Object.values(conditionReasons).flatMap((types) =>
      Object.entries(types).flatMap(([type, { reasons }]) => [type, ...reasons]),
    );
    expect(words.filter((word) => !/^[A-Z][A-Za-z0-9]*$/.test(word))).toEqual([]);
  });

  test("name each reason once", () => {
    const repeated = Object.values(conditionReasons).flatMap((types) =>
      Object.entries(types).filter(([, { reasons }]) => new Set(reasons).size !== reasons.length),
    );
    expect(repeated).toEqual([]);
  });
});

test("labels, annotations and finalizers are spelled as Kubernetes wants them, and differ", () => {
  for (const names of [labels, annotations, finalizers]) {
    const keys: readonly string[] = Object.values(names);
    expect(keys.flatMap((key) => qualifiedNameProblems(key))).toEqual([]);
    expect(new Set(keys).size).toBe(keys.length);
  }
});

test("the label of a contract lists the versions that fulfil it", () => {
  expect(contractLabels({ v1beta1: ["v1beta1"], v1beta2: ["v1beta2", "v1"] })).toEqual({
    "cluster.x-k8s.io/v1beta1": "v1beta1",
    "cluster.x-k8s.io/v1beta2": "v1beta2_v1",
  });
});

/** Every member that a user can set, by path. */
function* fieldsOf(schema: JsonSchema, path: string): Generator<[string, JsonSchema]> {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    yield [`${path}.${name}`, field];
    yield* fieldsOf(field, `${path}.${name}`);
  }
  if (schema.items !== undefined && !("length" in schema.items)) yield* fieldsOf(schema.items, `${path}[]`);
}

function hasConditions(kind: Kind): boolean {
  return kind.schema().properties?.["status"]?.properties?.["conditions"] !== undefined;
}
