import { defaultFeatureGates, type Machine } from "#api";
import { machine, readMachineFacts } from "#reconcilers/machine";
import { connectionFacts, workloadAccess } from "./connection-facts.ts";
import { factsAbout, judgeByTables } from "./judge-by-tables.ts";
import type { JudgedObject, Judging } from "./judged-object.ts";
import { connectionTo } from "./known-facts.ts";

/** Judges a Machine, looking at its Node where that can be seen. */
export async function judgeMachine(object: Machine, judging: Judging): Promise<JudgedObject> {
  const { known, situation } = judging;
  const key = { namespace: object.metadata.namespace ?? "", name: object.spec.clusterName };
  const handedIn = factsAbout(object, known);
  const sight = "node" in handedIn ? ({ kind: "not-connected" } as const) : await situation.nodes(key);
  const { facts: connection, unknown } = connectionFacts(connectionTo(known, key));
  const ports = {
    workload: workloadAccess(connection, sight),
    remoteConditionsGracePeriod: situation.gracePeriods.remoteConditions,
    syncedLabels: () => false,
    syncedAnnotations: () => false,
    features: defaultFeatureGates,
    sources: [],
  };
  const unseen = sight.kind === "unknown" ? [...unknown, "node"] : unknown;
  return await judgeByTables(machine, object, { ...judging, ports, unknown: unseen, read: readMachineFacts });
}
