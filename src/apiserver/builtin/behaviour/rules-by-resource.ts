import { configMap } from "./config-map.ts";
import { customResourceDefinition } from "./custom-resource-definition.ts";
import { coreEvent, newEvent } from "./event.ts";
import type { KindRules } from "./kind-rules.ts";
import { lease } from "./lease.ts";
import { namespace } from "./namespace.ts";
import { secret } from "./secret.ts";

/** The hand-written rules, by resource and group; a kind that has none is an ordinary one. */
export const rulesByResource: Readonly<Record<string, KindRules>> = {
  namespaces: namespace,
  secrets: secret,
  configmaps: configMap,
  events: coreEvent,
  "events.events.k8s.io": newEvent,
  "leases.coordination.k8s.io": lease,
  "customresourcedefinitions.apiextensions.k8s.io": customResourceDefinition,
};
