import { s, type ValueOf } from "#machinery";
import { apiVersion, kindName, name } from "../shapes/texts.ts";

const classNames = s.object({
  names: s
    .list(name(256), { type: "atomic", maxItems: 100 })
    .describe("The names of classes; a * at the beginning or at the end stands for anything.")
    .optional(),
});

const selector = s
  .object({
    apiVersion: apiVersion.describe("The API group and version of the templates."),
    kind: kindName.describe("The kind of the templates."),
    matchResources: s
      .object(
        {
          controlPlane: s.boolean().describe("True for templates of the control plane.").optional(),
          infrastructureCluster: s.boolean().describe("True for the template of the infrastructure.").optional(),
          machineDeploymentClass: classNames
            .describe("The classes of MachineDeployments whose templates are meant.")
            .optional(),
          machinePoolClass: classNames.describe("The classes of MachinePools whose templates are meant.").optional(),
        },
        { minProperties: 1 },
      )
      .describe("Where the templates are used."),
  })
  .describe("The templates to change.");

const jsonPatch = s.object({
  op: s.enumOf(["add", "replace", "remove"]).describe("What to do."),
  path: name(512).describe("Where: a JSON pointer that begins with /spec/."),
  value: s.anything().describe("The value to write; either this or valueFrom.").optional(),
  valueFrom: s
    .object({
      variable: name(256).describe("The variable to write, or a part of it, such as user.name or list[0].").optional(),
      template: name(10_240).describe("A template that gives the value as YAML.").optional(),
    })
    .describe("Where the value comes from: variable or template.")
    .optional(),
});

const definition = s.object({
  selector,
  jsonPatches: s
    .list(jsonPatch, { type: "atomic", minItems: 1, maxItems: 100 })
    .describe("The changes, in the order in which they are made."),
});

const patch = s.object({
  name: name(256).describe("The name of the patch."),
  description: name(1024).describe("What the patch is for.").optional(),
  enabledIf: name(256).describe("A template; the patch is applied where it gives true.").optional(),
  definitions: s
    .list(definition, { type: "atomic", maxItems: 100 })
    .describe("The changes; either this or external.")
    .optional(),
  external: s
    .object({
      generatePatchesExtension: name(512).describe("The handler that makes the changes.").optional(),
      validateTopologyExtension: name(512).describe("The handler that checks the outcome.").optional(),
      discoverVariablesExtension: name(512).describe("The handler that defines variables.").optional(),
      settings: s.map(s.string()).describe("Passed on with every call.").optional(),
    })
    .describe("Runtime extensions that make the changes; either this or definitions.")
    .optional(),
});

/** A change to the templates of a class that depends on variables. */
export type ClusterClassPatch = ValueOf<typeof patch>;

/** The changes to the templates of a class, in their order. */
export const patches = s
  .list(patch, { type: "atomic", minItems: 1, maxItems: 1000 })
  .describe("Changes to the templates that depend on variables, in the order in which they are made.");
