import { s } from "#machinery";
import { conditionTypePattern } from "./texts.ts";

/** One statement about an object. */
const condition = s.object({
  type: s.string({ maxLength: 316, pattern: conditionTypePattern }).describe("What the condition is about."),
  status: s.enumOf(["True", "False", "Unknown"]).describe("Whether it holds: True, False or Unknown."),
  reason: s
    .string({ minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" })
    .describe("Why, in one word that programs can match on."),
  message: s.string({ maxLength: 32768 }).describe("Why, in words for people; may be empty."),
  lastTransitionTime: s.time().describe("When the status last changed."),
  observedGeneration: s
    .integer({ format: "int64", minimum: 0 })
    .describe("The generation of the spec that the condition was judged for.")
    .optional(),
});

/** `status.conditions` as every kind has it. */
export const conditions = s
  .list(condition, { key: "type", maxItems: 32 })
  .describe("What the controller has found out about the object, one statement per type.")
  .optional();

/** A reference to a condition, and which of its states is the good one. */
const conditionGate = s.object({
  conditionType: s
    .string({ minLength: 1, maxLength: 316, pattern: conditionTypePattern })
    .describe("The type of the condition to look at."),
  polarity: s
    .enumOf(["Positive", "Negative"])
    .describe("Positive if True is good, Negative if False is good; Positive if not set.")
    .optional(),
});

/** Conditions of others that have to be fine as well. */
export const conditionGates = s.list(conditionGate, { key: "conditionType", minItems: 1, maxItems: 32 });

const deprecatedCondition = s.object({
  type: s.string({ minLength: 1, maxLength: 256 }).describe("What the condition is about."),
  status: s.string().describe("Whether it holds: True, False or Unknown."),
  severity: s.string({ maxLength: 32 }).describe("How bad it is: Error, Warning, Info or nothing.").optional(),
  lastTransitionTime: s.time().describe("When the status last changed."),
  reason: s.string({ minLength: 1, maxLength: 256 }).describe("Why, in one word.").optional(),
  message: s.string({ minLength: 1, maxLength: 10240 }).describe("Why, in words for people.").optional(),
});

/** Conditions as v1beta1 knew them. */
export const deprecatedConditions = s
  .list(deprecatedCondition)
  .describe("The conditions as readers of v1beta1 expect them.")
  .optional();

/** The failure that v1beta1 reported for good. */
export const deprecatedFailure = {
  failureReason: s.string().describe("Why the object failed for good, in one word.").optional(),
  failureMessage: s
    .string({ minLength: 1, maxLength: 10240 })
    .describe("Why the object failed for good, in words for people.")
    .optional(),
};

const deprecatedReplicas = s.integer();

/** Counts of machines that v1beta1 reported in other ways. */
export const deprecatedCounts = {
  readyReplicas: deprecatedReplicas.describe("Machines that are ready, as v1beta1 counted them.").optional(),
  availableReplicas: deprecatedReplicas.describe("Machines that are available, as v1beta1 counted them.").optional(),
};

/** How `deprecated.v1beta1` is described. */
export const deprecatedText = "What v1beta1 reported; goes away together with v1beta1.";

/** `status.deprecated` of the kinds that reported nothing but conditions. */
export const deprecated = s
  .object({ v1beta1: s.object({ conditions: deprecatedConditions }).describe(deprecatedText).optional() })
  .describe("Fields for readers of older API versions.")
  .optional();

/** `status.deprecated` of the kinds that could fail for good. */
export const deprecatedWithFailure = s
  .object({
    v1beta1: s
      .object({ conditions: deprecatedConditions, ...deprecatedFailure })
      .describe(deprecatedText)
      .optional(),
  })
  .describe("Fields for readers of older API versions.")
  .optional();
