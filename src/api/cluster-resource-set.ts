import { defineKind, type ObjectOf, s } from "#machinery";
import { age, clusterOfSpec, conditionColumn, paused } from "./columns.ts";
import { category, groups } from "./groups.ts";
import { conditions, deprecated } from "./shapes/condition.ts";
import { labelSelector } from "./shapes/metadata.ts";
import { anyObjectName, clusterName, name, observedGeneration } from "./shapes/texts.ts";

const resourceFields = {
  kind: s.enumOf(["Secret", "ConfigMap"]).describe("What holds the manifests."),
  name: anyObjectName.describe("The name of the Secret or ConfigMap."),
};

/** Applies manifests to workload clusters. */
export const ClusterResourceSet = defineKind({
  group: groups.addons,
  version: "v1beta2",
  kind: "ClusterResourceSet",
  plural: "clusterresourcesets",
  categories: [category],
  description: "Applies the manifests of Secrets and ConfigMaps to the workload clusters that it selects.",
  columns: [conditionColumn("Applied", "ResourcesApplied"), paused, age],
  hasStatus: true,
  fields: {
    spec: s
      .object({
        clusterSelector: labelSelector.describe("The Clusters, by their labels; must not be empty or changed."),
        resources: s
          .list(s.object(resourceFields), { type: "atomic", minItems: 1, maxItems: 100 })
          .describe("The Secrets and ConfigMaps, in the order in which they are applied."),
        strategy: s
          .enumOf(["ApplyOnce", "Reconcile"])
          .describe("ApplyOnce applies once, Reconcile whenever the manifests change; ApplyOnce if not set.")
          .optional(),
      })
      .describe("What is wished."),
    status: s
      .object({ conditions, observedGeneration: observedGeneration.optional(), deprecated }, { minProperties: 1 })
      .describe("What the controller has found out.")
      .optional(),
  },
});

export type ClusterResourceSet = ObjectOf<typeof ClusterResourceSet>;

const appliedResource = s.object({
  ...resourceFields,
  hash: name(256).describe("A hash of what was applied.").optional(),
  lastAppliedTime: s.time().describe("When it was last applied.").optional(),
  applied: s.boolean().describe("True if it was applied."),
});

/** Remembers what was applied to one workload cluster. */
export const ClusterResourceSetBinding = defineKind({
  group: groups.addons,
  version: "v1beta2",
  kind: "ClusterResourceSetBinding",
  plural: "clusterresourcesetbindings",
  categories: [category],
  description: "Remembers which manifests were applied to a workload cluster; controllers write it.",
  columns: [clusterOfSpec, age],
  fields: {
    spec: s
      .object({
        clusterName,
        bindings: s
          .list(
            s.object({
              clusterResourceSetName: anyObjectName.describe("The ClusterResourceSet."),
              resources: s
                .list(appliedResource, { type: "atomic", maxItems: 100 })
                .describe("What was applied.")
                .optional(),
            }),
            { type: "atomic", maxItems: 100 },
          )
          .describe("What was applied, by ClusterResourceSet.")
          .optional(),
      })
      .describe("What was applied."),
  },
});

export type ClusterResourceSetBinding = ObjectOf<typeof ClusterResourceSetBinding>;
