import { Cluster, MachineDeployment, MachinePool, MachineSet } from "#api";
import { seconds } from "#base";
import { expect, test } from "vitest";
import {
  aCluster,
  aControlPlane,
  aControlPlaneMachine,
  aGroup,
  aMachine,
  aMachineDeployment,
  anInfrastructure,
  ownedBy,
} from "./cluster-objects.ts";
import { allTold, clusterWorld, told } from "./cluster-world.ts";

const aWhole = () => [aCluster("c1"), anInfrastructure("c1"), aControlPlane("c1")];

test("workers are available when every group of them says so", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(...aWhole());
  await world.settle();
  expect(await told(world, "WorkersAvailable")).toEqual(["no-workers", "True", "NoWorkers", ""]);

  await world.apply(aMachineDeployment("md1", "c1"));
  await world.settle();
  const silent = "* MachineDeployment md1: Condition Available not yet reported";
  expect(await told(world, "WorkersAvailable")).toEqual(["unknown", "Unknown", "AvailableUnknown", silent]);

  const missing = { type: "Available", status: "False", message: "0 available replicas, at least 1 required" } as const;
  await world.apply(aMachineDeployment("md1", "c1", missing));
  await world.settle();
  const short = "* MachineDeployment md1: 0 available replicas, at least 1 required";
  expect(await told(world, "WorkersAvailable")).toEqual(["not-available", "False", "NotAvailable", short]);

  await world.apply(aMachineDeployment("md1", "c1", { type: "Available" }));
  await world.settle();
  expect(await told(world, "WorkersAvailable")).toEqual(["available", "True", "Available", ""]);
});

test("groups that are scaled are named, those of a MachineDeployment once", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(...aWhole());
  await world.settle();
  expect(await allTold(world, "ScalingUp", "ScalingDown")).toEqual({
    ScalingUp: ["no-sources", "False", "NotScalingUp", ""],
    ScalingDown: ["no-sources", "False", "NotScalingDown", ""],
  });

  const owners = ownedBy(await world.get(Cluster, "c1"));
  await world.apply(
    aMachineDeployment("md1", "c1"),
    aGroup(MachineSet, "md1-abc", "c1"),
    aGroup(MachineSet, "ms1", "c1", { ownerReferences: owners }),
  );
  await world.settle();
  const silent = (type: string) =>
    [
      `* MachineDeployment md1: Condition ${type} not yet reported`,
      `* MachineSet ms1: Condition ${type} not yet reported`,
    ].join("\n");
  expect(await allTold(world, "ScalingUp", "ScalingDown")).toEqual({
    ScalingUp: ["unknown", "Unknown", "ScalingUpUnknown", silent("ScalingUp")],
    ScalingDown: ["unknown", "Unknown", "ScalingDownUnknown", silent("ScalingDown")],
  });

  const up = { type: "ScalingUp", message: "Scaling up from 0 to 1 replicas" };
  const down = { type: "ScalingDown", message: "Scaling down from 2 to 1 replicas" };
  await world.apply(
    aControlPlane("c1", up),
    aMachineDeployment("md1", "c1", up, { ...down, status: "False", message: "" }),
    aGroup(MachineSet, "ms1", "c1", { ownerReferences: owners, conditions: [down, { ...up, status: "False" }] }),
  );
  await world.settle();
  const ups = [
    "* MachineDeployment md1: Scaling up from 0 to 1 replicas",
    "* TestControlPlane c1: Scaling up from 0 to 1 replicas",
  ];
  expect(await allTold(world, "ScalingUp", "ScalingDown")).toEqual({
    ScalingUp: ["scaling-up", "True", "ScalingUp", ups.join("\n")],
    ScalingDown: ["scaling-down", "True", "ScalingDown", "* MachineSet ms1: Scaling down from 2 to 1 replicas"],
  });

  const done = ["ScalingUp", "ScalingDown"].map((type) => ({ type, status: "False" }) as const);
  await world.apply(
    aControlPlane("c1"),
    aMachineDeployment("md1", "c1", ...done),
    aGroup(MachineSet, "ms1", "c1", { ownerReferences: owners, conditions: done }),
  );
  await world.settle();
  expect(await allTold(world, "ScalingUp", "ScalingDown")).toEqual({
    ScalingUp: ["not-scaling-up", "False", "NotScalingUp", ""],
    ScalingDown: ["not-scaling-down", "False", "NotScalingDown", ""],
  });
});

