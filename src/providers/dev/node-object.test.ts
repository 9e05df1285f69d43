import { type DevMachine, labels, type Machine } from "#api";
import { parseTimestamp } from "#base";
import { type Client, createClient } from "#client";
import { fieldAt, type KubeObject } from "#machinery";
import { type EmbeddedServer, openEmbeddedServer } from "#testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { breakAnnotations } from "./breaks.ts";
import { ensureNode, providerIDOf, removeNode, simulatedNode } from "./node-object.ts";

const Node = { group: "", version: "v1", kind: "Node" } as const;
const born = parseTimestamp("2026-01-01T00:00:00Z");
const later = parseTimestamp("2026-01-01T01:00:00Z");

let server: EmbeddedServer;
let client: Client;
beforeAll(async () => {
  server = await openEmbeddedServer();
  client = createClient(server.transport, { fieldOwner: "test" });
});
afterAll(() => server[Symbol.asyncDispose]());

function aDevMachine(name: string, broken?: string): DevMachine {
  const annotations = broken === undefined ? {} : { [breakAnnotations.node]: broken };
  return { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2", kind: "DevMachine", metadata: { name, annotations } };
}

function aMachine(labelled: Readonly<Record<string, string>>): Machine {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { name: "m", labels: labelled },
    spec: {
      clusterName: "c",
      version: "v1.34.1",
      bootstrap: {},
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name: "m" },
    },
  };
}

function readyOf(node: KubeObject) {
  const conditions = fieldAt(node, "status", "conditions");
  const ready: unknown = Array.isArray(conditions)
    ? conditions.find((one) => fieldAt(one, "type") === "Ready")
    : undefined;
  return [fieldAt(ready, "status"), fieldAt(ready, "reason"), fieldAt(ready, "lastTransitionTime")];
}

test("the Node of a control plane machine has its role, its taint, its version and its id", async () => {
  const machine = aDevMachine("cp");
  await ensureNode(client, simulatedNode(machine, aMachine({ [labels.controlPlane]: "" }), born));
  const node = await client.get(Node, { name: "cp" });
  const role = "node-role.kubernetes.io/control-plane";
  expect(node.metadata.labels).toEqual({ "kubernetes.io/hostname": "cp", [role]: "" });
  expect(fieldAt(node, "spec")).toEqual({
    providerID: "in-memory://cp",
    taints: [{ key: role, effect: "NoSchedule" }],
  });
  expect(providerIDOf(machine)).toBe("in-memory://cp");
  expect(fieldAt(node, "status", "nodeInfo", "kubeletVersion")).toBe("v1.34.1");
  expect(readyOf(node)).toEqual(["True", "KubeletReady", born]);
});

test("a Node that is as it should be is not written", async () => {
  await ensureNode(client, simulatedNode(aDevMachine("calm"), undefined, born));
  const before = await client.get(Node, { name: "calm" });
  await ensureNode(client, simulatedNode(aDevMachine("calm"), undefined, later));
  expect(await client.get(Node, { name: "calm" })).toEqual(before);
});

test("a Node goes down, comes back, is deleted and is made again", async () => {
  const steps = [
    ["down", ["False", "KubeletNotReady", later]],
    [undefined, ["True", "KubeletReady", later]],
  ] as const;
  await ensureNode(client, simulatedNode(aDevMachine("w"), aMachine({}), born));
  for (const [broken, ready] of steps) {
    await ensureNode(client, simulatedNode(aDevMachine("w", broken), aMachine({}), later));
    expect(readyOf(await client.get(Node, { name: "w" }))).toEqual(ready);
  }
  await ensureNode(client, simulatedNode(aDevMachine("w", "gone"), aMachine({}), later));
  expect(await client.find(Node, { name: "w" })).toBeUndefined();
  await ensureNode(client, simulatedNode(aDevMachine("w"), aMachine({}), later));
  expect(readyOf(await client.get(Node, { name: "w" }))).toEqual(["True", "KubeletReady", later]);
  await removeNode(client, "w");
  await removeNode(client, "w");
  expect(await client.find(Node, { name: "w" })).toBeUndefined();
});
