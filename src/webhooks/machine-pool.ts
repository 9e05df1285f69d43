import { MachinePool } from "#api";
import { FieldPath, forbidden } from "#machinery";
import {
  bootstrapErrors,
  clusterNameErrors,
  templateClusterErrors,
  templateMetadataErrors,
  withClusterLabel,
  withNodeDeletionTimeout,
  withVersionPrefix,
} from "./checks/machine-template.ts";
import { withReplicas } from "./checks/replicas.ts";
import { versionErrors } from "./checks/version.ts";
import { defineWebhook } from "./webhook.ts";

const spec = FieldPath.of("spec");
const machine = spec.child("template", "spec");

/** What happens to MachinePools when they are written. */
export const machinePoolWebhook = defineWebhook<MachinePool>({
  kind: MachinePool,

  fillIn(old, pool) {
    const { object, errors } = withReplicas(old, withClusterLabel(pool, pool.spec?.clusterName));
    const template = object.spec?.template;
    if (template?.spec === undefined) return { object, errors };
    const machines = { ...template, spec: withNodeDeletionTimeout(withVersionPrefix(template.spec)) };
    return { object: { ...object, spec: { ...object.spec, template: machines } }, errors };
  },

  validate(old, pool, { gates }) {
    if (!gates.MachinePool) return [forbidden(spec, "can be set only if the MachinePool feature flag is enabled")];
    const { template } = pool.spec;
    const { bootstrap, version, taints = [] } = template.spec;
    const refused = taints.length === 0 ? [] : ["taints feature for MachinePools is not yet implemented"];
    const isOff = taints.length > 0 && !gates.MachineTaintPropagation;
    const off = "taints are not allowed to be set when the feature gate MachineTaintPropagation is disabled";
    return [
      ...bootstrapErrors(bootstrap, machine.child("bootstrap")),
      ...clusterNameErrors(old, pool),
      ...templateClusterErrors(pool),
      ...versionErrors(version, machine.child("version")),
      ...[...refused, ...(isOff ? [off] : [])].map((why) => forbidden(spec.child("taints"), why)),
      ...templateMetadataErrors(template.metadata, spec.child("template", "metadata")),
    ];
  },
});
