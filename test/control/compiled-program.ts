import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { root } from "../../tools/root.ts";

/** Compiles a program for a process of its own, so that it is the code at hand that runs and not an older build. */
export async function compileProgram(file: string): Promise<string> {
  const folder = join(root, "build/program-test");
  const compilerOptions = {
    rootDir: "../..",
    outDir: ".",
    paths: { "#*": ["../../src/*/index.ts"] },
    composite: false,
    incremental: false,
    declaration: false,
    sourceMap: false,
  };
  await mkdir(folder, { recursive: true });
  const config = { extends: "../../tsconfig.base.json", compilerOptions, files: [relative(folder, file)] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const manifest = { type: "module", imports: { "#*": "./src/*/index.js" } };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", folder], { stdio: "inherit" });
  return join(folder, relative(root, file)).replace(/\.ts$/, ".js");
}
