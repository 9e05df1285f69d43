import type { Machine, MachineSet } from "#api";
import { s } from "#machinery";
import { defineHoldingHook, defineRuntimeHook } from "./runtime-hook.ts";

const machineObjects = s.object({
  machine: s.embedded<Machine>().describe("The Machine."),
  infrastructureMachine: s.embedded().describe("Its infrastructure machine."),
  bootstrapConfig: s.embedded().describe("Its bootstrap config, if it has one.").optional(),
});

const machineSetObjects = s.object({
  machineSet: s.embedded<MachineSet>().describe("The MachineSet."),
  infrastructureMachineTemplate: s.embedded().describe("Its infrastructure machine template."),
  bootstrapConfigTemplate: s.embedded().describe("Its bootstrap config template, if it has one.").optional(),
});

const patch = s.object({
  patchType: s.string({ default: "" }).describe("JSONPatch or JSONMergePatch."),
  patch: s.string({ format: "byte", default: "" }).describe("The patch, base64."),
});

/** Asks which changes of a Machine an extension can make in place. */
export const CanUpdateMachine = defineRuntimeHook({
  hook: "CanUpdateMachine",
  summary: "Asks which changes of a Machine the extension can make in place, as patches of the current objects.",
  request: {
    current: machineObjects.describe("The objects as they are."),
    desired: machineObjects.describe("The objects as they should be."),
  },
  response: {
    machinePatch: patch.describe("What it can change in the Machine.").optional(),
    infrastructureMachinePatch: patch.describe("What it can change in the infrastructure machine.").optional(),
    bootstrapConfigPatch: patch.describe("What it can change in the bootstrap config.").optional(),
  },
  onlyAsks: true,
});

/** Asks which changes of a MachineSet an extension can make in place. */
export const CanUpdateMachineSet = defineRuntimeHook({
  hook: "CanUpdateMachineSet",
  summary: "Asks which changes of a MachineSet the extension can make in place, as patches of the current objects.",
  request: {
    current: machineSetObjects.describe("The objects as they are."),
    desired: machineSetObjects.describe("The objects as they should be."),
  },
  response: {
    machineSetPatch: patch.describe("What it can change in the MachineSet.").optional(),
    infrastructureMachineTemplatePatch: patch.describe("What it can change in the template.").optional(),
    bootstrapConfigTemplatePatch: patch.describe("What it can change in the bootstrap template.").optional(),
  },
  onlyAsks: true,
});

/** Has a Machine changed in place; asked again until it is done. */
export const UpdateMachine = defineHoldingHook({
  hook: "UpdateMachine",
  summary: "Changes a Machine in place; called again until the answer asks for no further call.",
  request: {
    desired: machineObjects.describe("The objects as they should be."),
  },
});
