import { expect, test } from "vitest";
import { controlPlaneLabel, sourceOf } from "./source.ts";

test.each([
  ["a Machine with the label, whatever its value", "Machine", { [controlPlaneLabel]: "false" }, true],
  ["a Machine with an empty label", "Machine", { [controlPlaneLabel]: "" }, true],
  ["a Machine without the label", "Machine", { other: "" }, false],
  ["another kind with the label", "MachineSet", { [controlPlaneLabel]: "" }, false],
])("%s", (_, kind, labels, isControlPlaneMachine) => {
  expect(sourceOf({ kind, metadata: { name: "m1", labels } })).toEqual({
    owner: { kind, name: "m1", isControlPlaneMachine },
    conditions: [],
  });
});

test("conditions come from the object, unless they are handed in", () => {
  const own = { type: "Ready", status: "True", reason: "Fine", message: "" } as const;
  const object = { kind: "Machine", metadata: {}, status: { conditions: [own] } };
  expect(sourceOf(object)).toEqual({
    owner: { kind: "Machine", name: "", isControlPlaneMachine: false },
    conditions: [own],
  });
  expect(sourceOf(object, []).conditions).toEqual([]);
});
