import { recordRow, recordTables } from "#testkit";
import { expect, test } from "vitest";
import { describeRows, reportRows } from "./row-report.ts";

test("rows without a test case and rows that no scenario reached are named", () => {
  const metas = [{}, {}, {}].map((meta) => ({ meta }));
  recordTables(metas[0] ?? { meta: {} }, [{ name: "Machine.NodeReady", rows: ["ready", "not-ready", "silent"] }]);
  recordRow(metas[1] ?? { meta: {} }, { by: "table", table: "Machine.NodeReady", row: "ready" });
  recordRow(metas[1] ?? { meta: {} }, { by: "table", table: "Machine.NodeReady", row: "not-ready" });
  recordRow(metas[2] ?? { meta: {} }, { by: "scenario", table: "Machine.NodeReady", row: "ready" });
  const report = reportRows(
    metas.map(({ meta }, index) => ({ file: `${index}.test.ts`, name: `test ${index}`, source: 'is("ready")', meta })),
  );
  const fired = { row: "Machine.NodeReady/ready", by: "table", file: "1.test.ts", test: "test 1" };
  expect(report).toEqual({
    rows: 3,
    untested: ["Machine.NodeReady/silent"],
    unreached: ["Machine.NodeReady/not-ready", "Machine.NodeReady/silent"],
    files: ["0.test.ts", "1.test.ts", "2.test.ts"],
    firings: [
      { ...fired, isNamed: true, among: 2 },
      { ...fired, row: "Machine.NodeReady/not-ready", isNamed: false, among: 2 },
      { ...fired, by: "scenario", file: "2.test.ts", test: "test 2", isNamed: true, among: 1 },
    ],
  });
  expect(describeRows(report)).toEqual([
    "rows: 2 of 3 fired in table tests, 1 in scenarios",
    "without a test case:",
    "  Machine.NodeReady: silent",
    "reached by no scenario:",
    "  Machine.NodeReady: not-ready, silent",
  ]);
});

test("a run in which no table was declared has nothing to report", () => {
  expect(describeRows(reportRows([{ file: "a.test.ts", name: "a", meta: {} }]))).toEqual([]);
});

test("of many rows that no scenario reached a few are named and the others counted", () => {
  const unreached = ["a", "b", "c", "d", "e"].map((row) => `Machine.NodeReady/${row}`);
  expect(describeRows({ rows: 6, untested: [], unreached: ["Cluster.RollingOut/f", ...unreached] })).toEqual([
    "rows: 6 of 6 fired in table tests, 0 in scenarios",
    "reached by no scenario:",
    "  Cluster.RollingOut: f",
    "  Machine.NodeReady: a, b, c and 2 more",
  ]);
});
