import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { defaultGracePeriods, dumpSituation, explainObject, nothingKnown, readDump } from "#cli";
import type { ConditionTable } from "#conditions";
import { RollingOut } from "#reconcilers/cluster";
import { VariablesReady } from "#reconcilers/clusterclass";
import { Discovered } from "#reconcilers/extensionconfig";
import { NodeReady } from "#reconcilers/machine";

const folder = join(import.meta.dirname, "../../examples/explain");

interface Example {
  readonly folder: string;
  readonly kind: string;
  readonly name: string;
  readonly table: ConditionTable<never>;
}

const seeds: readonly Example[] = [
  { folder: "variables-ready", kind: "clusterclass", name: "quickstart", table: VariablesReady },
  { folder: "discovered", kind: "extensionconfig", name: "ext", table: Discovered },
  { folder: "rolling-out", kind: "cluster", name: "quickstart", table: RollingOut },
  { folder: "node-ready", kind: "machine", name: "worker", table: NodeReady },
];

describe.each(seeds)("the dumps of $folder", (seed) => {
  const rows = seed.table.rows.map(({ id }) => id);

  test("are one for each row of the table", async () => {
    const files = await readdir(join(folder, seed.folder));
    expect(files.toSorted()).toEqual(rows.map((row) => `${row}.yaml`).toSorted());
  });

  test.each(rows)("%s fires, and nothing is missing", async (row) => {
    const path = join(folder, seed.folder, `${row}.yaml`);
    const situation = dumpSituation(readDump([{ path, text: await readFile(path, "utf8") }]), {
      signal: new AbortController().signal,
      spelling: "documented",
      gracePeriods: defaultGracePeriods,
      facts: nothingKnown,
    });
    const { kind, name, table } = seed;
    const { tree, missing } = await explainObject(
      { kind, name, namespace: "default", condition: table.type },
      situation,
    );
    expect({ row: tree.explanation?.row, missing }).toEqual({ row, missing: [] });
  });
});
