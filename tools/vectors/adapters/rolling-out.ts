import type { Cluster, MachineDeployment, MachinePool } from "#api";
import { parseTimestamp, seconds } from "#base";
import { conditionOf, conditionsOf, decide, findCondition, setCondition } from "#conditions";
import { providerLookup, type ProviderRead } from "#contract";
import { fieldAt, type KubeObject } from "#machinery";
import { type ClusterFacts, descendantFacts, RollingOut } from "#reconcilers/cluster";
import type { Adapters } from "./adapter.ts";
import { recorded } from "./recorded.ts";

interface RecordedPass {
  readonly cluster: Cluster;
  readonly controlPlane?: KubeObject;
  readonly controlPlaneIsNotFound: boolean;
  readonly machinePools: readonly MachinePool[];
  readonly machineDeployments: readonly MachineDeployment[];
  readonly getDescendantsSucceeded: boolean;
}

/** Sets RollingOut of a Cluster as a pass does. */
export const rollingOut: Adapters = {
  "*": recorded((input: RecordedPass, { now = "", case: { expected } }) => {
    const { cluster } = input;
    const report = decide(RollingOut, factsOf(input, now)).report;
    const condition = conditionOf(RollingOut, report);
    const stored = conditionsOf(cluster);
    const conditions =
      condition === undefined
        ? stored
        : setCondition(stored, condition, {
            generation: cluster.metadata.generation ?? 0,
            now: parseTimestamp(now),
          });
    return {
      condition: findCondition(conditions, RollingOut.type),
      // Only some cases record the whole list.
      ...(fieldAt(expected, "allConditions") === undefined ? {} : { allConditions: conditions }),
    };
  }),
};

function factsOf(input: RecordedPass, now: string): ClusterFacts {
  const { cluster, controlPlane, machineDeployments, machinePools } = input;
  return {
    now: parseTimestamp(now),
    cluster: {
      deleting: false,
      hasTopology: false,
      infrastructureProvisioned: false,
      controlPlaneInitialized: false,
      initializedReported: false,
    },
    clusterClass: { kind: "none" },
    connection: { consecutiveFailures: 0, gracePeriod: seconds(50), reported: false },
    infrastructure: { kind: "unreferenced" },
    controlPlane: providerLookup(cluster.spec?.controlPlaneRef, readOf(input), {
      type: "Available",
      goodReason: "Available",
    }),
    initialization: { kind: "none" },
    descendants: input.getDescendantsSucceeded
      ? descendantFacts(
          cluster,
          { machineDeployments, machinePools, machineSets: [], machines: [] },
          {
            now: parseTimestamp(now),
            machinePoolsRollOut: true,
            ...(controlPlane === undefined ? {} : { controlPlane }),
          },
        )
      : { kind: "failed", error: "the descendants could not be listed" },
    replicas: {},
    deletion: { kind: "not-deleting" },
  };
}

function readOf({ controlPlane, controlPlaneIsNotFound }: RecordedPass): ProviderRead {
  if (controlPlane !== undefined) return { kind: "found", object: controlPlane };
  return controlPlaneIsNotFound ? { kind: "absent" } : { kind: "failed", error: "the control plane could not be read" };
}
