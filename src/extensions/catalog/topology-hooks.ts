import { s } from "#machinery";
import { defineRuntimeHook } from "./runtime-hook.ts";

const variables = s
  .list(s.object({ name: s.string().describe("The name."), value: s.anything().describe("The value.") }))
  .describe("Variables and their values.");

const template = {
  holderReference: s
    .object({
      apiVersion: s.string().describe("Its group and version."),
      kind: s.string().describe("Its kind."),
      namespace: s.string().describe("Its namespace."),
      name: s.string().describe("Its name."),
      fieldPath: s.string().describe("Where in it the template is named, such as spec.infrastructureRef."),
    })
    .describe("The object that uses the template."),
  object: s.embedded().describe("The template."),
  variables: variables.describe("Variables of this template alone; they win over the common ones.").optional(),
};

/** Asks which variables an extension defines for a ClusterClass. */
export const DiscoverVariables = defineRuntimeHook({
  hook: "DiscoverVariables",
  summary: "Asks which variables an extension defines for the classes that use it.",
  response: {
    variables: s
      .list(
        // Both shapes are taken: `metadata` is that of v1beta1, `deprecatedV1Beta1Metadata` that of v1beta2.
        s.object({
          name: s.string({ default: "" }).describe("The name of the variable."),
          required: s.boolean().describe("True if every cluster must set it.").optional(),
          schema: s
            .object({ openAPIV3Schema: s.anything().describe("The schema.").optional() }, { default: {} })
            .describe("What values are allowed."),
          metadata: s.anything().describe("Labels and annotations, in v1beta1.").optional(),
          deprecatedV1Beta1Metadata: s.anything().describe("Labels and annotations, in v1beta2.").optional(),
        }),
        { default: [] },
      )
      .describe("The definitions."),
  },
  onlyAsks: true,
});

/** Asks an extension to change templates. */
export const GeneratePatches = defineRuntimeHook({
  hook: "GeneratePatches",
  summary: "Asks for changes to the templates of a cluster, whenever its topology is computed.",
  request: {
    variables: variables.describe("Variables of all templates.").optional(),
    items: s
      .list(s.object({ uid: s.string().describe("Names the template in the answer."), ...template }))
      .describe("The templates."),
  },
  response: {
    items: s
      .list(
        s.object({
          uid: s.string({ default: "" }).describe("The template to change."),
          patchType: s.string({ default: "" }).describe("JSONPatch or JSONMergePatch."),
          patch: s.string({ format: "byte", default: "" }).describe("The patch, base64."),
        }),
        { default: [] },
      )
      .describe("The changes, in the order in which they are made."),
  },
  onlyAsks: true,
});

/** Asks an extension whether the templates are sound once all changes were made. */
export const ValidateTopology = defineRuntimeHook({
  hook: "ValidateTopology",
  summary: "Asks whether the templates of a cluster are sound, after all changes were made.",
  request: {
    variables: variables.describe("Variables of all templates.").optional(),
    items: s.list(s.object(template)).describe("The templates."),
  },
  onlyAsks: true,
});
