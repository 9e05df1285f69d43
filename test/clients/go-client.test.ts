import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startOurs } from "../../tools/differential/servers.ts";

const execute = promisify(execFile);
const sources = join(import.meta.dirname, "go");
// client-go is compiled the first time.
const slow = 600_000;
const found = isInstalled();

test(
  found
    ? "informers of client-go see what is written, applied and deleted"
    : "Go is NOT INSTALLED here: client-go has not been tried",
  found ? driveClients : tellLoudly,
  slow,
);

async function driveClients(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "capstan-client-go-"));
  const program = join(folder, "clients");
  await execute("go", ["build", "-mod=readonly", "-o", program, "."], { cwd: sources });
  const server = await startOurs();
  try {
    const { stdout } = await execute(program, [server.kubeconfig]);
    expect(stdout.trimEnd().split("\n")).toEqual([
      "gadgets are served",
      "typed, dynamic and metadata informers synced",
      "the typed informer shows it",
      "the metadata informer shows it",
      "both informers forget it",
      "the dynamic informer shows it",
      "the dynamic informer forgets it",
      "done",
    ]);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

function tellLoudly(): void {
  process.stderr.write("\n!!! Go is not in the PATH: the test that drives client-go DID NOT RUN !!!\n\n");
  expect(found).toBe(false);
}

function isInstalled(): boolean {
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
