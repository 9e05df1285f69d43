import type { ClusterClassVariable, VariableSchema } from "#api";
import { describe, expect, test } from "vitest";
import { conflictsIn, Definitions } from "./definitions.ts";
import { readVariable } from "./discovered-variable.ts";

function variable(
  name: string,
  schema: VariableSchema,
  rest: Partial<ClusterClassVariable> = {},
): ClusterClassVariable {
  return { name, required: false, schema: { openAPIV3Schema: schema }, ...rest };
}

const text = variable("a", { type: "string" });

function isConflict(first: ClusterClassVariable, second: ClusterClassVariable): boolean {
  const definitions = new Definitions();
  definitions.addInline([first]);
  definitions.add("patch", [second]);
  return conflictsIn(definitions.sorted()).length > 0;
}

describe("two definitions of a variable", () => {
  const flags = variable("a", {
    type: "array",
    uniqueItems: false,
    items: { type: "integer", exclusiveMaximum: false },
  });
  const object = (required?: readonly string[]) =>
    variable("a", { type: "object", properties: { b: { type: "string" } }, ...(required && { required }) });

  test.each<[string, ClusterClassVariable, ClusterClassVariable, boolean]>([
    ["agree where they are the same", text, variable("a", { type: "string" }), false],
    [
      "agree where one writes out what is false",
      variable("a", { type: "array", items: { type: "integer" } }),
      flags,
      false,
    ],
    [
      "agree whatever the order of properties",
      variable("a", { type: "object", properties: { x: {}, y: {} } }),
      variable("a", { type: "object", properties: { y: {}, x: {} } }),
      false,
    ],
    ["disagree on the type", text, variable("a", { type: "integer" }), true],
    ["disagree on a description", text, variable("a", { type: "string", description: "a text" }), true],
    ["disagree on the order of choices", variable("a", { enum: [1, 2] }), variable("a", { enum: [2, 1] }), true],
    ["disagree on whether it is required", text, variable("a", { type: "string" }, { required: true }), true],
    [
      "disagree on labels",
      text,
      variable("a", { type: "string" }, { deprecatedV1Beta1Metadata: { labels: { x: "y" } } }),
      true,
    ],
    ["disagree where only one has an empty list", object(), object([]), true],
  ])("%s", (_, first, second, expected) => {
    expect(isConflict(first, second)).toBe(expected);
  });

  test("are compared with the first one, and no more once two disagree", () => {
    const definitions = new Definitions();
    definitions.add("one", [text]);
    definitions.add("two", [variable("a", { type: "integer" })]);
    definitions.add("three", [text]);
    const [only] = definitions.sorted();
    expect(only).toMatchObject({ name: "a", definitionsConflict: true });
    expect(only?.definitions.map(({ from }) => from)).toEqual(["one", "two", "three"]);
  });
});

test("variables stand in the order of their names, byte by byte", () => {
  const definitions = new Definitions();
  definitions.addInline(["b", "a", "B", "_", "\u{1F600}", "\uFFFD"].map((name) => variable(name, { type: "string" })));
  expect(definitions.sorted().map(({ name }) => name)).toEqual(["B", "_", "a", "b", "\uFFFD", "\u{1F600}"]);
});

test("of two inline variables with one name the later counts", () => {
  const definitions = new Definitions();
  definitions.addInline([text, variable("a", { type: "integer" })]);
  expect(definitions.sorted()).toEqual([
    {
      name: "a",
      definitionsConflict: false,
      definitions: [{ from: "inline", required: false, schema: { openAPIV3Schema: { type: "integer" } } }],
    },
  ]);
});

test("keywords that say nothing are not stored, because the schema of a class would not take them", () => {
  const definitions = new Definitions();
  const empty = { type: "string", description: "", required: [], default: "", enum: [] } as const;
  definitions.addInline([variable("a", { type: "object", properties: { b: empty } })]);
  expect(definitions.sorted()[0]?.definitions[0]?.schema.openAPIV3Schema).toEqual({
    type: "object",
    properties: { b: { type: "string", default: "" } },
  });
});

describe("a discovered variable", () => {
  const schema = { openAPIV3Schema: { type: "array", uniqueItems: false, items: { type: "string" } } };

  test("of v1beta1 is converted", () => {
    expect(readVariable({ name: "a", required: true, metadata: { labels: { x: "y" } }, schema })).toEqual({
      name: "a",
      required: true,
      deprecatedV1Beta1Metadata: { labels: { x: "y" } },
      schema: { openAPIV3Schema: { type: "array", items: { type: "string" } } },
    });
  });

  test("of v1beta2 is taken as it is, and is not required unless it says so", () => {
    expect(readVariable({ name: "a", deprecatedV1Beta1Metadata: { labels: { x: "y" } }, schema })).toEqual({
      name: "a",
      required: false,
      deprecatedV1Beta1Metadata: { labels: { x: "y" } },
      schema,
    });
  });

  test("with empty metadata has none", () => {
    expect(
      readVariable({ name: "a", metadata: { labels: {} }, schema: { openAPIV3Schema: { type: "string" } } }),
    ).toEqual({
      name: "a",
      required: false,
      schema: { openAPIV3Schema: { type: "string" } },
    });
  });

  test.each([[null], ["a"], [[]], [3]])("that is %j cannot be converted", (value) => {
    expect(readVariable(value)).toBeUndefined();
  });
});
