import { describe, expect, test } from "vitest";
import type { Cluster, ClusterClass } from "#api";
import { FieldPath, invalid, type Json } from "#machinery";
import { errorsOf, type ReviewCase, reviewCase } from "../test-review.ts";
import { clusterWebhook } from "./cluster.ts";
import { classes, cluster, clusterClass, gates, known, plain, reference, topology } from "./test-cluster.ts";

describe("a Cluster without a topology", () => {
  test.each<[string, ReviewCase]>([
    ["with infrastructure", { errors: [] }],
    ["that has not changed", { old: {}, errors: [] }],
    [
      "with networks",
      {
        change: {
          spec: {
            clusterNetwork: { pods: { cidrBlocks: ["10.0.0.0/8", "fd00::/8"] }, services: { cidrBlocks: ["::/0"] } },
          },
        },
        errors: [],
      },
    ],
  ])("is taken %s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterWebhook, plain, testCase))).toEqual([]);
  });

  test.each<[string, ReviewCase]>([
    [
      "with a name that is no label",
      {
        change: { metadata: { name: "a".repeat(64) } },
        errors: [
          `metadata.name: Invalid value: "${"a".repeat(64)}": must be a valid label value must be no more than 63 bytes`,
        ],
      },
    ],
    [
      "that is made of nothing",
      {
        change: { spec: { infrastructureRef: null, paused: true } },
        errors: ["spec: Forbidden: one of spec.controlPlaneRef, spec.infrastructureRef or spec.topology must be set"],
      },
    ],
    [
      "that forgets its infrastructure",
      {
        change: { spec: { infrastructureRef: null, controlPlaneRef: { apiGroup: "a.b", kind: "Plane", name: "c" } } },
        old: {},
        errors: ["spec.infrastructureRef: Forbidden: cannot be removed"],
      },
    ],
    [
      "that forgets its control plane",
      {
        old: { spec: { controlPlaneRef: { apiGroup: "a.b", kind: "Plane", name: "c" } } },
        errors: ["spec.controlPlaneRef: Forbidden: cannot be removed"],
      },
    ],
    [
      "that forgets its topology",
      {
        old: { spec: { topology: { classRef: { name: "quick" }, version: "v1.34.1" } } },
        errors: ["spec.topology: Forbidden: cannot be removed from an existing Cluster"],
      },
    ],
    [
      "with address ranges that are none",
      {
        change: {
          spec: {
            clusterNetwork: {
              pods: { cidrBlocks: ["10.0.0.0/8", "10.0.0.0/33", "10.0.0.0"] },
              services: { cidrBlocks: ["fe80::1%eth0/64", "10.0.0.0/8/8"] },
            },
          },
        },
        errors: [
          'spec.clusterNetwork.pods.cidrBlocks[1]: Invalid value: "10.0.0.0/33": invalid CIDR address: 10.0.0.0/33',
          'spec.clusterNetwork.pods.cidrBlocks[2]: Invalid value: "10.0.0.0": invalid CIDR address: 10.0.0.0',
          'spec.clusterNetwork.services.cidrBlocks[0]: Invalid value: "fe80::1%eth0/64": invalid CIDR address: fe80::1%eth0/64',
          'spec.clusterNetwork.services.cidrBlocks[1]: Invalid value: "10.0.0.0/8/8": invalid CIDR address: 10.0.0.0/8/8',
        ],
      },
    ],
  ])("is refused %s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterWebhook, plain, testCase))).toEqual(testCase.errors);
  });
});

describe("a topology is taken", () => {
  test.each<[string, ReviewCase]>([
    ["by itself", { ...known, errors: [] }],
    ["without a class that is there", { gates, errors: [] }],
    ["that upgrades at a pace", { ...known, change: { metadata: upgradeConcurrency("3") }, errors: [] }],
    [
      "with a version of the class",
      { gates, lookups: classes({ spec: { kubernetesVersions: ["v1.34.1"] } }), errors: [] },
    ],
    ["with replicas", { ...known, change: workers({ replicas: 3 }), errors: [] }],
    [
      "with a health check of the class",
      {
        gates,
        lookups: classes({ spec: { workers: null } }),
        change: topology({ workers: null, controlPlane: { healthCheck: { enabled: false } } }),
        errors: [],
      },
    ],
    [
      "with a health check of its own",
      {
        gates,
        lookups: classes({
          spec: { controlPlane: { machineInfrastructure: { templateRef: reference("DevMachineTemplate") } } },
        }),
        change: topology({
          controlPlane: { healthCheck: { enabled: true, checks: { nodeStartupTimeoutSeconds: 60 } } },
        }),
        errors: [],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterWebhook, cluster, testCase))).toEqual([]);
  });
});

