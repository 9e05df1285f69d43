import { s } from "#machinery";

const condition = s.object({
  type: s.string({ minLength: 1, maxLength: 316 }).describe("What the condition is about."),
  status: s.enumOf(["True", "False", "Unknown"]).describe("Whether it holds."),
  reason: s.string({ minLength: 1, maxLength: 1024 }).describe("Why, in one word that programs can match on."),
  message: s.string({ maxLength: 32768 }).describe("Why, in words for people; may be empty."),
  lastTransitionTime: s.time().describe("When the status last changed."),
  observedGeneration: s
    .integer({ format: "int64", minimum: 0 })
    .describe("The generation of the spec that was judged.")
    .optional(),
});

/** `status.conditions` of a kind that one declares oneself: without it the server drops what tables report. */
export const conditionsField = s
  .list(condition, { key: "type" })
  .describe("What the controller has found out about the object, one statement per type.")
  .optional();
