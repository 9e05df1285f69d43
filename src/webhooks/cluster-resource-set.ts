import { ClusterResourceSet } from "#api";
import { deepEqual, FieldPath, invalid } from "#machinery";
import { isEmptySelector, selectorErrors, selectorValue } from "./checks/selector.ts";
import { defineWebhook } from "./webhook.ts";

const spec = FieldPath.of("spec");

/** What happens to ClusterResourceSets when they are written. */
export const clusterResourceSetWebhook = defineWebhook<ClusterResourceSet>({
  kind: ClusterResourceSet,

  fillIn: (_old, set) => ({ object: { ...set, spec: { strategy: "ApplyOnce", ...set.spec } }, errors: [] }),

  validate(old, { spec: { clusterSelector, strategy } }) {
    const at = spec.child("clusterSelector");
    const value = selectorValue(clusterSelector);
    const strategyChanged = old?.spec.strategy !== undefined && old.spec.strategy !== strategy;
    const selectorChanged = old !== undefined && !deepEqual(old.spec.clusterSelector, clusterSelector);
    return [
      ...selectorErrors(clusterSelector, at),
      ...(isEmptySelector(clusterSelector) ? [invalid(at, value, "selector must not be empty")] : []),
      ...(strategyChanged ? [invalid(spec.child("strategy"), strategy ?? "", "field is immutable")] : []),
      ...(selectorChanged ? [invalid(at, value, "field is immutable")] : []),
    ];
  },
});
