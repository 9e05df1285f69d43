import { s, type ValueOf } from "#machinery";
import { apiGroup, apiVersion, kindName, objectName } from "./texts.ts";

/** A reference to an object in the same namespace; its version is found through the contract. */
export const contractReference = s.object({
  apiGroup,
  kind: kindName,
  name: objectName.describe("The name of the object, in the namespace of the one that refers to it."),
});

/** A reference to an object whose version is found through the contract. */
export type ContractReference = ValueOf<typeof contractReference>;

/** A reference to a template of a ClusterClass. */
export const templateReference = s
  .object({
    apiVersion,
    kind: kindName.describe("The kind of the template; it ends in Template."),
    name: objectName.describe("The name of the template, in the namespace of the object that refers to it."),
  })
  .describe("The template to make objects from.");

/** A reference to a template in a version of its own. */
export type TemplateReference = ValueOf<typeof templateReference>;

/** A reference by name alone: the kind is known. */
export const nameReference = s.object({ name: objectName.describe("The name of the object.") });

/** A reference as the core group makes them, to any object. */
export const objectReference = s.object(
  {
    apiVersion: s.string().describe("The API group and version of the object.").optional(),
    kind: s.string().describe("The kind of the object.").optional(),
    namespace: s.string().describe("The namespace of the object.").optional(),
    name: s.string().describe("The name of the object.").optional(),
    uid: s.string().describe("The uid of the object.").optional(),
    resourceVersion: s.string().describe("The version of the object that is meant.").optional(),
    fieldPath: s.string().describe("The part of the object that is meant.").optional(),
  },
  { atomic: true },
);