test("Machines say together whether they are ready and up to date, those of pools left out", async (t) => {
  await using world = await clusterWorld(t);
  const types = [
    "ControlPlaneMachinesReady",
    "WorkerMachinesReady",
    "ControlPlaneMachinesUpToDate",
    "WorkerMachinesUpToDate",
  ];
  await world.apply(...aWhole(), aMachine("pooled", "c1", { labels: { "cluster.x-k8s.io/pool-name": "mp1" } }));
  await world.settle();
  const none = ["no-replicas", "True", "NoReplicas", ""];
  expect(await allTold(world, ...types)).toEqual(Object.fromEntries(types.map((type) => [type, none])));

  // New Machines have ten seconds until it counts that they do not say whether they are up to date.
  await world.apply(aControlPlaneMachine("cp1", "c1"), aMachine("w1", "c1"));
  await world.settle();
  const unready = (name: string) => [
    "unknown",
    "Unknown",
    "ReadyUnknown",
    `* Machine ${name}: Condition Ready not yet reported`,
  ];
  expect(await allTold(world, ...types)).toEqual({
    ControlPlaneMachinesReady: unready("cp1"),
    WorkerMachinesReady: unready("w1"),
    ControlPlaneMachinesUpToDate: none,
    WorkerMachinesUpToDate: none,
  });
  await world.advance(seconds(15));
  const undated = (name: string) => [
    "unknown",
    "Unknown",
    "UpToDateUnknown",
    `* Machine ${name}: Condition UpToDate not yet reported`,
  ];
  expect(await allTold(world, ...types)).toMatchObject({
    ControlPlaneMachinesUpToDate: undated("cp1"),
    WorkerMachinesUpToDate: undated("w1"),
  });

  const bad = [
    { type: "Ready", status: "False", message: "* NodeHealthy: gone" },
    { type: "UpToDate", status: "False", message: "* Version v1.29.0, v1.30.0 required" },
  ] as const;
  await world.apply(aControlPlaneMachine("cp1", "c1", { conditions: bad }), aMachine("w1", "c1", { conditions: bad }));
  await world.settle();
  const notReady = (name: string) => ["not-ready", "False", "NotReady", `* Machine ${name}:\n  * NodeHealthy: gone`];
  const outdated = (name: string) => [
    "not-up-to-date",
    "False",
    "NotUpToDate",
    `* Machine ${name}:\n  * Version v1.29.0, v1.30.0 required`,
  ];
  expect(await allTold(world, ...types)).toEqual({
    ControlPlaneMachinesReady: notReady("cp1"),
    WorkerMachinesReady: notReady("w1"),
    ControlPlaneMachinesUpToDate: outdated("cp1"),
    WorkerMachinesUpToDate: outdated("w1"),
  });

  const good = [{ type: "Ready" }, { type: "UpToDate" }];
  await world.apply(
    aControlPlaneMachine("cp1", "c1", { conditions: good }),
    aMachine("w1", "c1", { conditions: good }),
  );
  await world.settle();
  expect(await allTold(world, ...types)).toEqual({
    ControlPlaneMachinesReady: ["ready", "True", "Ready", ""],
    WorkerMachinesReady: ["ready", "True", "Ready", ""],
    ControlPlaneMachinesUpToDate: ["up-to-date", "True", "UpToDate", ""],
    WorkerMachinesUpToDate: ["up-to-date", "True", "UpToDate", ""],
  });
});

test("Machines that are not healthy are named, and those that are remediated too", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(...aWhole());
  await world.settle();
  expect(await told(world, "Remediating")).toEqual(["not-remediating", "False", "NotRemediating", ""]);

  const sick = { type: "HealthCheckSucceeded", status: "False", message: "no answer" } as const;
  const pooled = { conditions: [sick], labels: { "cluster.x-k8s.io/pool-name": "mp1" } };
  await world.apply(aMachine("w1", "c1", { conditions: [sick] }), aMachine("w0", "c1", pooled));
  await world.settle();
  const one = "Machine w1 is not healthy (not to be remediated)";
  expect(await told(world, "Remediating")).toEqual(["unhealthy", "False", "NotRemediating", one]);

  await world.apply(...["w5", "w4", "w3", "w2"].map((name) => aMachine(name, "c1", { conditions: [sick] })));
  await world.settle();
  const many = "Machines w1, w2, w3, ... (2 more) are not healthy (not to be remediated)";
  expect(await told(world, "Remediating")).toEqual(["unhealthy", "False", "NotRemediating", many]);

  const waits = { type: "OwnerRemediated", status: "False", message: "Waiting for remediation" } as const;
  await world.apply(aMachine("w2", "c1", { conditions: [sick, waits] }));
  await world.settle();
  const remediated = "* Machine w2: Waiting for remediation";
  expect(await told(world, "Remediating")).toEqual(["remediating", "True", "Remediating", remediated]);
});

test("machines are counted once, by whoever stands for them", async (t) => {
  await using world = await clusterWorld(t);
  await world.apply(...aWhole());
  await world.settle();
  expect((await world.get(Cluster, "c1")).status?.workers).toEqual({});

  const owners = ownedBy(await world.get(Cluster, "c1"));
  const counts = { replicas: 3, readyReplicas: 2, availableReplicas: 2, upToDateReplicas: 1 };
  await world.apply(
    aGroup(MachineDeployment, "md1", "c1", { replicas: 3, status: counts }),
    aGroup(MachineSet, "md1-abc", "c1", { replicas: 3, status: counts }),
    aGroup(MachineSet, "ms1", "c1", { replicas: 1, status: { replicas: 1 }, ownerReferences: owners }),
    aGroup(MachinePool, "mp1", "c1", { replicas: 7, status: { replicas: 7 } }),
    aMachine("md1-abc-1", "c1", { conditions: [{ type: "Ready" }] }),
    aMachine("w1", "c1", { conditions: [{ type: "Ready" }, { type: "UpToDate" }], ownerReferences: owners }),
  );
  await world.settle();
  expect((await world.get(Cluster, "c1")).status?.workers).toEqual({
    desiredReplicas: 5,
    replicas: 5,
    readyReplicas: 3,
    availableReplicas: 2,
    upToDateReplicas: 2,
  });
});
