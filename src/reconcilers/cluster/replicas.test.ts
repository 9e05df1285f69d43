import type { KubeObject } from "#machinery";
import { describe, expect, test } from "vitest";
import { controlPlaneCounts, controlPlaneMachineCounts, type ReplicaCounts, workerCounts } from "./replicas.ts";
import {
  aControlPlaneMachine,
  aMachine,
  aMachineDeployment,
  aMachinePool,
  aMachineSet,
  cluster,
  only,
  ownedByCluster,
} from "./test-objects.ts";

const counts = { replicas: 3, readyReplicas: 2, availableReplicas: 1, upToDateReplicas: 3 };

describe("a control plane counts its machines", () => {
  const counted = (spec: object, status: object, contract: string): ReplicaCounts => {
    const controlPlane: KubeObject & { readonly spec: object; readonly status: object } = {
      apiVersion: "g/v1",
      kind: "K",
      metadata: { name: "cp" },
      spec,
      status,
    };
    return controlPlaneCounts(controlPlane, contract);
  };

  test("as the contract says", () => {
    expect(counted({ replicas: 3 }, counts, "v1beta2")).toEqual({ desiredReplicas: 3, ...counts });
  });

  test.each([
    [
      "counts those that are missing",
      { replicas: 3 },
      { unavailableReplicas: 1 },
      { desiredReplicas: 3, availableReplicas: 2 },
    ],
    [
      "misses more than there are to be",
      { replicas: 1 },
      { unavailableReplicas: 3 },
      { desiredReplicas: 1, availableReplicas: 0 },
    ],
    ["does not say how many there are to be", {}, { unavailableReplicas: 1 }, {}],
    ["has another name for what is up to date", {}, { updatedReplicas: 2 }, { upToDateReplicas: 2 }],
    ["does not count what the newer contract counts", {}, { availableReplicas: 2, upToDateReplicas: 2 }, {}],
  ])("where one of the older contract %s", (_, spec, status, found) => {
    expect(counted(spec, status, "v1beta1")).toEqual(found);
  });

  test("and what it does not count, or counts in another way, is left out", () => {
    expect(counted({}, {}, "v1beta2")).toEqual({});
    expect(
      counted({ replicas: "three" }, { replicas: 1.5, readyReplicas: null, availableReplicas: 2 }, "v1beta2"),
    ).toEqual({
      availableReplicas: 2,
    });
  });
});

test("Machines that are a control plane by themselves are counted one by one", () => {
  expect(controlPlaneMachineCounts([])).toEqual({});
  const up = ["Ready", "Available", "UpToDate"].map((type) => ({ type }));
  const machines = [aControlPlaneMachine("cp1", { conditions: up }), aControlPlaneMachine("cp2"), aMachine("w1")];
  expect(controlPlaneMachineCounts(machines)).toEqual({
    desiredReplicas: 2,
    replicas: 2,
    readyReplicas: 1,
    availableReplicas: 1,
    upToDateReplicas: 1,
  });
});

describe("workers are counted", () => {
  test("once, by whoever stands for them", () => {
    const all = only({
      machineDeployments: [
        aMachineDeployment("md1", { replicas: 3, status: counts }),
        aMachineDeployment("md2", { replicas: 2, status: { replicas: 1 } }),
      ],
      machineSets: [
        aMachineSet("md1-abc", { replicas: 3, status: counts }),
        aMachineSet("ms1", { replicas: 4, status: { replicas: 4, readyReplicas: 4 }, ...ownedByCluster }),
      ],
      machinePools: [aMachinePool("mp1", { replicas: 7, status: counts })],
      machines: [
        aMachine("md1-abc-1", { conditions: [{ type: "Ready" }] }),
        aMachine("w1", { conditions: [{ type: "Ready" }, { type: "UpToDate", status: "False" }], ...ownedByCluster }),
        aMachine("pooled", { labels: { "cluster.x-k8s.io/pool-name": "mp1" }, ...ownedByCluster }),
        aControlPlaneMachine("cp1", ownedByCluster),
      ],
    });
    expect(workerCounts(cluster, all)).toEqual({
      desiredReplicas: 10,
      replicas: 9,
      readyReplicas: 7,
      availableReplicas: 1,
      upToDateReplicas: 3,
    });
  });

  test("not at all where there are none", () => {
    expect(workerCounts(cluster, only({}))).toEqual({});
  });

  test("only as far as somebody counts them", () => {
    expect(workerCounts(cluster, only({ machineDeployments: [aMachineDeployment("md1")] }))).toEqual({});
  });
});
