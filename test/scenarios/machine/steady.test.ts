import { minutes } from "#base";
import { expect, test } from "vitest";
import { aCluster, aMachine, anInfrastructure, machineWorld } from "./machine-world.ts";

// The bench has 1,000.
const count = 100;

test("Machines whose Nodes are well cause no writes, and hardly any passes", async (t) => {
  await using world = await machineWorld(t);
  const workload = await world.workload("c1");
  await world.apply(aCluster("c1", world));
  const names = Array.from({ length: count }, (_, index) => `m${index}`);
  for (const name of names) {
    await workload.addNode(name, `test://${name}`);
    await world.apply(anInfrastructure(name, `test://${name}`), aMachine(name, "c1"));
  }
  await world.settle();
  const isAvailable = (name: string) => world.condition("Machine", name, "Available")?.status === "True";
  expect(names.filter((name) => !isAvailable(name))).toEqual([]);

  const writes = () =>
    names.flatMap((name) => [...world.writes("Machine", name), ...world.writes("TestMachine", name)]);
  const passes = () => names.reduce((sum, name) => sum + world.passes("Machine", name).length, 0);
  const nodes = async () => (await workload.client.list(Node)).metadata.resourceVersion;
  const before = { writes: writes().length, passes: passes(), nodes: await nodes() };
  await world.advance(minutes(10));
  expect({ writes: writes().length, nodes: await nodes() }).toEqual({ writes: before.writes, nodes: before.nodes });
  // Everything is looked at once more after ten minutes, in case that something was missed.
  expect(passes() - before.passes).toBeLessThanOrEqual(count);
});

const Node = { group: "", version: "v1", kind: "Node" } as const;
