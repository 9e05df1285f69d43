import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { benchesIn, chooseBenches, loadBench } from "./benches.ts";

test("without a name all benches run, with names only those", () => {
  expect(chooseBenches(["a", "b"], [])).toEqual(["a", "b"]);
  expect(chooseBenches(["a", "b"], ["b"])).toEqual(["b"]);
});

test("the name of a room stands for all of its benches", () => {
  expect(chooseBenches(["a", "a-b", "a-c", "ab"], ["a"])).toEqual(["a", "a-b", "a-c"]);
});

test("an unknown bench is refused with those that exist", () => {
  expect(() => chooseBenches(["a", "b"], ["a", "c"])).toThrow("there is no bench c; there are a, b");
});

test("every source beside the runner is a bench", async () => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-bench-"));
  for (const name of ["run.ts", "b.ts", "a.ts", "a.test.ts", "notes.md"]) writeFileSync(join(folder, name), "");
  writeFileSync(join(folder, "a.js"), "export const other = 1;");
  expect(benchesIn(folder)).toEqual(["a", "b"]);
  await expect(loadBench(folder, "a")).rejects.toThrow("bench/a.ts exports no function called bench");
  rmSync(folder, { recursive: true });
});
