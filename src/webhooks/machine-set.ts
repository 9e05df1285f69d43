import { labels, MachineSet } from "#api";
import { FieldPath } from "#machinery";
import {
  bootstrapErrors,
  clusterNameErrors,
  selectByName,
  skippedChecksErrors,
  templateClusterErrors,
  templateMetadataErrors,
  withClusterLabel,
} from "./checks/machine-template.ts";
import { machineNamingErrors } from "./checks/naming.ts";
import { withReplicas } from "./checks/replicas.ts";
import { templateSelectedErrors } from "./checks/selector.ts";
import { taintErrors, workerTaintErrors } from "./checks/taints.ts";
import { versionErrors } from "./checks/version.ts";
import { templateWithVersionPrefix } from "./machine-deployment.ts";
import { defineWebhook } from "./webhook.ts";

const spec = FieldPath.of("spec");
const machine = spec.child("template", "spec");

/** What happens to MachineSets when they are written. */
export const machineSetWebhook = defineWebhook<MachineSet>({
  kind: MachineSet,

  fillIn(old, set) {
    const { object, errors } = withReplicas(old, withClusterLabel(set, set.spec?.clusterName));
    const { name = "" } = object.metadata ?? {};
    const selecting = selectByName(object.spec ?? {}, { label: labels.setName, name });
    return { object: { ...object, spec: templateWithVersionPrefix(selecting) }, errors };
  },

  validate(old, set, { gates }) {
    const { template, machineNaming } = set.spec;
    const { bootstrap, version, taints } = template.spec;
    return [
      ...bootstrapErrors(bootstrap, machine.child("bootstrap")),
      ...templateSelectedErrors(set.spec, spec, { kind: "invalid" }),
      ...(gates.MachineSetPreflightChecks ? skippedChecksErrors(set) : []),
      ...clusterNameErrors(old, set),
      ...templateClusterErrors(set),
      ...versionErrors(version, machine.child("version")),
      ...machineNamingErrors(machineNaming?.template, spec.child("machineNaming", "template")),
      ...templateMetadataErrors(template.metadata, spec.child("template", "metadata")),
      ...taintErrors(taints, machine.child("taints"), gates),
      ...workerTaintErrors(taints, machine.child("taints"), gates),
    ];
  },
});
