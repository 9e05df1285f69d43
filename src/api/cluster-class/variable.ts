import { s, type ValueOf } from "#machinery";
import { templateMetadata } from "../shapes/metadata.ts";
import { name } from "../shapes/texts.ts";

const count = s.integer({ format: "int64" });

const rule = s.object({
  rule: name(4096).describe("A CEL expression that must be true; self is the value, oldSelf the one before."),
  message: name(512).describe("What to say where it is not true.").optional(),
  messageExpression: name(1024).describe("A CEL expression that gives the message; wins over message.").optional(),
  reason: s
    .enumOf(["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"], {
      default: "FieldValueInvalid",
    })
    .describe("What kind of error it is.")
    .optional(),
  fieldPath: name(512).describe("The field to blame, relative to the value.").optional(),
});

const openApiSchema = s.object(
  {
    description: name(4096).describe("What the value is for.").optional(),
    example: s.anything().describe("An example of a value.").optional(),
    type: s
      .enumOf(["object", "array", "string", "integer", "number", "boolean"])
      .describe("The type of the value.")
      .optional(),
    properties: s.anything().describe("The members of an object, each with its schema.").optional(),
    additionalProperties: s.anything().describe("The schema of members with any name; not with properties.").optional(),
    maxProperties: count.describe("The most members that an object may have.").optional(),
    minProperties: count.describe("The fewest members that an object may have.").optional(),
    required: s
      .list(name(256), { type: "atomic", minItems: 1, maxItems: 1000 })
      .describe("The members that an object must have.")
      .optional(),
    items: s.anything().describe("The schema of the items of a list.").optional(),
    maxItems: count.describe("The most items that a list may have.").optional(),
    minItems: count.describe("The fewest items that a list may have.").optional(),
    uniqueItems: s.boolean().describe("True if the items of a list must differ.").optional(),
    format: name(32).describe("The format of a text, such as date-time.").optional(),
    maxLength: count.describe("The most characters that a text may have.").optional(),
    minLength: count.describe("The fewest characters that a text may have.").optional(),
    pattern: name(512).describe("A regular expression that a text must match.").optional(),
    maximum: count.describe("The greatest number that is allowed.").optional(),
    exclusiveMaximum: s.boolean().describe("True if a number must stay below maximum.").optional(),
    minimum: count.describe("The least number that is allowed.").optional(),
    exclusiveMinimum: s.boolean().describe("True if a number must stay above minimum.").optional(),
    "x-kubernetes-preserve-unknown-fields": s
      .boolean()
      .describe("True if members that the schema does not know are kept.")
      .optional(),
    enum: s.list(s.anything(), { type: "atomic", maxItems: 100 }).describe("The values that are allowed.").optional(),
    default: s.anything().describe("The value where none is set.").optional(),
    "x-metadata": templateMetadata.describe("Labels and annotations for tools; they do nothing.").optional(),
    "x-kubernetes-int-or-string": s.boolean().describe("True if the value is a number or a text.").optional(),
    allOf: s.anything().describe("Schemas, all of which must fit.").optional(),
    oneOf: s.anything().describe("Schemas, exactly one of which must fit.").optional(),
    anyOf: s.anything().describe("Schemas, at least one of which must fit.").optional(),
    not: s.anything().describe("A schema that must not fit.").optional(),
    "x-kubernetes-validations": s
      .list(rule, { key: "rule", minItems: 1, maxItems: 100 })
      .describe("Rules in CEL that the value must obey.")
      .optional(),
  },
  { minProperties: 1 },
);

/** The schema of a variable. */
export type VariableSchema = ValueOf<typeof openApiSchema>;

const definitionFields = {
  required: s.boolean().describe("True if every cluster must set the variable."),
  schema: s
    .object({ openAPIV3Schema: openApiSchema.describe("The schema, as in a CustomResourceDefinition.") })
    .describe("What values are allowed."),
  deprecatedV1Beta1Metadata: templateMetadata.describe("Labels and annotations for tools; use x-metadata.").optional(),
};

const variable = s.object({ name: name(256).describe("The name of the variable."), ...definitionFields });

/** A variable that a ClusterClass defines. */
export type ClusterClassVariable = ValueOf<typeof variable>;

/** The variables that a ClusterClass defines. */
export const variables = s
  .list(variable, { type: "atomic", minItems: 1, maxItems: 1000 })
  .describe("The variables that clusters can set and patches can use.");

const statusVariable = s.object({
  name: name(256).describe("The name of the variable."),
  definitionsConflict: s
    .boolean()
    .describe("True if the definitions differ; the class cannot be used then.")
    .optional(),
  definitions: s
    .list(
      s.object({
        from: name(256).describe("Who defines it: inline, or the patch whose extension does."),
        ...definitionFields,
      }),
      { type: "atomic", minItems: 1, maxItems: 100 },
    )
    .describe("All definitions of the variable."),
});

/** A variable with all its definitions. */
export type ClusterClassStatusVariable = ValueOf<typeof statusVariable>;

/** All variables of a ClusterClass, from whoever defines them. */
export const statusVariables = s
  .list(statusVariable, { type: "atomic", maxItems: 1000 })
  .describe("All variables, those of the class itself and those of its extensions.");