describe("a topology is refused", () => {
  test.each<[string, ReviewCase]>([
    [
      "while topologies are switched off",
      { errors: ["spec.topology: Forbidden: can be set only if the ClusterTopology feature flag is enabled"] },
    ],
    [
      "with a version that is none",
      {
        ...known,
        change: topology({ version: "1.34" }),
        errors: ['spec.topology.version: Invalid value: "v1.34": version must be a valid semantic version'],
      },
    ],
    [
      "with a version that the class does not allow",
      {
        gates,
        lookups: classes({ spec: { kubernetesVersions: ["v1.33.0"] } }),
        errors: [
          'spec.topology.version: Invalid value: "v1.34.1": version must match one of the versions defined in the ClusterClass',
        ],
      },
    ],
    [
      "with labels that are not allowed",
      {
        ...known,
        change: topology({
          controlPlane: { metadata: { labels: { "/a": "b" } } },
          ...workers({ metadata: { annotations: { "/b": "c" } } }).spec.topology,
        }),
        errors: [
          'spec.topology.controlPlane.metadata.labels: Invalid value: "/a": prefix part must be non-empty',
          'spec.topology.workers.machineDeployments[md].metadata.annotations: Invalid value: "/b": prefix part must be non-empty',
        ],
      },
    ],
    [
      "with a rollout that stands still",
      {
        ...known,
        change: workers({
          rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
        }),
        errors: [
          "spec.topology.workers.machineDeployments[md].rollout.strategy.rollingUpdate: " +
            'Invalid value: "0": maxUnavailable and maxSurge cannot both be 0',
        ],
      },
    ],
    [
      "with taints while they are switched off",
      {
        ...known,
        change: topology({ controlPlane: { taints: [{ key: "a", effect: "NoSchedule", propagation: "Always" }] } }),
        errors: [
          "spec.topology.controlPlane.taints: Forbidden: taints are not allowed to be set when the feature gate " +
            "MachineTaintPropagation is disabled",
        ],
      },
    ],
    [
      "that upgrades at a pace that is no number",
      {
        ...known,
        change: { metadata: upgradeConcurrency("fast") },
        errors: [
          'metadata.annotations.topology.cluster.x-k8s.io/upgrade-concurrency: Invalid value: "fast": could not parse the ' +
            'value of the annotation: strconv.Atoi: parsing "fast": invalid syntax',
        ],
      },
    ],
    [
      "that never upgrades",
      {
        ...known,
        change: { metadata: upgradeConcurrency("0") },
        errors: [
          'metadata.annotations.topology.cluster.x-k8s.io/upgrade-concurrency: Invalid value: "0": value cannot be less than 1',
        ],
      },
    ],
    [
      "with classes of workers that there are not",
      {
        ...known,
        change: topology({
          workers: {
            machineDeployments: [{ class: "gpu", name: "md" }],
            machinePools: [{ class: "spot", name: "mp" }],
          },
        }),
        errors: [
          'spec.topology.workers.machineDeployments[0].class: Invalid value: "gpu": MachineDeploymentClass with name "gpu" ' +
            'does not exist in ClusterClass "quick"',
          'spec.topology.workers.machinePools[0].class: Invalid value: "spot": MachinePoolClass with name "spot" ' +
            'does not exist in ClusterClass "quick"',
        ],
      },
    ],
    [
      "with health checks that nobody defines",
      {
        ...known,
        change: topology({
          controlPlane: { healthCheck: { enabled: true } },
          ...workers({ healthCheck: { enabled: true } }).spec.topology,
        }),
        errors: [
          "spec.topology.controlPlane.healthCheck.enable: Forbidden: cannot be set to true as healthCheck definition is not " +
            "available in the Cluster topology or the ClusterClass",
          "spec.topology.workers.machineDeployments[md].healthCheck.enable: Forbidden: cannot be set to true as healthCheck " +
            "definition is not available in the Cluster topology or the ClusterClass",
        ],
      },
    ],
    [
      "with health checks that are wrong",
      {
        ...known,
        change: topology({
          controlPlane: { healthCheck: { checks: { nodeStartupTimeoutSeconds: 1 } } },
          ...workers({ healthCheck: { remediation: { maxInFlight: "some" } } }).spec.topology,
        }),
        errors: [
          "spec.topology.controlPlane.healthCheck: Forbidden: can be only set if spec.controlPlane.machineInfrastructure is " +
            "set in ClusterClass",
          "spec.topology.controlPlane.healthCheck.checks.nodeStartupTimeoutSeconds: Invalid value: 1: must be at least 30s",
          'spec.topology.workers.machineDeployments[md].healthCheck.remediation.maxInFlight: Invalid value: "some": must be ' +
            "either an int or a percentage: invalid value for IntOrString: invalid type: string is not a percentage",
        ],
      },
    ],
    [
      "with replicas for an autoscaler",
      {
        gates,
        lookups: {
          clusterClass: () => Promise.resolve(classWithAutoscaledWorkers()),
        },
        change: workers({ replicas: 3, metadata: { annotations: autoscaled } }),
        errors: [
          'spec.topology.workers.machineDeployments[md].replicas: Invalid value: 3: cannot be set for cluster "blue" in ' +
            'namespace "default" if the same MachineDeploymentTopology has autoscaler annotations',
          'spec.topology.workers.machineDeployments[md].replicas: Invalid value: 3: cannot be set for cluster "blue" in ' +
            'namespace "default" if the source class "worker" of this MachineDeploymentTopology has autoscaler annotations',
        ],
      },
    ],
    [
      "with variables that are wrong",
      {
        gates,
        lookups: {
          ...classes(),
          variables: {
            validateDefinitions: () => [],
            fillIn: (_old, filled) => ({
              cluster: filled,
              errors: [invalid(FieldPath.of("spec", "topology", "variables").key("zone"), "x", "no such zone")],
            }),
          },
        },
        errors: ['spec.topology.variables[zone]: Invalid value: "x": no such zone'],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterWebhook, cluster, testCase))).toEqual(testCase.errors);
  });
});

