import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseTimestamp } from "#base";
import type { Json, KubeObject } from "#machinery";
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
