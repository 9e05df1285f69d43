import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningServer, startOurs } from "../../tools/differential/servers.ts";

const execute = promisify(execFile);
const sources = join(import.meta.dirname, "go");
// client-go is compiled the first time.
const slow = 600_000;
const found = isInstalled();

test.runIf(!found)("Go is NOT INSTALLED here: client-go has not been tried", () => {
  process.stderr.write("\n!!! Go is not in the PATH: the test that drives client-go DID NOT RUN !!!\n\n");
  expect(found).toBe(false);
});

describe.runIf(found)("client-go", () => {
  let folder: string;
  let server: RunningServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "capstan-client-go-"));
    await execute("go", ["build", "-mod=readonly", "-o", join(folder, "clients"), "."], { cwd: sources });
    server = await startOurs();
  }, slow);

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  test("typed, dynamic and metadata informers see what is written, applied and deleted", async () => {
    const { stdout } = await execute(join(folder, "clients"), [server.kubeconfig]);
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
  });
});

function isInstalled(): boolean {
  try {
    execFileSync("go", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
