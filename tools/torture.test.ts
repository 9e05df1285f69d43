import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { torture } from "./torture.ts";

const compiled = await compileTools();

const subjects = { "the engine": "torture-engine.js", "the bare store": "torture-store.js" };

for (const [name, file] of Object.entries(subjects)) {
  test(`${name} loses nothing acknowledged when the process is killed at any moment`, async () => {
    const lines: string[] = [];
    const module = join(compiled, file);
    const print = (line: string) => lines.push(line);
    const { acknowledged } = await torture({ rounds: 3, seed: 20_261_115, module, compiled, print });
    expect(acknowledged).toBeGreaterThan(20);
    expect(lines.at(-1)).toContain("none lost");
  });
}

/** The killed process runs compiled code, so what is tested is compiled here, into a small package of its own. */
async function compileTools(): Promise<string> {
  const folder = join(import.meta.dirname, "../build/torture-test");
  const compilerOptions = {
    rootDir: "../..",
    outDir: ".",
    paths: { "#*": ["../../src/*/index.ts"] },
    composite: false,
    incremental: false,
    declaration: false,
    sourceMap: false,
  };
  const files = ["child", "engine", "store"].map((name) => `../../tools/torture-${name}.ts`);
  const config = { extends: "../../tsconfig.base.json", compilerOptions, files };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ type: "module", imports: { "#*": "./src/*/index.js" } }),
  );
  const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", folder], { stdio: "inherit" });
  return join(folder, "tools");
}
