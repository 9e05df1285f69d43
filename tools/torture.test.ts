import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { torture } from "./torture.ts";

test("nothing acknowledged is lost when the process is killed at any moment", async () => {
  // The killed process runs what is compiled.
  const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
  execFileSync(process.execPath, [compiler, "-b"], { cwd: join(import.meta.dirname, ".."), stdio: "inherit" });
  const lines: string[] = [];
  const { acknowledged } = await torture({ rounds: 5, seed: 20_261_115, print: (line) => lines.push(line) });
  expect(acknowledged).toBeGreaterThan(100);
  expect(lines.at(-1)).toContain("none lost");
});
