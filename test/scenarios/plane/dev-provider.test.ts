import { Cluster, DevCluster, DevMachine, Machine } from "#api";
import { fieldAt, type KubeObject } from "#machinery";
import { breakAnnotations } from "#providers";
import { expect, test } from "vitest";
import { createClusters } from "../../../tools/plane/dev-clusters.ts";
import { findOddities } from "../../../tools/plane/oddities.ts";
import { type DevWorld, devWorld } from "./dev-world.ts";

const Node = { group: "", version: "v1", kind: "Node" } as const;
const machines = ["c0-cp", "c0-w1", "c0-w2", "c0-w3"];

async function ready(world: DevWorld): Promise<void> {
  await world.until(Cluster, "c0", { type: "Available", status: "True" });
  for (const name of machines) await world.until(Machine, name, { type: "NodeReady", status: "True" });
}

async function bornIn(world: DevWorld): Promise<void> {
  await createClusters(() => Promise.resolve(world.client), ["c0"], { namespace: world.namespace });
  await ready(world);
}

async function nodeOf({ servers, namespace }: DevWorld, name: string): Promise<KubeObject | undefined> {
  return await servers.find({ namespace, name: "c0" })?.client.find(Node, { name });
}

test("a cluster of plain Machines is born, breaks, heals and is deleted", async (t) => {
  await using world = await devWorld(t);
  const { client, servers, namespace } = world;
  await bornIn(world);
  expect(await findOddities(client, ["c0"], { namespace })).toEqual([]);

  await world.annotate(DevMachine, "c0-w1", { [breakAnnotations.node]: "down" });
  await world.until(Machine, "c0-w1", { type: "NodeReady", status: "False" });
  await world.until(Machine, "c0-w1", { type: "Ready", status: "False" });
  await world.annotate(DevMachine, "c0-w1", { [breakAnnotations.node]: null });
  await world.until(Machine, "c0-w1", { type: "NodeReady", status: "True" });

  await world.annotate(DevMachine, "c0-w2", { [breakAnnotations.node]: "gone" });
  await world.until(Machine, "c0-w2", { type: "NodeReady", status: "False" });
  expect(await nodeOf(world, "c0-w2")).toBeUndefined();
  await world.annotate(DevMachine, "c0-w2", { [breakAnnotations.node]: null });
  await world.until(Machine, "c0-w2", { type: "NodeReady", status: "True" });

  await world.annotate(DevCluster, "c0", { [breakAnnotations.apiServer]: "stopped" });
  await world.until(DevCluster, "c0", { type: "Ready", status: "False" });
  await world.annotate(DevCluster, "c0", { [breakAnnotations.apiServer]: "50ms" });
  await world.until(DevCluster, "c0", { type: "Ready", status: "True" });
  await world.annotate(DevCluster, "c0", { [breakAnnotations.apiServer]: null });
  await ready(world);

  await client.delete(Cluster, { namespace, name: "c0" });
  for (const kind of [Cluster, DevCluster] as const) await world.untilGone(kind, "c0");
  for (const kind of [Machine, DevMachine] as const) for (const name of machines) await world.untilGone(kind, name);
  expect(servers.find({ namespace, name: "c0" })).toBeUndefined();
});

test("after a restart everything is as it was, and no Machine sees its Node gone", async (t) => {
  await using world = await devWorld(t);
  await bornIn(world);
  const before = await endpointOf(world);
  const node = await nodeOf(world, "c0-cp");
  const authority = await secretOf(world, "c0-ca");
  await world.annotate(DevMachine, "c0-w1", { [breakAnnotations.node]: "down" });
  await world.until(Machine, "c0-w1", { type: "NodeReady", status: "False" });
  await world.stop();

  world.passes.length = 0;
  await world.start();
  const again = await nodeOf(world, "c0-cp");
  for (const part of ["spec", "status"]) expect(timeless(again, part)).toEqual(timeless(node, part));
  expect(again?.metadata.labels).toEqual(node?.metadata.labels);
  await world.until(Machine, "c0-w1", { type: "NodeReady", status: "False" });
  await world.annotate(DevMachine, "c0-w1", { [breakAnnotations.node]: null });
  await ready(world);
  expect([await endpointOf(world), await secretOf(world, "c0-ca")]).toEqual([before, authority]);
  const seen = new Set(
    world.passes.flatMap(({ verdicts }) => verdicts.filter(({ type }) => type === "NodeReady").map(({ row }) => row)),
  );
  expect([...seen].filter((row) => row.startsWith("deleted") || row.includes("not-found"))).toEqual([]);
  expect(await findOddities(world.client, ["c0"], { namespace: world.namespace })).toEqual([]);
});

/** The Node is made before it is written down that it was, which can be a second later. */
function timeless(node: KubeObject | undefined, part: string): unknown {
  return JSON.parse(JSON.stringify(fieldAt(node, part), (key, value: unknown) => (key.endsWith("Time") ? "" : value)));
}

async function endpointOf({ client, namespace }: DevWorld): Promise<unknown> {
  return (await client.get(Cluster, { namespace, name: "c0" })).spec.controlPlaneEndpoint;
}

async function secretOf({ client, namespace }: DevWorld, name: string): Promise<unknown> {
  const secret = await client.get({ group: "", version: "v1", kind: "Secret" }, { namespace, name });
  return fieldAt(secret, "data");
}
