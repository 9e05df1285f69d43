import { labels, MachineDeployment, type RolloutStrategy } from "#api";
import { type FieldError, FieldPath, invalid, labelValueProblems } from "#machinery";
import {
  bootstrapErrors,
  clusterNameErrors,
  selectByName,
  selectLabel,
  skippedChecksErrors,
  templateClusterErrors,
  templateMetadataErrors,
  withClusterLabel,
  withVersionPrefix,
} from "./checks/machine-template.ts";
import { machineNamingErrors } from "./checks/naming.ts";
import { withReplicas } from "./checks/replicas.ts";
import { intOrPercentErrors, rolloutErrors } from "./checks/rollout.ts";
import { templateSelectedErrors } from "./checks/selector.ts";
import { taintErrors, workerTaintErrors } from "./checks/taints.ts";
import { versionErrors } from "./checks/version.ts";
import { defineWebhook, type Incomplete } from "./webhook.ts";

const spec = FieldPath.of("spec");
const machine = spec.child("template", "spec");

/** What happens to MachineDeployments when they are written. */
export const machineDeploymentWebhook = defineWebhook<MachineDeployment>({
  kind: MachineDeployment,

  fillIn(old, deployment) {
    const { object, errors } = withReplicas(old, withClusterLabel(deployment, deployment.spec?.clusterName));
    const { clusterName, rollout, ...rest } = object.spec ?? {};
    const { name = "" } = object.metadata ?? {};
    const selected = selectByName(rest, { label: labels.deploymentName, name });
    const inCluster = clusterName === undefined ? selected : selectLabel(selected, labels.clusterName, clusterName);
    const defaulted = {
      ...templateWithVersionPrefix(inCluster),
      ...(clusterName === undefined ? {} : { clusterName }),
      rollout: { ...rollout, strategy: defaultStrategy(rollout?.strategy) },
    };
    return { object: { ...object, spec: defaulted }, errors };
  },

  validate(old, deployment, { gates }) {
    const { template, rollout, remediation, machineNaming } = deployment.spec;
    const { bootstrap, version, taints } = template.spec;
    return [
      ...labelNameErrors(deployment),
      ...bootstrapErrors(bootstrap, machine.child("bootstrap")),
      ...templateSelectedErrors(deployment.spec, spec, { kind: "forbidden" }),
      ...(gates.MachineSetPreflightChecks ? skippedChecksErrors(deployment) : []),
      ...clusterNameErrors(old, deployment),
      ...templateClusterErrors(deployment),
      ...rolloutErrors(rollout?.strategy, spec.child("rollout", "strategy")),
      ...intOrPercentErrors(remediation?.maxInFlight, spec.child("remediation", "maxInFlight")),
      ...versionErrors(version, machine.child("version")),
      ...machineNamingErrors(machineNaming?.template, spec.child("machineNaming", "template")),
      ...templateMetadataErrors(template.metadata, spec.child("template", "metadata")),
      ...taintErrors(taints, machine.child("taints"), gates),
      ...workerTaintErrors(taints, machine.child("taints"), gates),
    ];
  },
});

/** The spec of an owner whose Machines have a version with a v. */
export function templateWithVersionPrefix<Spec extends { readonly template?: { readonly spec?: Versioned } }>(
  owner: Spec,
): Spec {
  const { template } = owner;
  if (template?.spec === undefined) return owner;
  return { ...owner, template: { ...template, spec: withVersionPrefix(template.spec) } };
}

interface Versioned {
  readonly version?: string;
}

function defaultStrategy(strategy: Incomplete<RolloutStrategy> = {}): Incomplete<RolloutStrategy> {
  const { type = "RollingUpdate", rollingUpdate } = strategy;
  if (type !== "RollingUpdate") return strategy;
  return { ...strategy, type, rollingUpdate: { maxSurge: 1, maxUnavailable: 0, ...rollingUpdate } };
}

/** The name becomes the value of a label. */
function labelNameErrors({ metadata: { name = "" } }: MachineDeployment): readonly FieldError[] {
  const at = FieldPath.of("metadata", "name");
  return labelValueProblems(name).map((problem) => invalid(at, name, `must be a valid label value: ${problem}`));
}
