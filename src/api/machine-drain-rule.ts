import { defineKind, type ObjectOf, s } from "#machinery";
import { age, textColumn } from "./columns.ts";
import { category, groups } from "./groups.ts";
import { labelSelector } from "./shapes/metadata.ts";

const machineSelector = s.object(
  {
    selector: labelSelector.describe("Machines, by their labels; all if not set.").optional(),
    clusterSelector: labelSelector
      .describe("The Clusters of the Machines, by their labels; all if not set.")
      .optional(),
  },
  { minProperties: 1 },
);

const podSelector = s.object(
  {
    selector: labelSelector.describe("Pods, by their labels; all if not set.").optional(),
    namespaceSelector: labelSelector
      .describe("The namespaces of the Pods, by their labels; all if not set.")
      .optional(),
  },
  { minProperties: 1 },
);

/** Says how Pods are treated when a Node is drained. */
export const MachineDrainRule = defineKind({
  group: groups.core,
  version: "v1beta2",
  kind: "MachineDrainRule",
  plural: "machinedrainrules",
  categories: [category],
  description: "Says how Pods are treated when the Node of a Machine is drained.",
  requiresMetadata: true,
  columns: [textColumn("Behavior", ".spec.drain.behavior"), textColumn("Order", ".spec.drain.order"), age],
  fields: {
    spec: s
      .object({
        drain: s
          .object({
            behavior: s
              .enumOf(["Drain", "Skip", "WaitCompleted"])
              .describe("Drain evicts the Pods, Skip leaves them, WaitCompleted waits until they are done."),
            order: s
              .integer()
              .describe("Pods with a lower order are evicted first; only with Drain; 0 if not set.")
              .optional(),
          })
          .describe("What happens to the Pods."),
        machines: s
          .list(machineSelector, {
            type: "atomic",
            minItems: 1,
            maxItems: 32,
            rules: [uniqueEntries("machines")],
          })
          .describe("The Machines that the rule is for, any of these; all of the namespace if not set.")
          .optional(),
        pods: s
          .list(podSelector, { type: "atomic", minItems: 1, maxItems: 32, rules: [uniqueEntries("pods")] })
          .describe("The Pods that the rule is for, any of these; all if not set.")
          .optional(),
      })
      .describe("What is wished."),
  },
});

export type MachineDrainRule = ObjectOf<typeof MachineDrainRule>;

function uniqueEntries(field: string) {
  return { rule: "self.all(x, self.exists_one(y, x == y))", message: `entries in ${field} must be unique` };
}
