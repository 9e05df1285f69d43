import { describe, expect, test } from "vitest";
import { InvalidYamlError } from "./yaml.ts";
import { parseLinedYaml } from "./yaml-lines.ts";

const source = `# a comment
kind: A
list:
  - name: one
    'it''s': 1
  - name: two
    "q\\"uoted": {a: 1, b: [2,
      3]}
empty:
shared: &shared
  inner: 1
alias: *shared
---
---
kind: B
text: |
  two
  lines
after: 1
`;

describe("lines of YAML", () => {
  const [first, second] = parseLinedYaml(source);

  test("documents that are empty are left out, and the others keep their places", () => {
    expect(parseLinedYaml(source)).toHaveLength(2);
    expect([first?.value, second?.value]).toMatchObject([{ kind: "A" }, { kind: "B" }]);
  });

  test.each<[readonly (string | number)[], number]>([
    [[], 2],
    [["kind"], 2],
    [["list", 0], 4],
    [["list", 0, "it's"], 5],
    [["list", 1, "name"], 6],
    [["list", 1, 'q"uoted', "b", 1], 8],
    [["empty"], 9],
    [["shared", "inner"], 11],
    [["alias"], 12],
    [["alias", "inner"], 11],
    [["list", 1, "missing", "deeper"], 6],
    [["list", 7], 3],
    [["nowhere"], 2],
  ])("%j stands on line %d", (path, line) => {
    expect(first?.lineAt(path)).toBe(line);
  });

  test("a document further down counts from the beginning of the text", () => {
    expect([["kind"], ["text"], ["after"]].map((path) => second?.lineAt(path))).toEqual([15, 16, 19]);
  });

  test("JSON has lines too, whatever ends them", () => {
    const [document] = parseLinedYaml('{\r\n"a":\r\n{"b": 1}}');
    expect(document?.lineAt(["a", "b"])).toBe(3);
  });

  test("what is no YAML is refused with its line", () => {
    expect(() => parseLinedYaml("a: 1\nb: [")).toThrow(InvalidYamlError);
    expect(() => parseLinedYaml("a: 1\na: 2")).toThrow("line 2");
  });
});
