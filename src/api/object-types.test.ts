import { describe, expect, expectTypeOf, test } from "vitest";
import type { Timestamp } from "#base";
import type { Json, KubeObject } from "#machinery";
import { Cluster } from "./cluster/cluster.ts";
import type { ClusterVariable } from "./cluster/topology.ts";
import type { ConditionTypeOf } from "./condition-reasons.ts";
import type { DevCluster } from "./dev-cluster.ts";
import type { FeatureGates } from "./feature-gates.ts";
import type { Machine } from "./machine.ts";
import type { MachineDeployment } from "./machine-deployment.ts";
import type { MachineSpec } from "./shapes/machine.ts";
import type { ContractReference } from "./shapes/references.ts";

const head = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: { name: "blue" } } as const;
const topology = { classRef: { name: "quick-start" }, version: "v1.34.1" };

describe("the type of a Cluster", () => {
  test("takes what the schema takes", () => {
    const cluster: Cluster = { ...head, spec: { topology } };
    expectTypeOf(cluster).toExtend<KubeObject>();
    expectTypeOf<Cluster["apiVersion"]>().toEqualTypeOf<"cluster.x-k8s.io/v1beta2">();
    expectTypeOf<ClusterVariable>().toEqualTypeOf<{ readonly name: string; readonly value: Json }>();
    expectTypeOf<NonNullable<Cluster["spec"]["controlPlaneRef"]>>().toEqualTypeOf<ContractReference>();
    expect(Cluster.is(cluster)).toBe(true);
  });

  test("refuses what the schema refuses", () => {
    const clusters: readonly Cluster[] = [
      // @ts-expect-error -- a wrong field
      { ...head, spec: { topologie: topology } },
      // @ts-expect-error -- a wrong field deep inside
      { ...head, spec: { topology: { ...topology, workers: { machineDeployments: [{ klass: "a", name: "b" }] } } } },
      // @ts-expect-error -- a required field is missing
      { ...head, spec: { topology: { classRef: { name: "quick-start" } } } },
      // @ts-expect-error -- spec is missing
      { ...head },
      // @ts-expect-error -- a wrong word
      { ...head, spec: {}, status: { phase: "Ready" } },
      // @ts-expect-error -- a wrong type
      { ...head, spec: { paused: "true" } },
      // @ts-expect-error -- another version
      { ...head, apiVersion: "cluster.x-k8s.io/v1beta1", spec: {} },
      // @ts-expect-error -- absent is absent
      { ...head, spec: { topology: undefined } },
    ];
    expect(clusters).toHaveLength(8);
  });

  test("cannot be written to", () => {
    const write = (cluster: Cluster) => {
      // @ts-expect-error -- data is never changed in place
      cluster.spec.paused = true;
    };
    expect(write).toBeTypeOf("function");
  });
});

test("kinds that share a shape share its type", () => {
  expectTypeOf<Machine["spec"]>().toEqualTypeOf<MachineSpec>();
  expectTypeOf<MachineDeployment["spec"]["template"]["spec"]>().toEqualTypeOf<MachineSpec>();
});

test("what an API server leaves out is optional", () => {
  expectTypeOf<DevCluster["spec"]>().extract<undefined>().toEqualTypeOf<undefined>();
  expectTypeOf<NonNullable<Machine["status"]>["lastUpdated"]>().toEqualTypeOf<Timestamp | undefined>();
});

test("a condition of Cluster API is one that the conditions room works with", () => {
  type Conditions = NonNullable<NonNullable<Machine["status"]>["conditions"]>;
  expectTypeOf<Conditions[number]["status"]>().toEqualTypeOf<"True" | "False" | "Unknown">();
  expectTypeOf<ConditionTypeOf<"ClusterClass">>().toEqualTypeOf<"VariablesReady" | "RefVersionsUpToDate" | "Paused">();
});

test("every gate has to be given", () => {
  // @ts-expect-error -- the others are missing
  const gates: FeatureGates = { MachinePool: true };
  expect(gates.MachinePool).toBe(true);
});
