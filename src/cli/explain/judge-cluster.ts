import { type Cluster, defaultFeatureGates } from "#api";
import { keyOf } from "#machinery";
import { cluster, readClusterFacts } from "#reconcilers/cluster";
import { connectionFacts } from "./connection-facts.ts";
import { judgeByTables } from "./judge-by-tables.ts";
import type { JudgedObject, Judging } from "./judged-object.ts";
import { connectionTo } from "./known-facts.ts";

/** Judges a Cluster. */
export async function judgeCluster(object: Cluster, judging: Judging): Promise<JudgedObject> {
  const { known, situation } = judging;
  const state = connectionTo(known, keyOf(object));
  const { facts: connection, unknown } = connectionFacts(state);
  const ports = {
    connectionTo: () => connection,
    remoteConnectionGracePeriod: state.gracePeriod ?? situation.gracePeriods.remoteConnection,
    machinePoolsRollOut: true,
    features: defaultFeatureGates,
    sources: [],
  };
  return await judgeByTables(cluster, object, { ...judging, ports, unknown, read: readClusterFacts });
}
