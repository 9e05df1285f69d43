import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseTimestamp } from "#base";
import type { Json, KubeObject } from "#machinery";
import { shortDuration } from "./cell.ts";
import { builtinPrinter } from "./printer.ts";

interface Row {
  readonly resource: string;
  readonly now: string;
  readonly object: KubeObject;
  readonly cells: readonly Json[];
}

const file = join(import.meta.dirname, "../../../../test/fixtures/builtin-rows.json");
const rows = JSON.parse(readFileSync(file, "utf8")) as readonly Row[];

describe("rows as the real server prints them", () => {
  test.each(rows.map((row) => [`${row.resource} ${row.object.metadata.name}`, row] as const))("%s", (_, row) => {
    const [resource = "", ...group] = row.resource.split(".");
    const printer = builtinPrinter({ resource, group: group.join(".") });
    expect(printer?.cells(row.object, parseTimestamp(row.now))).toEqual(row.cells);
  });
});

test.each([
  [-3, "<invalid>"],
  [-0.5, "0s"],
  [0.9, "0s"],
  [119, "119s"],
  [120, "2m"],
  [125, "2m5s"],
  [600, "10m"],
  [3 * 3600 - 1, "179m"],
  [3 * 3600, "3h"],
  [3 * 3600 + 60, "3h1m"],
  [8 * 3600 + 60, "8h"],
  [48 * 3600, "2d"],
  [49 * 3600, "2d1h"],
  [8 * 86_400 + 3600, "8d"],
  [729 * 86_400, "729d"],
  [731 * 86_400, "2y1d"],
  [8 * 365 * 86_400, "8y"],
])("%d seconds are %s", (seconds, expected) => {
  expect(shortDuration(seconds)).toBe(expected);
});
