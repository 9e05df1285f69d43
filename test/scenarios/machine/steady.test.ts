import { Machine } from "#api";
import { minutes } from "#base";
import { expect, test } from "vitest";
import { createWriteCounter, writesAskedOf } from "./asked-writes.ts";
import { aCluster, aMachine, anInfrastructure, machineWorld } from "./machine-world.ts";

const clusters = ["c1", "c2", "c3", "c4"];
const machines = clusters.flatMap((cluster) =>
  Array.from({ length: 250 }, (_, index) => ({ cluster, name: `${cluster}-m${index}` })),
);
const Node = { group: "", version: "v1", kind: "Node" } as const;
// A thousand Machines have to come up first, however busy the machine is.
const timeout = 300_000;

test("a thousand Machines whose Nodes are well cause no writes, and hardly any passes", { timeout }, async (t) => {
  const asked = createWriteCounter();
  await using world = await machineWorld(t, { plugins: [asked] });
  const workloads = new Map(
    await Promise.all(clusters.map(async (name) => [name, await world.workload(name)] as const)),
  );
  await world.apply(...clusters.map((name) => aCluster(name, world)));
  // Connected before they have much to do: to connect takes time of this machine.
  await world.settle();
  await Promise.all(
    machines.map(async ({ cluster, name }) => {
      await workloads.get(cluster)?.addNode(name, `test://${name}`);
      await world.apply(anInfrastructure(name, `test://${name}`), aMachine(name, cluster));
    }),
  );
  await world.settle();
  const isAvailable = (name: string) => world.condition("Machine", name, "Available")?.status === "True";
  expect(machines.filter(({ name }) => !isAvailable(name))).toEqual([]);

  const passes = () => machines.reduce((sum, { name }) => sum + world.passes("Machine", name).length, 0);
  const seenByServers = async () => ({
    writesAsked: asked.count,
    revision: (await world.client.list(Machine, { limit: 1 })).metadata.resourceVersion,
    workloads: await Promise.all(
      Array.from(workloads, async ([name, { client }]) => ({
        writesAsked: await writesAskedOf(name, world),
        revision: (await client.list(Node, { limit: 1 })).metadata.resourceVersion,
      })),
    ),
  });
  const [before, passesBefore] = [await seenByServers(), passes()];
  await world.advance(minutes(10));
  expect(await seenByServers()).toEqual(before);
  expect(passes() - passesBefore).toBe(0);

  // Everything is looked at once more after ten to eleven minutes, in case that something was missed.
  await world.advance(minutes(1));
  expect(await seenByServers()).toEqual(before);
  expect(passes() - passesBefore).toBe(machines.length);
});
