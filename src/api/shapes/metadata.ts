import { s, type ValueOf } from "#machinery";

/** The labels and annotations that a template hands on. */
export const templateMetadata = s
  .object(
    {
      labels: s.map(s.string()).describe("Labels for the objects that are made.").optional(),
      annotations: s.map(s.string()).describe("Annotations for the objects that are made.").optional(),
    },
    { minProperties: 1 },
  )
  .describe("Labels and annotations for the objects that are made.");

/** The labels and annotations that a template hands on. */
export type TemplateMetadata = ValueOf<typeof templateMetadata>;

/** Selects objects by their labels. */
export const labelSelector = s.object(
  {
    matchLabels: s.map(s.string()).describe("Labels that an object must have, with these values.").optional(),
    matchExpressions: s
      .list(
        s.object({
          key: s.string().describe("The label to look at."),
          operator: s.string().describe("How to look at it: In, NotIn, Exists or DoesNotExist."),
          values: s
            .list(s.string(), { type: "atomic" })
            .describe("The values for In and NotIn; empty for Exists and DoesNotExist.")
            .optional(),
        }),
        { type: "atomic" },
      )
      .describe("Requirements on labels, all of which must hold.")
      .optional(),
  },
  { atomic: true },
);
