import { expect, test } from "vitest";
import type { Firing, RowReport } from "./row-report.ts";
import { readRowTests, updateRowTests, wrongRowTests } from "./row-tests.ts";

const rows = ["Lamp.Lit/dark", "Lamp.Lit/lit"];

function firing(row: string, name: string, change: Partial<Firing> = {}): Firing {
  return {
    row: `Lamp.Lit/${row}`,
    by: "scenario",
    file: "test/lamp.test.ts",
    test: name,
    isNamed: false,
    among: 3,
    ...change,
  };
}

const ofTable = { by: "table", file: "src/lamp.test.ts" } as const;
const cases = [firing("dark", "Lamp.Lit > dark", ofTable), firing("lit", "Lamp.Lit > lit", ofTable)];

function reportOf(...firings: readonly Firing[]): RowReport {
  const files = ["src/lamp.test.ts", "test/lamp.test.ts"];
  return { rows: 2, untested: [], unreached: [], files, firings: [...cases, ...firings] };
}

const shown = (name: string) => ({ file: "test/lamp.test.ts", test: name });
const tableTests = {
  dark: { table: { file: "src/lamp.test.ts", test: "Lamp.Lit > dark" } },
  lit: { table: { file: "src/lamp.test.ts", test: "Lamp.Lit > lit" } },
};

test("of several scenarios the one that names the row is noted, then the one called after it, then the shortest", () => {
  const report = reportOf(
    firing("dark", "much happens", { among: 9 }),
    firing("dark", "it is dark"),
    firing("dark", "it is out", { file: "test/lit.test.ts", among: 20 }),
    firing("lit", "a few things happen", { among: 2 }),
    firing("lit", "it is lit", { isNamed: true, among: 5 }),
  );
  const noted = updateRowTests({}, report, rows);
  expect(noted).toEqual({
    "Lamp.Lit/dark": { ...tableTests.dark, scenario: { file: "test/lit.test.ts", test: "it is out" } },
    "Lamp.Lit/lit": { ...tableTests.lit, scenario: shown("it is lit") },
  });
  expect(wrongRowTests(noted, report, rows)).toEqual([]);
});

test("what was noted stays while it holds or was not run, and goes when it does not", () => {
  const noted = {
    "Lamp.Lit/dark": { ...tableTests.dark, scenario: shown("old") },
    "Lamp.Lit/lit": { ...tableTests.lit, scenario: { file: "test/not-run.test.ts", test: "elsewhere" } },
    "Lamp.Lit/gone": tableTests.dark,
  };
  const still = reportOf(firing("dark", "old"), firing("dark", "better", { isNamed: true }));
  expect(updateRowTests(noted, still, rows)).toEqual({
    "Lamp.Lit/dark": noted["Lamp.Lit/dark"],
    "Lamp.Lit/lit": noted["Lamp.Lit/lit"],
  });
  expect(updateRowTests(noted, reportOf(), rows)["Lamp.Lit/dark"]).toEqual(tableTests.dark);
});

test("the check names tests that do not make their row fire, rows without a case and rows that are gone", () => {
  const noted = {
    "Lamp.Lit/dark": { ...tableTests.dark, scenario: shown("renamed since") },
    "Lamp.Lit/gone": tableTests.dark,
  };
  expect(wrongRowTests(noted, reportOf(firing("dark", "renamed")), rows)).toEqual([
    "there is no row Lamp.Lit/gone any more",
    'test/lamp.test.ts: "renamed since" is noted for the row Lamp.Lit/dark and does not make it fire',
    "no test is noted for the row Lamp.Lit/lit",
  ]);
});

test("a file of another form is refused", () => {
  expect(readRowTests(JSON.stringify({ "Lamp.Lit/dark": tableTests.dark }))).toEqual({
    "Lamp.Lit/dark": tableTests.dark,
  });
  for (const text of ["null", '{"a":1}', '{"a":{"table":"x"}}', '{"a":{"other":{"file":"f","test":"t"}}}'])
    expect(() => readRowTests(text)).toThrow("which tests show which rows is broken");
});
