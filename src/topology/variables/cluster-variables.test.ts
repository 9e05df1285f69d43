import type { Cluster, ClusterClass, ClusterClassStatusVariable } from "#api";
import { describeFieldError } from "#machinery";
import { expect, test } from "vitest";
import { fillInCluster } from "./cluster-variables.ts";

const cpu: ClusterClassStatusVariable = {
  name: "cpu",
  definitions: [
    { from: "inline", required: true, schema: { openAPIV3Schema: { type: "integer", default: 1, minimum: 1 } } },
  ],
};

function classWith(...variables: readonly ClusterClassStatusVariable[]): ClusterClass {
  const template = { templateRef: { apiVersion: "a/v1", kind: "T", name: "t" } };
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "ClusterClass",
    metadata: { namespace: "default", name: "class1" },
    spec: { infrastructure: template, controlPlane: template },
    status: { variables },
  };
}

function clusterWith(topology: Partial<NonNullable<Cluster["spec"]["topology"]>>): Cluster {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { namespace: "default", name: "blue" },
    spec: { topology: { classRef: { name: "class1" }, version: "v1.34.1", ...topology } },
  };
}

const overriding = (value: number) => ({ overrides: [{ name: "cpu", value }] });

test("a Cluster gets the defaults of its class, and its overrides stay what they are", () => {
  const workers = { machineDeployments: [{ class: "w", name: "md", variables: overriding(8) }] };
  const { cluster, errors } = fillInCluster(undefined, clusterWith({ workers }), classWith(cpu));
  expect(errors).toEqual([]);
  expect(cluster.spec.topology).toMatchObject({ variables: [{ name: "cpu", value: 1 }], workers });
});

test("a Cluster without a topology is left alone", () => {
  const cluster: Cluster = { ...clusterWith({}), spec: {} };
  expect(fillInCluster(undefined, cluster, classWith(cpu))).toEqual({ cluster, errors: [] });
});

test("what is wrong is said with its place, part after part", () => {
  const cluster = clusterWith({
    variables: [{ name: "gpu", value: 1 }],
    controlPlane: { variables: overriding(0) },
    workers: {
      machineDeployments: [
        { class: "w", name: "a" },
        { class: "w", name: "b", variables: overriding(-1) },
      ],
      machinePools: [{ class: "w", name: "c", variables: overriding(-2) }],
    },
  });
  const tooSmall = "should be greater than or equal to 1";
  expect(fillInCluster(undefined, cluster, classWith(cpu)).errors.map(describeFieldError)).toEqual([
    'spec.topology.variables[gpu]: Invalid value: "1": variable is not defined',
    'spec.topology.variables: Required value: required variable "cpu" must be set',
    'spec.topology.variables[gpu]: Invalid value: "1": variable is not defined',
    `spec.topology.controlPlane.variables.overrides[cpu].value: Invalid value: "0": ${tooSmall}`,
    `spec.topology.workers.machineDeployments[b].variables.overrides[cpu].value: Invalid value: "-1": ${tooSmall}`,
    `spec.topology.workers.machinePools[c].variables.overrides[cpu].value: Invalid value: "-2": ${tooSmall}`,
  ]);
});

test("a change is measured by what each part had before", () => {
  const grows: ClusterClassStatusVariable = {
    name: "cpu",
    definitions: [
      {
        from: "inline",
        required: false,
        schema: { openAPIV3Schema: { type: "integer", "x-kubernetes-validations": [{ rule: "self >= oldSelf" }] } },
      },
    ],
  };
  const withPool = (value: number) =>
    clusterWith({ workers: { machinePools: [{ class: "w", name: "c", variables: overriding(value) }] } });
  const { errors } = fillInCluster(withPool(4), withPool(3), classWith(grows));
  expect(errors.map(describeFieldError)).toEqual([
    'spec.topology.workers.machinePools[c].variables.overrides[cpu].value: Invalid value: "3": failed rule: self >= oldSelf',
  ]);
});