describe("the class of a topology", () => {
  const refers = "Cluster refers to ClusterClass default/quick, but this ClusterClass";

  test.each<[string, ReviewCase, readonly string[]]>([
    ["is fine", { ...known, errors: [] }, []],
    [
      "is missing",
      { gates, errors: [] },
      [
        `${refers} does not exist. Cluster topology has not been fully validated. ` +
          "The ClusterClass must be created to reconcile the Cluster",
      ],
    ],
    [
      "is not reconciled yet",
      { gates, lookups: classes({ metadata: { generation: 2 } }), errors: [] },
      [
        `${refers} hasn't been successfully reconciled. Cluster topology has not been fully validated. ` +
          "Please take a look at the ClusterClass status",
      ],
    ],
  ])("%s", async (_name, testCase, warnings) => {
    expect(await reviewCase(clusterWebhook, cluster, testCase)).toMatchObject({ kind: "taken", warnings });
  });

  test("gives variables their defaults, once it is reconciled", async () => {
    const fillIn = (_old: Cluster | undefined, filled: Cluster) => ({
      cluster: { ...filled, metadata: { ...filled.metadata, labels: { filled: "in" } } },
      errors: [],
    });
    const variables = { validateDefinitions: () => [], fillIn };
    const labels = async (change: Json) => {
      const taken = await reviewCase(clusterWebhook, cluster, {
        gates,
        lookups: { ...classes(change), variables },
        errors: [],
      });
      return taken.kind === "taken" ? taken.object.metadata.labels : taken;
    };
    expect(await labels({})).toEqual({ filled: "in" });
    expect(await labels({ status: { observedGeneration: 7 } })).toBeUndefined();
    expect(await labels({ status: { conditions: null } })).toBeUndefined();
  });
});

test("a version gets a v, and a topology without a class says so", async () => {
  const taken = await reviewCase(clusterWebhook, cluster, {
    ...known,
    change: topology({ version: "1.34.1" }),
    errors: [],
  });
  expect(taken).toMatchObject({ kind: "taken", object: { spec: { topology: { version: "v1.34.1" } } } });
  const refused = await reviewCase(clusterWebhook, cluster, {
    ...known,
    change: topology({ classRef: null }),
    errors: [],
  });
  expect(errorsOf(refused)).toEqual(["spec.topology.classRef.name: Required value: cannot be empty"]);
});

const autoscaled = { "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "3" };

function upgradeConcurrency(value: string) {
  return { annotations: { "topology.cluster.x-k8s.io/upgrade-concurrency": value } };
}

function workers(change: Readonly<Record<string, Json>>) {
  return { spec: { topology: { workers: { machineDeployments: [{ class: "worker", name: "md", ...change }] } } } };
}

function classWithAutoscaledWorkers(): ClusterClass {
  const machineDeployments = (clusterClass.spec.workers?.machineDeployments ?? []).map((worker) => ({
    ...worker,
    metadata: { annotations: autoscaled },
  }));
  return {
    ...clusterClass,
    spec: { ...clusterClass.spec, workers: { ...clusterClass.spec.workers, machineDeployments } },
  };
}
