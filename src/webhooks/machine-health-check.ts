import { labels, MachineHealthCheck } from "#api";
import { type FieldError, FieldPath, invalid, required } from "#machinery";
import { healthCheckErrors } from "./checks/health-check.ts";
import { clusterNameErrors, withClusterLabel } from "./checks/machine-template.ts";
import { isEmptySelector, selectorErrors, selectorValue } from "./checks/selector.ts";
import { defineWebhook } from "./webhook.ts";

const spec = FieldPath.of("spec");

/** How long a Machine may be without a Node, if nobody says otherwise. */
const nodeStartupTimeoutSeconds = 600;

/** What happens to MachineHealthChecks when they are written. */
export const machineHealthCheckWebhook = defineWebhook<MachineHealthCheck>({
  kind: MachineHealthCheck,

  fillIn(_old, check) {
    const labelled = withClusterLabel(check, check.spec?.clusterName);
    const checks = { nodeStartupTimeoutSeconds, ...labelled.spec?.checks };
    return { object: { ...labelled, spec: { ...labelled.spec, checks } }, errors: [] };
  },

  validate(old, check) {
    return [...targetErrors(check), ...clusterNameErrors(old, check), ...healthCheckErrors(check.spec, spec)];
  },
});

/** A health check looks at some Machines of its own Cluster. */
function targetErrors({ spec: { selector, clusterName } }: MachineHealthCheck): readonly FieldError[] {
  const at = spec.child("selector");
  const selected = selector.matchLabels?.[labels.clusterName] ?? clusterName;
  const other = "cannot specify a cluster selector other than the one specified by ClusterName";
  return [
    ...selectorErrors(selector, at),
    ...(isEmptySelector(selector) ? [required(at, "selector must not be empty")] : []),
    ...(selected === clusterName ? [] : [invalid(at, selectorValue(selector), other)]),
  ];
}
