import { expect, test } from "vitest";
import { findError } from "#base";
import type { KubeObject } from "#machinery";
import { ClusterNotConnectedError, findNode, Node } from "#workload";
import { clusterKey, openWorld } from "./world.ts";
import { openWorkloadServer } from "./workload-server.ts";

const nodes = { group: "", version: "v1", resource: "nodes" };
const asStatus = { subresource: "status" };
const since = "2026-01-01T00:00:00Z";
const c1 = clusterKey("c1");

function aNode(name: string): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name },
    spec: { providerID: `dev://${name}` },
    status: {
      conditions: [
        {
          type: "Ready",
          status: "True",
          lastHeartbeatTime: "2026-01-01T00:00:00Z",
          lastTransitionTime: since,
          reason: "KubeletReady",
        },
      ],
      images: [{ names: ["registry.example/pause:3.9"], sizeBytes: 1 }],
    },
  };
}

test("a connected cluster's Nodes are found in memory, with what is read of them", async () => {
  await using server = await openWorkloadServer();
  await using world = openWorld();
  const { status, ...created } = aNode("n1");
  await server.transport.create(nodes, created);
  await server.transport.patch(nodes, { name: "n1" }, { kind: "merge", patch: { status } as never }, asStatus);
  world.put("c1", server.kubeconfig());
  await world.pass(1);
  expect(world.cache.isConnected(c1)).toBe(true);
  const found = await findNode(world.cache.reader(c1), "dev://n1");
  expect(found).toMatchObject({ metadata: { name: "n1" }, spec: { providerID: "dev://n1" } });
  expect(found?.status?.conditions).toEqual([
    { type: "Ready", status: "True", reason: "KubeletReady", lastTransitionTime: since },
  ]);
  expect(found?.status).not.toHaveProperty("images");
  expect(await world.cache.client(c1).find(Node, { name: "n1" })).toHaveProperty("status.images");
});

test("a change of a Node wakes whoever watches; a heartbeat does not", async () => {
  await using server = await openWorkloadServer();
  await using world = openWorld();
  world.put("c1", server.kubeconfig());
  await world.pass(1);
  const heard: string[] = [];
  let onHeard = (): void => undefined;
  const watch = {
    name: "machine-watchNodes",
    kind: Node,
    onChange: ({ kind, object }: { readonly kind: string; readonly object: Node }) => {
      heard.push(`${kind} ${object.metadata.name} ${object.spec?.unschedulable ?? false}`);
      onHeard();
    },
  };
  world.cache.watch(c1, watch);
  world.cache.watch(c1, watch);
  const until = (count: number) =>
    new Promise<void>((resolve) => {
      onHeard = () => (heard.length >= count ? resolve() : undefined);
      onHeard();
    });

  await server.transport.create(nodes, aNode("n1"));
  await until(1);
  const beat = { kind: "merge", patch: { status: { images: [] } } } as const;
  await server.transport.patch(nodes, { name: "n1" }, beat, asStatus);
  await server.transport.patch(nodes, { name: "n1" }, { kind: "merge", patch: { spec: { unschedulable: true } } });
  await server.transport.delete(nodes, { name: "n1" });
  await until(3);
  expect(heard).toEqual(["added n1 false", "changed n1 true", "deleted n1 true"]);
});

test("what is written through the connection is read back at once", async () => {
  await using server = await openWorkloadServer();
  await using world = openWorld();
  await server.transport.create(nodes, aNode("n1"));
  world.put("c1", server.kubeconfig());
  await world.pass(1);
  const cordon = { kind: "merge", patch: { spec: { unschedulable: true } } } as const;
  await world.cache.client(c1).patch(Node, { name: "n1" }, cordon);
  expect(await world.cache.reader(c1).get(Node, { name: "n1" })).toHaveProperty("spec.unschedulable", true);
});

test("a manager that runs in a cluster of its own reaches it from inside", async () => {
  await using server = await openWorkloadServer();
  const key = { namespace: "default", name: "manager" };
  const containers = [{ name: "manager", image: "registry.example/manager:v1" }];
  const { metadata } = await server.transport.create(
    { group: "", version: "v1", resource: "pods" },
    { apiVersion: "v1", kind: "Pod", metadata: key, spec: { containers } },
  );
  const around = { server: `https://localhost:${server.port}`, tls: { authority: server.pki.authority } };
  for (const [uid, reached] of [
    [metadata.uid ?? "", around.server],
    ["another", `https://127.0.0.1:${server.front.port}`],
  ] as const) {
    await using world = openWorld({ ownPod: { pod: { ...key, uid }, around } });
    world.put("c1", server.kubeconfig());
    await world.pass(1);
    expect(world.cache.connectionOf(c1).server).toBe(reached);
  }
});

test("calls under way end with their cluster, as not connected", async () => {
  await using server = await openWorkloadServer();
  await using world = openWorld();
  world.put("c1", server.kubeconfig());
  await world.pass(1);
  const client = world.cache.client(c1);
  await server.front.behave({ kind: "black-hole" });
  const call = client.list(Node).catch((error: unknown) => error);
  world.remove("c1");
  expect(findError(await call, ClusterNotConnectedError)).toBeDefined();
  expect(findError(await client.list(Node).catch((error: unknown) => error), ClusterNotConnectedError)).toBeDefined();
});
