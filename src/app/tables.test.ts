import { documentTable, nameOf, tableJson, tableProblems } from "#conditions";
import { recordTables } from "#testkit";
import { describe, expect, test } from "vitest";
import { allTables } from "./tables.ts";

test("tables have names of their own", ({ task }) => {
  recordTables(
    task,
    allTables.map((table) => ({ name: nameOf(table), rows: table.rows.map(({ id }) => id) })),
  );
  const names = allTables.map(nameOf);
  expect([...new Set(names)]).toEqual(names);
});

describe.each(allTables.map((table) => [nameOf(table), table] as const))("%s", (_, table) => {
  test("is declared well", () => {
    expect(tableProblems(table)).toEqual([]);
  });

  test("is printed as Markdown, a line for each row", () => {
    const lines = documentTable(table).split("\n");
    expect(lines.filter((line) => line.startsWith("| `"))).toHaveLength(table.rows.length);
  });

  test("is printed as plain JSON", () => {
    const json = tableJson(table);
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
  });
});
