import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevCluster } from "#api";
import { createClient, createHttpTransport, loadConnection } from "#client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runMain } from "../main.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-up-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

interface Running {
  /** Resolves with the first thing that the command prints. */
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
  const code = runMain(parameters, { terminal });
  void code.then(() => isReady("it ended"));
  return { ready, code, errors: () => errors };
}

async function devClusters(kubeconfig: string) {
  const connection = await loadConnection({ environment: {}, home: folder, path: kubeconfig });
  using transport = createHttpTransport(connection, { userAgent: "test" });
  const client = createClient(transport, { fieldOwner: "test" });
  return {
    names: (await client.list(DevCluster)).items.map(({ metadata }) => metadata.name),
    create: async (name: string) => {
      using other = createHttpTransport(connection, { userAgent: "test" });
      await createClient(other, { fieldOwner: "test" }).create(DevCluster, {
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
        kind: "DevCluster",
        metadata: { namespace: "default", name },
        spec: { backend: { inMemory: {} } },
      });
    },
  };
}

test("the plane says how it is reached, keeps what it has, and refuses a second one on the same data", async () => {
  const kubeconfig = join(folder, "kubeconfig");
  const up = run("up", "--data", folder, "--port", "0");
  const text = await up.ready;
  expect(text).toMatch(/^the plane is up after \d+\.\d s\n {2}API server {3}https:\/\/127\.0\.0\.1:\d+\n/);
  expect(text).toContain(`export KUBECONFIG=${kubeconfig}\n`);
  expect(text).toContain("no controller yet for MachineDeployment, MachineSet");
  expect(text).toContain("everything is kept for the next time");
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
  const { names, create } = await devClusters(kubeconfig);
  expect(names).toEqual([]);
  await create("kept");

  const second = run("up", "--data", folder, "--port", "0");
  expect(await second.code).toBe(1);
  expect(second.errors()).toContain(`data folder ${folder} is in use by process`);
  process.emit("SIGINT");
  expect([await up.code, up.errors()]).toEqual([0, ""]);

  const again = run("up", "--data", folder, "--port", "0");
  await again.ready;
  expect((await devClusters(kubeconfig)).names).toEqual(["kept"]);
  process.emit("SIGTERM");
  expect([await again.code, again.errors()]).toEqual([0, ""]);
});

test("an ephemeral plane keeps nothing and says so", async () => {
  const up = run("up", "--data", folder, "--port", "0", "--ephemeral");
  expect(await up.ready).toContain("nothing is kept");
  expect(readFileSync(join(folder, "kubeconfig"), "utf8")).toContain("server: https://127.0.0.1:");
  process.emit("SIGTERM");
  expect([await up.code, up.errors()]).toEqual([0, ""]);
  expect(() => statSync(join(folder, "data.mdb"))).toThrow("ENOENT");
});

test("a port that is taken is a clear error", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const address = other.address();
  const port = String(typeof address === "object" ? address?.port : 0);
  const up = run("up", "--data", folder, "--port", port, "--ephemeral");
  expect(await up.code).toBe(1);
  expect(up.errors()).toContain(`cannot listen on 127.0.0.1:${port}: another program listens there already`);
  other.close();
});

test.each([
  ["up", "--remote-conditions-grace-period"],
  ["manager", "--remote-conditions-grace-period"],
])("%s refuses grace periods that make no sense, before anything is opened", async (command, flag) => {
  const run1 = run(command, flag, "1m");
  expect(await run1.code).toBe(1);
  expect(run1.errors()).toBe(`error: ${flag} must be at least 2m\n`);
});

test.each(["install", "manager"])("%s says so where there is no kubeconfig", async (command) => {
  const missing = join(folder, "nowhere");
  const other = run(command, "--kubeconfig", missing);
  expect(await other.code).toBe(1);
  expect(other.errors()).toContain(missing);
});
