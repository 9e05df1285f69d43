import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../tools/root.ts";

const execute = promisify(execFile);
const slow = 180_000;

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

let project: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), "capstan-package-"));
  const packed = await run(root, "npm", "pack", "--pack-destination", project);
  writeFileSync(join(project, "package.json"), JSON.stringify({ name: "user", version: "1.0.0", type: "module" }));
  await run(project, "npm", "install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarballOf(packed)}`);
}, slow);

afterAll(() => rmSync(project, { recursive: true, force: true }));

test("the installed program runs", async () => {
  expect(await run(project, "npx", "--no-install", "capstan", "--version")).toBe(`${version}\n`);
});

test("the example that the installed program names is there", async () => {
  const help = await run(project, "npx", "--no-install", "capstan", "up", "--help");
  const [, file = ""] = /apply -f (\S+)/.exec(help) ?? [];
  expect(readFileSync(join(project, file), "utf8")).toContain("kind: Cluster");
});

test("the program of the checkout runs", async () => {
  expect(await run(root, join(root, "bin/capstan"), "--version")).toBe(`${version}\n`);
});

test.each(["capstan", "capstan/client", "capstan/conditions", "capstan/control", "capstan/extension"])(
  "%s can be imported",
  async (name) => {
    const program = `console.log(Object.keys(await import("${name}")).length > 0)`;
    expect(await run(project, process.execPath, "--input-type=module", "--eval", program)).toBe("true\n");
  },
);

test("no room can be reached behind its front door", async () => {
  const importing = run(
    project,
    process.execPath,
    "--input-type=module",
    "--eval",
    'await import("capstan/dist/app/main.js")',
  );
  await expect(importing).rejects.toThrow("ERR_PACKAGE_PATH_NOT_EXPORTED");
});

async function run(cwd: string, program: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await execute(program, args, { cwd });
  return stdout;
}

function tarballOf(printed: string): string {
  const [name] = /[\w.-]+\.tgz/.exec(printed) ?? [];
  if (name === undefined) throw new Error(`npm pack named no tarball: ${printed}`);
  return name;
}
