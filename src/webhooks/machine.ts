import { labels, Machine } from "#api";
import { FieldPath } from "#machinery";
import {
  bootstrapErrors,
  clusterNameErrors,
  withClusterLabel,
  withNodeDeletionTimeout,
  withVersionPrefix,
} from "./checks/machine-template.ts";
import { isControlPlane, taintErrors, workerTaintErrors } from "./checks/taints.ts";
import { versionErrors } from "./checks/version.ts";
import { defineWebhook } from "./webhook.ts";

const spec = FieldPath.of("spec");

/** What happens to Machines when they are written. */
export const machineWebhook = defineWebhook<Machine>({
  kind: Machine,

  fillIn(_old, machine) {
    const labelled = withClusterLabel(machine, machine.spec?.clusterName);
    if (labelled.spec === undefined) return { object: labelled, errors: [] };
    return {
      object: { ...labelled, spec: withNodeDeletionTimeout(withVersionPrefix(labelled.spec)) },
      errors: [],
    };
  },

  validate(old, machine, { gates }) {
    const { bootstrap, version, taints } = machine.spec;
    // The bootstrap data of a machine in a pool belongs to the pool.
    const ofPool = machine.metadata.labels?.[labels.poolName] !== undefined;
    const ofControlPlane = isControlPlane(machine.metadata.labels);
    return [
      ...(ofPool ? [] : bootstrapErrors(bootstrap, spec.child("bootstrap"))),
      ...clusterNameErrors(old, machine),
      ...versionErrors(version, spec.child("version")),
      ...taintErrors(taints, spec.child("taints"), gates),
      ...(ofControlPlane ? [] : workerTaintErrors(taints, spec.child("taints"), gates)),
    ];
  },
});
