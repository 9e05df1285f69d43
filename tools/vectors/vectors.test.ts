import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../root.ts";
import { adapters } from "./adapters/index.ts";
import { notYetBuilt } from "./not-yet-built.ts";
import { runCase, runCases } from "./run-cases.ts";
import { vectorFilesOf } from "./run-folder.ts";
import { readVectorFile } from "./vector-file.ts";

const folder = join(root, "test/vectors");
const passed = { kind: "passed" };
const files = vectorFilesOf(folder).map((name) => readVectorFile(join(folder, name)));

for (const file of files.filter(({ name }) => !notYetBuilt.includes(name))) {
  describe(file.name, () => {
    for (const vector of file.cases) {
      test(`${vector.op} ${vector.name}`.trim(), async () => {
        const outcome = await runCase(file, vector, adapters[file.name] ?? {});
        expect(outcome.kind === "does-not-bind" ? passed : outcome).toEqual(passed);
      });
    }
  });
}

test("what is listed as not yet built exists, lacks an adapter and fails nowhere else", async () => {
  for (const name of notYetBuilt) {
    const file = files.find((candidate) => candidate.name === name);
    const outcomes = file === undefined ? [] : await runCases(file, adapters[name]);
    expect(outcomes.map(([, { kind }]) => kind)).toContain("no-adapter");
    expect(outcomes.filter(([, { kind }]) => kind === "failed")).toEqual([]);
  }
});
