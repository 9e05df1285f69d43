import { annotations, ClusterClass, ExtensionConfig } from "#api";
import { defineReconciler, isChanged, related } from "#control";
import { classesUsing } from "./classes-using.ts";
import { deprecatedConditions } from "./deprecated-conditions.ts";
import { discoverVariables } from "./discover-variables.ts";
import type { ClassFacts } from "./facts.ts";
import { followTemplates } from "./follow-templates.ts";
import type { DiscoveryPorts } from "./gather-variables.ts";
import { RefVersionsUpToDate } from "./ref-versions-up-to-date.ts";
import { VariablesReady } from "./variables-ready.ts";

/** Keeps the templates of a ClusterClass its own and its variables known. */
export const clusterClass = defineReconciler<ClusterClass, ClassFacts, DiscoveryPorts>({
  name: "clusterclass",
  kind: ClusterClass,
  watches: [related(ExtensionConfig, classesUsing, { predicate: isChanged })],
  paused: ({ object }) => ({
    clusterPaused: false,
    annotated: Object.hasOwn(object.metadata.annotations ?? {}, annotations.paused),
  }),
  reportsPausedFirst: true,
  facts: ({ metadata }) => ({
    className: metadata.name ?? "",
    references: { kind: "followed", outdated: [] },
    problems: [],
    conflicts: [],
  }),
  steps: [followTemplates, discoverVariables],
  conditions: [RefVersionsUpToDate, VariablesReady],
  conclude: (status, { object, decided, now }) => {
    const before = object.status?.deprecated?.v1beta1?.conditions ?? [];
    const conditions = deprecatedConditions(before, decided, now);
    if (conditions !== before) status.deprecated = { ...status.deprecated, v1beta1: { conditions } };
  },
});
