import { Machine } from "#api";
import { expect, test } from "vitest";
import { aMachine, anInfrastructure, withReadyNode } from "./machine-world.ts";

test.for([
  ["documented", ["Ready", "NotReady", "Unknown", "Deleted", "DoesNotExist"]],
  ["upstream", ["NodeReady", "NodeNotReady", "NodeReadyUnknown", "NodeDeleted", "NodeDoesNotExist"]],
] as const)("NodeReady has its %s reasons", async ([conditionReasons, reasons], t) => {
  await using world = await withReadyNode(t, {
    manager: { conditionReasons },
    metadata: { finalizers: ["test.capstan.dev/hold"] },
  });
  const workload = await world.workload("c1");
  const reasonOf = (name: string) => world.condition("Machine", name, "NodeReady")?.reason;
  const seen = [reasonOf("m1")];
  for (const status of ["False", "Unknown"] as const) {
    await workload.setNode("n1", { Ready: [status] });
    await world.settle();
    seen.push(reasonOf("m1"));
  }
  await workload.deleteNode("n1");
  await world.settle();
  seen.push(reasonOf("m1"));

  const held = { metadata: { finalizers: ["test.capstan.dev/hold"] } };
  await world.apply(anInfrastructure("m2", "test://2"), aMachine("m2", "c1", held));
  await world.settle();
  await world.delete(Machine, "m2");
  await world.settle();
  expect([...seen, reasonOf("m2")]).toEqual(reasons);
  // Silent in the documents, so that it always speaks as Cluster API does.
  expect(world.condition("Machine", "cp", "NodeHealthy")?.reason).toBe("NodeHealthy");
});
