import { Cluster, labels, type Machine } from "#api";
import { ownerReferenceTo } from "#contract";
import { defineStep, type ObjectDrafts, type WithFinalizer } from "#control";
import { controllerOf, isOwnedBy, upsertOwner } from "#machinery";
import { clusterKeyOf, clusterOf } from "./cluster-of-machine.ts";
import type { MachineFacts } from "./machine-facts.ts";
import type { MachinePorts } from "./ports.ts";

/** Makes a Machine that stands alone the Cluster's, and labels every Machine with its Cluster. */
export const ownerAndLabels = defineStep<Machine, MachineFacts, MachinePorts>({
  name: "owner-and-labels",
  text: "label the Machine with its Cluster; a Machine that nobody controls becomes the Cluster's",

  async run({ object: machine, metadata, reader, signal }) {
    joinCluster(machine, metadata, await clusterOf(machine, reader, { signal }));
    return undefined;
  },
});

/** The same for a new Machine, where its Cluster is there already. */
export const joinEarly: WithFinalizer<Machine> = async (machine, { metadata }, { reader, signal }) => {
  const cluster = await reader.find(Cluster, clusterKeyOf(machine), { signal });
  if (cluster !== undefined) joinCluster(machine, metadata, cluster);
};

function joinCluster(machine: Machine, metadata: ObjectDrafts<Machine>["metadata"], cluster: Cluster): void {
  const { clusterName } = machine.spec;
  if (metadata.labels?.[labels.clusterName] !== clusterName) {
    metadata.labels = { ...metadata.labels, [labels.clusterName]: clusterName };
  }
  if (standsAlone(machine, cluster)) {
    metadata.ownerReferences = upsertOwner(metadata.ownerReferences, ownerReferenceTo(cluster, { controller: false }));
  }
}

/** After a restore from a backup the owner of a Machine may come late: its label tells that there is one. */
function standsAlone(machine: Machine, cluster: Cluster): boolean {
  if (controllerOf(machine) !== undefined || isOwnedBy(machine, cluster, Cluster)) return false;
  const { labels: own = {} } = machine.metadata;
  return ![labels.setName, labels.poolName, labels.controlPlaneName].some((label) => Object.hasOwn(own, label));
}
