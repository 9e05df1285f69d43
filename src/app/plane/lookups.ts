import { Cluster, ClusterClass, type FeatureGates, labels, MachineDeployment, MachinePool } from "#api";
import type { Client } from "#client";
import { controlPlane, isDefined, readProvider } from "#contract";
import { apiReader } from "#control";
import type { ObjectKey } from "#machinery";
import { fillInCluster, validateDefinitions } from "#topology";
import type { Lookups } from "#webhooks";

/** What the checks of writes look up, from an API server that need not be open before the first write. */
export function lookupsFrom(client: () => Client, gates: FeatureGates): Lookups {
  return {
    gates,
    clusterClass: (key) => client().find(ClusterClass, key),
    clustersUsing: async (key) => (await client().listAll(Cluster)).items.filter((cluster) => uses(cluster, key)),
    upgradeBlockers: (cluster) => blockersOf(client(), cluster),
    variables: {
      validateDefinitions: (old, definitions, at) => validateDefinitions(definitions, at, { old }),
      fillIn: fillInCluster,
    },
  };
}

function uses({ metadata, spec }: Cluster, { namespace = "", name }: ObjectKey): boolean {
  const ref = spec.topology?.classRef;
  return ref?.name === name && (ref.namespace ?? metadata.namespace ?? "") === namespace;
}

/** What of a Cluster does not yet have the version that its topology asks for. */
async function blockersOf(client: Client, cluster: Cluster): Promise<readonly string[]> {
  const version = cluster.spec.topology?.version;
  const { namespace = "", name = "" } = cluster.metadata;
  if (version === undefined) return [];
  const ref = cluster.spec.controlPlaneRef;
  const read = isDefined(ref) ? await readProvider(apiReader(client), ref, { namespace }) : undefined;
  const running = read?.kind === "found" ? controlPlane.statusVersion.get(read.object) : undefined;
  const options = { namespace, labelSelector: `${labels.clusterName}=${name},${labels.topologyOwned}` };
  const workers = [
    ...(await client.listAll(MachineDeployment, options)).items,
    ...(await client.listAll(MachinePool, options)).items,
  ];
  return [
    ...(running === undefined || running === version ? [] : [`${ref?.kind ?? ""} ${ref?.name ?? ""}`]),
    ...workers
      .filter(({ spec }) => spec.template.spec.version !== version)
      .map(({ kind, metadata }) => `${kind} ${metadata.name ?? ""}`),
  ];
}
