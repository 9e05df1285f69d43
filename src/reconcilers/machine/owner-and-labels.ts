import { Cluster, labels, type Machine } from "#api";
import { ownerReferenceTo } from "#contract";
import { defineStep } from "#control";
import { controllerOf, isOwnedBy, upsertOwner } from "#machinery";
import { clusterOf } from "./cluster-of-machine.ts";
import type { MachineFacts } from "./machine-facts.ts";
import type { MachinePorts } from "./ports.ts";

/** Makes a Machine that stands alone the Cluster's, and labels every Machine with its Cluster. */
export const ownerAndLabels = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "owner-and-labels",
  text: "label the Machine with its Cluster; a Machine that nobody controls becomes the Cluster's",

  async run({ object: machine, metadata, reader, signal }) {
    const cluster = await clusterOf(machine, reader, { signal });
    const { clusterName } = machine.spec;
    if (metadata.labels?.[labels.clusterName] !== clusterName) {
      metadata.labels = { ...metadata.labels, [labels.clusterName]: clusterName };
    }
    if (standsAlone(machine, cluster)) {
      metadata.ownerReferences = upsertOwner(
        metadata.ownerReferences,
        ownerReferenceTo(cluster, { controller: false }),
      );
    }
    return undefined;
  },
});

/** After a restore from a backup the owner of a Machine may come late: its label tells that there is one. */
function standsAlone(machine: Machine, cluster: Cluster): boolean {
  if (controllerOf(machine) !== undefined || isOwnedBy(machine, cluster, Cluster)) return false;
  const { labels: own = {} } = machine.metadata;
  return ![labels.setName, labels.poolName, labels.controlPlaneName].some((label) => Object.hasOwn(own, label));
}
