import { expect, test } from "vitest";
import { pluralOf } from "./plural.ts";

test.each([
  ["Machine", "Machines"],
  ["MachineSet", "MachineSets"],
  ["MachineDeployment", "MachineDeployments"],
  ["MachinePool", "MachinePools"],
  ["Phase3Obj", "Phase3Objs"],
  ["FooProxy", "FooProxies"],
  ["FooClass", "FooClasses"],
  ["Gateway", "Gateways"],
  ["Key", "Keys"],
  ["Status", "Statuses"],
  ["Batch", "Batches"],
  ["Mesh", "Meshes"],
  ["Box", "Boxes"],
  ["Studio", "Studios"],
  ["Photo", "Photos"],
  ["Hero", "Heroes"],
  ["DNS", "DNSes"],
  ["Series", "Series"],
  ["FooProxies", "FooProxies"],
  ["Classes", "Classes"],
  ["Machines", "Machines"],
  ["", "s"],
])("the plural of %j is %j", (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural);
});
