import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../root.ts";

const page = readFileSync(join(root, "docs/external.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| ") && !/^\| (Observed|Operation|Case|-+) /.test(line));

describe("docs/external.md", () => {
  test("has every row of the two tables that were asked for", () => {
    const [, watching = "", operations = ""] = page.split(/^## /m);
    expect([rowsOf(watching), rowsOf(operations)]).toEqual([4, 7]);
  });

  test.each(rows.map((row) => [cellsOf(row)[0] ?? "", row]))("%s names tests that exist", (_, row) => {
    const groups = [...(cellsOf(row).at(-1) ?? "").matchAll(/`([^`]+\.test\.ts)`: ((?:"[^"]+"(?:, )?)+)/g)];
    expect(groups).not.toEqual([]);
    for (const [, file = "", names = ""] of groups) {
      const source = readFileSync(join(root, file), "utf8");
      const missing = [...names.matchAll(/"[^"]+"/g)].filter(([name]) => !source.includes(name));
      expect(missing).toEqual([]);
    }
  });
});

function rowsOf(section: string): number {
  return rows.filter((row) => section.includes(row)).length;
}

function cellsOf(row: string): readonly string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
