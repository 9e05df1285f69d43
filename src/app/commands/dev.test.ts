import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Cluster, DevCluster, DevMachine, Machine } from "#api";
import { type Client, createClient, createHttpTransport, loadConnection } from "#client";
import { breakAnnotations } from "#providers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runMain } from "../main.ts";

let folder: string;
let kubeconfig: string;
let client: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "capstan-dev-"));
  kubeconfig = join(folder, "kubeconfig");
  let isReady: (text: string) => void = () => {};
  const ready = new Promise((resolve) => (isReady = resolve));
  const terminal = { write: isReady, writeError: () => undefined };
  const code = runMain(["up", "--data", folder, "--port", "0", "--ephemeral"], { terminal });
  await ready;
  const connection = await loadConnection({ environment: {}, home: folder, path: kubeconfig });
  const transport = createHttpTransport(connection, { userAgent: "test" });
  client = createClient(transport, { fieldOwner: "test" });
  close = async () => {
    transport.close();
    process.emit("SIGTERM");
    await code;
  };
  const infrastructureRef = (kind: string, name: string) => ({
    apiGroup: "infrastructure.cluster.x-k8s.io",
    kind,
    name,
  });
  const backend = { backend: { inMemory: {} } };
  const inDefault = (name: string) => ({ namespace: "default", name });
  const [core, infrastructure] = ["cluster.x-k8s.io/v1beta2", "infrastructure.cluster.x-k8s.io/v1beta2"] as const;
  await client.create(DevCluster, {
    apiVersion: infrastructure,
    kind: "DevCluster",
    metadata: inDefault("c-infra"),
    spec: backend,
  });
  await client.create(DevMachine, {
    apiVersion: infrastructure,
    kind: "DevMachine",
    metadata: inDefault("m-infra"),
    spec: backend,
  });
  await client.create(Cluster, {
    apiVersion: core,
    kind: "Cluster",
    metadata: inDefault("c"),
    spec: { paused: true, infrastructureRef: infrastructureRef("DevCluster", "c-infra") },
  });
  await client.create(Machine, {
    apiVersion: core,
    kind: "Machine",
    metadata: inDefault("m"),
    spec: {
      clusterName: "c",
      bootstrap: { dataSecretName: "x" },
      infrastructureRef: infrastructureRef("DevMachine", "m-infra"),
    },
  });
});

afterAll(async () => {
  await close();
  rmSync(folder, { recursive: true });
});

async function dev(...parameters: readonly string[]) {
  let [out, errors] = ["", ""];
  const terminal = { write: (text: string) => (out += text), writeError: (text: string) => (errors += text) };
  const code = await runMain(["dev", ...parameters, "--kubeconfig", kubeconfig], { terminal });
  return { code, out, errors };
}

async function annotationOf(kind: typeof DevMachine | typeof DevCluster, name: string, annotation: string) {
  const found = await client.get({ ...kind }, { namespace: "default", name });
  return found.metadata.annotations?.[annotation];
}

test.each([
  [["machine/m", "node", "down"], "DevMachine m-infra: node down\n", "down"],
  [["devmachine/m-infra", "node", "gone"], "DevMachine m-infra: node gone\n", "gone"],
])("dev break %j breaks a Node", async (parameters, out, value) => {
  expect(await dev("break", ...parameters)).toEqual({ code: 0, out, errors: "" });
  expect(await annotationOf(DevMachine, "m-infra", breakAnnotations.node)).toBe(value);
});

test.each([
  [["cluster/c", "api-server", "stopped"], "DevCluster c-infra: api-server stopped\n", "stopped"],
  [["Cluster/c", "api-server", "slow", "2s"], "DevCluster c-infra: api-server 2s\n", "2s"],
])("dev break %j breaks an API server", async (parameters, out, value) => {
  expect(await dev("break", ...parameters)).toEqual({ code: 0, out, errors: "" });
  expect(await annotationOf(DevCluster, "c-infra", breakAnnotations.apiServer)).toBe(value);
});

test("dev heal makes whole what was broken", async () => {
  await dev("break", "machine/m", "node", "down");
  expect(await dev("heal", "machine/m")).toEqual({
    code: 0,
    out: "DevMachine m-infra: node whole again\n",
    errors: "",
  });
  expect(await annotationOf(DevMachine, "m-infra", breakAnnotations.node)).toBeUndefined();
});

test.each([
  [["break", "machine/none", "node", "down"], "there is no Machine none in namespace default"],
  [["break", "devcluster/none", "api-server", "stopped"], "there is no DevCluster none in namespace default"],
  [["break", "machine/m", "api-server", "stopped"], "machine has no api-server of its own; break node of it"],
  [["break", "pod/m", "node", "down"], "nothing of pod/m can be broken; there are machine/NAME"],
  [["break", "machine", "node", "down"], "say what is meant as machine/NAME, not as machine"],
  [["break", "machine/m", "node", "sideways"], "cannot break node sideways; there are node down, node gone"],
  [["break", "cluster/c", "api-server", "slow", "soon"], "slow takes a duration such as 2s, not soon"],
])("dev %j is a clear error", async (parameters, message) => {
  const { code, errors } = await dev(...parameters);
  expect([code, errors]).toEqual([1, expect.stringContaining(message)]);
});
