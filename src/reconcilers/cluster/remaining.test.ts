import { expect, test } from "vitest";
import { remaining } from "./remaining.ts";
import { aControlPlaneMachine, aMachine, aMachineDeployment, aMachinePool, aMachineSet, only } from "./test-objects.ts";

const names = ["w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8"];

test("nothing is left of nothing", () => {
  expect(remaining(only({}))).toBe("");
});

test("each kind has a line, in the order in which Cluster API lists them", () => {
  const all = only({
    machines: [aControlPlaneMachine("cp1"), aControlPlaneMachine("cp2"), ...names.map((name) => aMachine(name))],
    machineDeployments: [aMachineDeployment("md1")],
    machineSets: [aMachineSet("ms1"), aMachineSet("ms2")],
    machinePools: [aMachinePool("mp1")],
  });
  expect(remaining(all)).toBe(
    [
      "* Control plane Machines: cp1, cp2",
      "* MachineDeployments: md1",
      "* MachineSets: ms1, ms2",
      "* MachinePools: mp1",
      "* Worker Machines: w1, w2, w3, w4, w5, ... (3 more)",
    ].join("\n"),
  );
});

test.each([
  [5, "* Worker Machines: w1, w2, w3, w4, w5"],
  [6, "* Worker Machines: w1, w2, w3, w4, w5, ... (1 more)"],
])("of %i names five are shown", (count, text) => {
  expect(remaining(only({ machines: names.slice(0, count).map((name) => aMachine(name)) }))).toBe(text);
});
