import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runMain } from "../main.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-serve-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Running {
  /** Resolves with the first line that the command prints. */
  readonly ready: Promise<string>;
  readonly code: Promise<number>;
  readonly errors: () => string;
}

function run(...parameters: readonly string[]): Running {
  let errors = "";
  let isReady: (line: string) => void = () => {};
  const ready = new Promise<string>((resolve) => {
    isReady = resolve;
  });
  const terminal = { write: isReady, writeError: (text: string) => void (errors += text) };
  const code = runMain(["serve", ...parameters], { terminal });
  return { ready, code, errors: () => errors };
}

test("a server writes a kubeconfig for its owner alone, says so, and ends cleanly on a signal", async () => {
  const server = run("--data", folder, "--port", "0");
  const kubeconfig = join(folder, "kubeconfig");
  const line = await server.ready;
  const [, url = ""] = /^serving on (https:\/\/127\.0\.0\.1:\d+); kubeconfig: /.exec(line) ?? [];
  expect(line).toBe(`serving on ${url}; kubeconfig: ${kubeconfig}\n`);
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
  expect(readFileSync(kubeconfig, "utf8")).toContain(`server: ${url}\n`);
  const second = run("--data", folder, "--port", "0");
  expect(await second.code).toBe(1);
  expect(second.errors()).toContain(`data folder ${folder} is in use by process`);
  process.emit("SIGTERM");
  expect([await server.code, server.errors()]).toEqual([0, ""]);
});

test("a kubeconfig that cannot be written is a clear error", async () => {
  mkdirSync(join(folder, "kubeconfig"), { recursive: true });
  const server = run("--data", folder, "--port", "0", "--ephemeral");
  expect(await server.code).toBe(1);
  expect(server.errors()).toContain(`failed to write ${join(folder, "kubeconfig")}: EISDIR`);
});

test("a port that is taken is a clear error", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const address = other.address();
  const port = String(typeof address === "object" ? address?.port : 0);
  const server = run("--data", folder, "--port", port, "--ephemeral");
  expect(await server.code).toBe(1);
  expect(server.errors()).toContain(`cannot listen on 127.0.0.1:${port}: another program listens there already`);
  other.close();
});

test.each([
  ["a port that is none", ["--port", "high"], "--port takes a number up to 65535, not high"],
  ["tokens that are not there", ["--port", "0", "--token-auth-file", "/nowhere/tokens"], "cannot read /nowhere/tokens"],
])("%s is a clear error", async (_, parameters, message) => {
  const server = run("--data", folder, "--ephemeral", ...parameters);
  expect(await server.code).toBe(1);
  expect(server.errors()).toContain(message);
});
