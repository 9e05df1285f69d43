import { createServer } from "node:net";
import { connect } from "node:tls";
import { expect, inject, onTestFinished, test } from "vitest";
import { Cluster, ClusterClass, labels, Machine } from "#api";
import { describeError, milliseconds, systemClock } from "#base";
import type { AnyKind, Client } from "#client";
import { ApiError, fieldAt, type KubeObject } from "#machinery";
import { connectTo } from "../plane/up-process.ts";
import { runInstall, startManager } from "./manager-process.ts";

const minutes = 60_000;
const namespace = "webhooks";
const group = "admissionregistration.k8s.io";
const Namespace = { group: "", version: "v1", kind: "Namespace" } as const;
const Secret = { group: "", version: "v1", kind: "Secret" } as const;
const configurations = [
  [{ group, version: "v1", kind: "MutatingWebhookConfiguration" }, "capstan-mutating-webhook-configuration"],
  [{ group, version: "v1", kind: "ValidatingWebhookConfiguration" }, "capstan-validating-webhook-configuration"],
] as const;
const template = { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2", kind: "DevClusterTemplate", name: "none" };

test(
  "a real server asks managers about every write, whichever of them leads, and says so when it cannot",
  { timeout: 3 * minutes },
  async () => {
    const kubeconfig = inject("realKubeconfig");
    using connection = await connectTo(kubeconfig);
    const { client } = connection;
    onTestFinished(() => unregister(kubeconfig));
    await client.apply(Namespace, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    const [port, otherPort, health] = [await freePort(), await freePort(), await freePort()];
    const install = async (at: number): Promise<readonly string[]> => {
      const said = await runInstall(kubeconfig, "--webhooks", "--webhook-url", `https://127.0.0.1:${at}`);
      return said.split("\n").filter((line) => line.includes("webhook-configuration"));
    };
    const becoming = (change: string) => configurations.map(([, name]) => `${name} ${change}`);

    expect(await install(port)).toEqual(becoming("created"));
    expect(await install(port)).toEqual(becoming("unchanged"));
    await runInstall(kubeconfig);
    for (const [kind, name] of configurations) expect(await client.find(kind, { name })).toBeDefined();

    const first = startManager(kubeconfig, "--namespace", namespace, "--webhook-port", String(port));
    await first.leads;
    await untilAsked(client);
    await expectFilledIn(client);
    await expectRefused(client);

    // Whoever does not lead serves the same certificate, signed by the same authority.
    const flags = ["--webhook-port", String(otherPort), "--health-addr", `127.0.0.1:${health}`];
    const second = startManager(kubeconfig, "--namespace", namespace, ...flags);
    await untilReady(health);
    const authority = await authorityIn(client);
    expect(await shownBy(otherPort, authority)).toBe(await shownBy(port, authority));

    await first.end("SIGKILL");
    const url = `https://127.0.0.1:${port}/mutate-cluster-x-k8s-io-v1beta2-machine?timeout=10s`;
    expect(await refusalOf(client, Machine, aMachine("m9", {}))).toEqual([
      500,
      "InternalError",
      'Internal error occurred: failed calling webhook "default.machine.cluster.x-k8s.io": failed to call webhook: ' +
        `Post "${url}": dial tcp 127.0.0.1:${port}: connect: connection refused`,
    ]);

    expect(await install(otherPort)).toEqual(becoming("changed"));
    await untilAsked(client);
    await expectRefused(client);
    await second.end("SIGTERM");
  },
);

async function expectFilledIn(client: Client): Promise<void> {
  const made = await client.create(Machine, aMachine("m1", { version: "1.34.1" }));
  expect(made.metadata.labels).toEqual({ [labels.clusterName]: "c1" });
  expect(made.spec).toMatchObject({ version: "v1.34.1", deletion: { nodeDeletionTimeoutSeconds: 10 } });
  const warnings: string[] = [];
  const topology = { classRef: { name: "nobody" }, version: "v1.34.1" };
  await client.create(Cluster, aCluster("c2", { topology }), {
    dryRun: true,
    onWarning: (text) => warnings.push(text),
  });
  expect(warnings).toEqual([
    "Cluster refers to ClusterClass webhooks/nobody, but this ClusterClass does not exist. Cluster topology has not been " +
      "fully validated. The ClusterClass must be created to reconcile the Cluster",
  ]);
}

async function expectRefused(client: Client): Promise<void> {
  expect(await refusalOf(client, Machine, aMachine("m2", { version: "newest" }))).toEqual([
    422,
    "Invalid",
    'admission webhook "validation.machine.cluster.x-k8s.io" denied the request: Machine.cluster.x-k8s.io "m2" is ' +
      'invalid: spec.version: Invalid value: "vnewest": must be a valid semantic version',
  ]);
  const network = { pods: { cidrBlocks: ["10.0.0.0/99"] } };
  expect(await refusalOf(client, Cluster, aCluster("c1", { clusterNetwork: network, paused: true }))).toEqual([
    422,
    "Invalid",
    'admission webhook "validation.cluster.cluster.x-k8s.io" denied the request: Cluster.cluster.x-k8s.io "c1" is ' +
      "invalid: [spec: Forbidden: one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set, " +
      'spec.clusterNetwork.pods.cidrBlocks[0]: Invalid value: "10.0.0.0/99": invalid CIDR address: 10.0.0.0/99]',
  ]);
  // Reviews of deletes carry the object that goes.
  await client.apply(ClusterClass, aClass, { force: true });
  await client.delete(ClusterClass, { namespace, name: "plain" });
}

/** A server takes up what is registered a moment later. */
async function untilAsked(client: Client): Promise<void> {
  for (;;) {
    const refusal = await refusalOf(client, Machine, aMachine("m3", { version: "newest" }), { dryRun: true });
    if (String(refusal?.[2]).includes("denied the request")) return;
    await systemClock.sleep(milliseconds(50));
  }
}

async function refusalOf(client: Client, kind: AnyKind, object: KubeObject, options = {}) {
  try {
    await client.create(kind, object, options);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.httpCode, error.reason, describeError(error)] as const;
  }
}

async function unregister(kubeconfig: string): Promise<void> {
  using connection = await connectTo(kubeconfig);
  for (const [kind, name] of configurations) await connection.client.delete(kind, { name }).catch(() => undefined);
}

async function authorityIn(client: Client): Promise<string> {
  const secret = await client.get(Secret, { namespace: "default", name: "capstan-webhook-certificate" });
  return Buffer.from(String(fieldAt(secret, "data", "ca.crt")), "base64").toString("utf8");
}

/** The certificate that somebody shows who trusts an authority. */
async function shownBy(port: number, ca: string): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? "");
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

async function untilReady(port: number): Promise<void> {
  for (;;) {
    const text = await fetch(`http://127.0.0.1:${port}/readyz?verbose`).then(
      (answer) => answer.text(),
      () => "",
    );
    if (text.includes("[+]webhook ok") && text.includes("[+]caches ok")) return;
    await systemClock.sleep(milliseconds(50));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

function aMachine(name: string, spec: Partial<Machine["spec"]>): Machine {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { namespace, name },
    spec: {
      clusterName: "c1",
      bootstrap: { dataSecretName: "data" },
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name },
      ...spec,
    },
  };
}

function aCluster(name: string, spec: Cluster["spec"]): Cluster {
  return { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: { namespace, name }, spec };
}

const aClass: ClusterClass = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "ClusterClass",
  metadata: { namespace, name: "plain" },
  spec: { infrastructure: { templateRef: template }, controlPlane: { templateRef: template } },
};
