import { defineCondition, False, holds, nothing, otherwise, row, True } from "#conditions";
import { expect, test } from "vitest";
import { conditionPages } from "./condition-pages.ts";

const Lit = defineCondition({
  of: "Lamp",
  type: "Lit",
  summary: "Tells whether the lamp is lit.",
  reasons: ["Lit", "Dark"],
  rows: [
    row({
      id: "dark",
      when: holds("it is off", ({ on }: { readonly on: boolean }) => !on),
      ensure: nothing("somebody has to switch it on"),
      report: False("Dark"),
    }),
  ],
  otherwise: otherwise({ id: "lit", when: "it is on", ensure: nothing("it shines"), report: True("Lit") }),
});

function sectionOf(hasDump: (path: string) => boolean): readonly string[] {
  const dark = {
    table: { file: "src/lamp.test.ts", test: "Lamp.Lit > dark" },
    scenario: { file: "test/lamp.test.ts", test: "a lamp [off | out] is dark" },
  };
  const tests = { "Lamp.Lit/dark": dark, "Lamp.Lit/lit": { table: { ...dark.table, test: "Lamp.Lit > lit" } } };
  const page = conditionPages([Lit], { tests, hasDump }).get("Lamp.Lit.md") ?? "";
  return page
    .slice(page.indexOf("## Where each row fires"))
    .split("\n")
    .filter((line) => line.startsWith("|"));
}

test("each row is linked to the tests that make it fire, and says so where there is none", () => {
  expect(sectionOf(() => false)).toEqual(
    [
      "| Row | Its case in the table test | A scenario in which it fires |",
      "|---|---|---|",
      String.raw`| \`dark\` | [Lamp.Lit > dark](../../src/lamp.test.ts) | [a lamp \[off \| out\] is dark](../../test/lamp.test.ts) |`,
      "| `lit` | [Lamp.Lit > lit](../../src/lamp.test.ts) | no scenario yet |",
    ].map((line) => line.replaceAll(String.raw`\``, "`")),
  );
});

test("dumps are linked where there are any", () => {
  const lines = sectionOf((path) => path === "examples/explain/lit/lit.yaml");
  expect(lines.map((line) => line.split(" | ").at(-1))).toEqual([
    "A dump for `capstan explain -f` |",
    "|---|---|---|---|",
    " |",
    "[lit.yaml](../../examples/explain/lit/lit.yaml) |",
  ]);
});
