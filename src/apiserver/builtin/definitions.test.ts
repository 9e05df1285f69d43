import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeGroupResource, type KubeObject } from "#machinery";
import { servedVersion } from "#apiserver/resources";
import { defaultsByType } from "./defaults/defaults-by-type.ts";
import { builtinDefinitions, builtinKinds, builtinPrinter, findWireType, isStored } from "./index.ts";
import { rulesByResource } from "./behaviour/rules-by-resource.ts";

const definitions = new Map(builtinDefinitions().map((each) => [describeGroupResource(each), each]));

describe("the tables fit together", () => {
  test("every rule is about a kind that is kept", () => {
    expect(Object.keys(rulesByResource).filter((name) => !definitions.has(name))).toEqual([]);
  });

  test("every default is about a type that there is", () => {
    expect([...defaultsByType.keys()].filter((name) => findWireType(name) === undefined)).toEqual([]);
  });

  test("every constant default is a field of its type", () => {
    const strange = [...defaultsByType].flatMap(([name, defaults]) =>
      typeof defaults === "function"
        ? []
        : Object.keys(defaults).filter((field) => findWireType(name)?.fields.has(field) !== true),
    );
    expect(strange).toEqual([]);
  });

  test("every kind has a type, and all types inside it can be found", () => {
    const seen = new Set<string>();
    const open = builtinKinds().flatMap(({ type, subresources = [] }) => [
      type,
      ...subresources.flatMap((each) => (each.type === undefined ? [] : [each.type])),
    ]);
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (seen.has(name)) continue;
      seen.add(name);
      for (const { element } of findWireType(name)?.fields.values() ?? []) {
        if (element.kind === "object") open.push(element.type().name);
      }
    }
    expect(seen.size).toBeGreaterThan(450);
  });

  test("every kind that is kept has a printer with a cell for each column", () => {
    for (const definition of definitions.values()) {
      const printer = builtinPrinter(definition);
      expect(printer?.columns.length).toBeGreaterThan(1);
    }
  });

  test("reviews are answered, and not kept", () => {
    const answered = builtinKinds().filter((kind) => !isStored(kind));
    expect(answered.map(({ kind }) => kind).toSorted()).toEqual([
      "Binding",
      "LocalSubjectAccessReview",
      "SelfSubjectAccessReview",
      "SelfSubjectReview",
      "SelfSubjectRulesReview",
      "SubjectAccessReview",
      "TokenReview",
    ]);
  });
});

describe("an object as the real server keeps it comes back as it is, not as a copy", () => {
  const folder = join(import.meta.dirname, "../../../test/fixtures/builtin");
  test.each(readdirSync(folder))("%s", (file) => {
    const cases = JSON.parse(readFileSync(join(folder, file), "utf8")) as readonly {
      readonly resource: string;
      readonly version: string;
      readonly code: number;
      readonly answer: KubeObject;
    }[];
    const copied = cases
      .filter(({ code }) => code < 300)
      .filter(({ resource, version, answer }) => {
        const definition = definitions.get(resource);
        const schema = definition === undefined ? undefined : servedVersion(definition, version)?.schema;
        return schema?.applyDefaults(schema.prune(answer)) !== answer;
      });
    expect(copied.map(({ answer }) => answer.metadata.name)).toEqual([]);
  });
});
