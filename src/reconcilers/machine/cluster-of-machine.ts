import { Cluster, type Machine } from "#api";
import type { Reader, ReadOptions } from "#control";
import type { ObjectKey } from "#machinery";

/** The name under which the Cluster of a Machine is found. */
export function clusterKeyOf({ metadata, spec }: Machine): ObjectKey {
  return { namespace: metadata.namespace ?? "", name: spec.clusterName };
}

/** The Cluster of a Machine; throws an ApiError `NotFound` where there is none. */
export async function clusterOf(machine: Machine, reader: Reader, options: ReadOptions): Promise<Cluster> {
  return await reader.get(Cluster, clusterKeyOf(machine), options);
}
