import { describe, expect, test } from "vitest";
import { Environment } from "../environment.ts";
import { language } from "../language.ts";
import { describeType, intType, listType, mapType, stringType, structType, type Type } from "./type.ts";

describe("types of rules", () => {
  const variables = new Map<string, Type>([["self", structType("Thing")]]);
  const environment = new Environment(language);
  const typeOf = (source: string): string => {
    const compiled = environment.compile(source, { variables, fieldsOf });
    return compiled.kind === "compiled" ? describeType(compiled.type) : (compiled.problem.split("\n", 1)[0] ?? "");
  };

  test.each([
    ["self.count", "int"],
    ["self.names[0]", "string"],
    ["self.names.map(n, n.size())", "list(int)"],
    ["self.labels['a']", "string"],
    ["self.labels.a", "string"],
    ["has(self.count)", "bool"],
    ["{'a': self.count}", "map(string, int)"],
    ["[self.count, self.names]", "list(dyn)"],
    ["self.nothing", "ERROR: <input>:1:5: undefined field 'nothing'"],
    ["self.count.x", "ERROR: <input>:1:11: type 'int' does not support field selection"],
    ["self.count + 'a'", "ERROR: <input>:1:12: found no matching overload for '_+_' applied to '(int, string)'"],
    ["self.names.all(n, n)", "ERROR: <input>:1:19: expected type 'bool' but found 'string'"],
    [
      "self.count.all(n, true)",
      "ERROR: <input>:1:5: expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)",
    ],
    ["other", "ERROR: <input>:1:1: undeclared reference to 'other' (in container '')"],
    ["self.names.frobnicate()", "ERROR: <input>:1:22: undeclared reference to 'frobnicate' (in container '')"],
    ["Thing{count: 1}", "ERROR: <input>:1:6: undeclared reference to 'Thing' (in container '')"],
  ])("%s is %s", (source, expected) => {
    expect(typeOf(source)).toBe(expected);
  });
});

const fields = new Map<string, Type>([
  ["count", intType],
  ["names", listType(stringType)],
  ["labels", mapType(stringType, stringType)],
]);

function fieldsOf(name: string): ReadonlyMap<string, Type> | undefined {
  return name === "Thing" ? fields : undefined;
}
