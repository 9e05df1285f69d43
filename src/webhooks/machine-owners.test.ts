import { describe, expect, test } from "vitest";
import type { MachineDeployment, MachinePool, MachineSet, MachineSpec } from "#api";
import type { Json, KubeObject } from "#machinery";
import { machineDeploymentWebhook } from "./machine-deployment.ts";
import { machinePoolWebhook } from "./machine-pool.ts";
import { machineSetWebhook } from "./machine-set.ts";
import { errorsOf, type ReviewCase, reviewCase } from "./test-review.ts";
import type { Webhook } from "./webhook.ts";

const metadata = { namespace: "default", name: "workers" };
const spec: MachineSpec = {
  clusterName: "blue",
  bootstrap: { dataSecretName: "data" },
  infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachineTemplate", name: "m" },
};
const apiVersion = "cluster.x-k8s.io/v1beta2";
const machineSet: MachineSet = {
  apiVersion,
  kind: "MachineSet",
  metadata,
  spec: { clusterName: "blue", selector: {}, template: { spec } },
};
const machineDeployment: MachineDeployment = {
  apiVersion,
  kind: "MachineDeployment",
  metadata,
  spec: { clusterName: "blue", selector: {}, template: { spec } },
};
const machinePool: MachinePool = {
  apiVersion,
  kind: "MachinePool",
  metadata,
  spec: { clusterName: "blue", template: { spec } },
};

const owners: readonly (readonly [string, Webhook, KubeObject])[] = [
  ["MachineSet", machineSetWebhook, machineSet],
  ["MachineDeployment", machineDeploymentWebhook, machineDeployment],
  ["MachinePool", machinePoolWebhook, machinePool],
];

const sizes = (least: string, most: string) => ({
  metadata: {
    annotations: {
      "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": least,
      "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": most,
    },
  },
});
const template = (change: Json) => ({ spec: { template: { spec: change } } });

describe.each(owners)("a %s", (_kind, webhook, valid) => {
  test("is taken as it is, and when it has not changed", async () => {
    expect(errorsOf(await reviewCase(webhook, valid, { errors: [] }))).toEqual([]);
    expect(errorsOf(await reviewCase(webhook, valid, { old: {}, errors: [] }))).toEqual([]);
  });

  test.each<[string, ReviewCase]>([
    [
      "without bootstrap data",
      {
        change: template({ bootstrap: { dataSecretName: null } }),
        errors: [
          "spec.template.spec.bootstrap: Required value: expected either spec.template.spec.bootstrap.dataSecretName or " +
            "spec.template.spec.bootstrap.configRef to be populated",
        ],
      },
    ],
    [
      "in another Cluster than before",
      {
        old: { spec: { clusterName: "red", template: { spec: { clusterName: "red" } } } },
        errors: ["spec.clusterName: Forbidden: field is immutable"],
      },
    ],
    [
      "whose machines belong to another Cluster",
      {
        change: template({ clusterName: "red" }),
        errors: [
          'spec.clusterName: Invalid value: "blue": spec.clusterName and spec.template.spec.clusterName must be set to the same value',
        ],
      },
    ],
    [
      "with a version that is none",
      {
        change: template({ version: "latest" }),
        errors: ['spec.template.spec.version: Invalid value: "vlatest": must be a valid semantic version'],
      },
    ],
    [
      "with annotations that are not allowed",
      {
        change: { spec: { template: { metadata: { annotations: { "/a": "b" } } } } },
        errors: ['spec.template.metadata.annotations: Invalid value: "/a": prefix part must be non-empty'],
      },
    ],
    [
      "whose autoscaler has a least size that is no number",
      {
        change: sizes("few", "3"),
        errors: [
          "metadata.annotations.cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size: Invalid value: " +
            '"few": could not parse the value of the annotation: strconv.ParseInt: parsing "few": invalid syntax',
        ],
      },
    ],
    [
      "whose autoscaler has a greatest size that is no number",
      {
        change: sizes("1", "99999999999"),
        errors: [
          "metadata.annotations.cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size: Invalid value: " +
            '"99999999999": could not parse the value of the annotation: strconv.ParseInt: parsing "99999999999": value out of range',
        ],
      },
    ],
  ])("is refused %s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(webhook, valid, testCase))).toEqual(testCase.errors);
  });

  test.each<[string, ReviewCase, number]>([
    ["the one that is set", { change: { spec: { replicas: 7 }, ...sizes("1", "3") }, errors: [] }, 7],
    ["none at all if that is set", { change: { spec: { replicas: 0 } }, errors: [] }, 0],
    ["one if nobody says", { errors: [] }, 1],
    ["one if the autoscaler has only one bound", { change: { metadata: { annotations: { a: "b" } } }, errors: [] }, 1],
    ["the autoscaler's least at first", { change: sizes("2", "5"), errors: [] }, 2],
    ["the least after fewer", { change: sizes("2", "5"), old: { spec: { replicas: 1 } }, errors: [] }, 2],
    ["the greatest after more", { change: sizes("2", "5"), old: { spec: { replicas: 9 } }, errors: [] }, 5],
    ["what there was within the bounds", { change: sizes("2", "5"), old: { spec: { replicas: 4 } }, errors: [] }, 4],
    ["the least where nothing was set before", { change: sizes("2", "5"), old: {}, errors: [] }, 2],
  ])("has as many replicas: %s", async (_name, testCase, replicas) => {
    const taken = await reviewCase(webhook, valid, testCase);
    expect(taken).toMatchObject({ kind: "taken", object: { spec: { replicas } } });
  });

  test("gets the label of its Cluster and machines with a v", async () => {
    const taken = await reviewCase(webhook, valid, { change: template({ version: "1.34.1" }), errors: [] });
    expect(taken).toMatchObject({
      kind: "taken",
      object: {
        metadata: { labels: { "cluster.x-k8s.io/cluster-name": "blue" } },
        spec: { template: { spec: { version: "v1.34.1" } } },
      },
    });
  });

  test.each([
    ["without a spec", { spec: null }],
    ["without a template", { spec: { template: null } }],
    ["with a template of another type", { spec: { template: "m" } }],
  ])("%s is left to the schema", async (_name, change) => {
    expect(await reviewCase(webhook, valid, { change, errors: [] })).toEqual({ kind: "unfit" });
  });
});

const selecting = owners.slice(0, 2);

describe.each(selecting)("a %s", (_kind, webhook, valid) => {
  test.each<[string, ReviewCase]>([
    [
      "with a selector that is none",
      {
        change: { spec: { selector: { matchExpressions: [{ key: "a", operator: "Is", values: ["b"] }] } } },
        errors: [
          expect.stringMatching(/^spec\.selector: Invalid value: \{.*\}: "Is" is not a valid label selector operator$/),
        ],
      },
    ],
    [
      "that leaves out a check that there is not",
      {
        change: {
          metadata: { annotations: { "machineset.cluster.x-k8s.io/skip-preflight-checks": "All, Most,None" } },
        },
        errors: [
          'metadata.annotations.machineset.cluster.x-k8s.io/skip-preflight-checks: Invalid value: ["Most","None"]: ' +
            "skipped preflight check(s) must be among: [All ControlPlaneIsStable ControlPlaneVersionSkew " +
            "KubeadmVersionSkew KubernetesVersionSkew]",
        ],
      },
    ],
    [
      "whose machines all have the same name",
      {
        change: { spec: { machineNaming: { template: "{{ .machineSet.name }}" } } },
        errors: [
          'spec.machineNaming.template: Invalid value: "{{ .machineSet.name }}": invalid template, {{ .random }} is missing',
        ],
      },
    ],
    [
      "whose machines have names that are none",
      {
        change: { spec: { machineNaming: { template: "M_{{ .random }}" } } },
        errors: [
          expect.stringContaining(
            'spec.machineNaming.template: Invalid value: "M_{{ .random }}": invalid template, generated names would not be ' +
              "valid Kubernetes object names: a lowercase RFC 1123 subdomain must consist of",
          ),
        ],
      },
    ],
    [
      "with a naming template that does not end",
      {
        change: { spec: { machineNaming: { template: "{{ .random }}-{{ .x" } } },
        errors: [
          'spec.machineNaming.template: Invalid value: "{{ .random }}-{{ .x": invalid template: ' +
            'parsing template "{{ .random }}-{{ .x": unclosed action',
        ],
      },
    ],
    [
      "with a naming template that names nothing",
      {
        change: { spec: { machineNaming: { template: "{{ .random }}-{{ .pool.name }}" } } },
        errors: [
          'spec.machineNaming.template: Invalid value: "{{ .random }}-{{ .pool.name }}": invalid template: ' +
            "rendering template: .pool.name is not defined",
        ],
      },
    ],
    [
      "with taints for control planes",
      {
        gates: ["MachineTaintPropagation"],
        change: template({
          taints: [{ key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule", propagation: "Always" }],
        }),
        errors: [
          'spec.template.spec.taints[0].key: Invalid value: "node-role.kubernetes.io/control-plane": ' +
            "taint is not allowed for worker Machines",
        ],
      },
    ],
  ])("is refused %s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(webhook, valid, testCase))).toEqual(testCase.errors);
  });

  test.each<[string, ReviewCase]>([
    [
      "that leaves out checks that there are",
      {
        change: {
          metadata: {
            annotations: { "machineset.cluster.x-k8s.io/skip-preflight-checks": "ControlPlaneIsStable, All" },
          },
        },
        errors: [],
      },
    ],
    [
      "that leaves out anything while there are no checks",
      {
        gatesOff: ["MachineSetPreflightChecks"],
        change: { metadata: { annotations: { "machineset.cluster.x-k8s.io/skip-preflight-checks": "Most" } } },
        errors: [],
      },
    ],
    [
      "with a naming template",
      { change: { spec: { machineNaming: { template: "{{ .cluster.name }}-{{ .random }}" } } }, errors: [] },
    ],
    [
      "with a naming template that computes something",
      {
        change: { spec: { machineNaming: { template: '{{ .random }}-{{ printf "%s" .cluster.name }}' } } },
        errors: [],
      },
    ],
    [
      "with a selector that its machines match",
      {
        change: { spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "b" } } } } },
        errors: [],
      },
    ],
  ])("is taken %s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(webhook, valid, testCase))).toEqual([]);
  });
});

describe("a MachineSet", () => {
  test("selects its Machines by its name where it has no selector", async () => {
    const named = { "cluster.x-k8s.io/set-name": "workers" };
    expect(
      await reviewCase(machineSetWebhook, machineSet, { change: { spec: { selector: null } }, errors: [] }),
    ).toMatchObject({
      kind: "taken",
      object: { spec: { selector: { matchLabels: named }, template: { metadata: { labels: named } } } },
    });
  });

  test("is refused with a selector that its machines do not match", async () => {
    const change = { spec: { selector: { matchLabels: { a: "b" } }, template: { metadata: { labels: { a: "c" } } } } };
    expect(errorsOf(await reviewCase(machineSetWebhook, machineSet, { change, errors: [] }))).toEqual([
      'spec.template.metadata.labels: Invalid value: {"a":"c"}: must match spec.selector "a=b"',
    ]);
  });
});

describe("a MachineDeployment", () => {
  test("gets a selector and a strategy", async () => {
    const change = { spec: { selector: null } };
    const selected = {
      "cluster.x-k8s.io/cluster-name": "blue",
      "cluster.x-k8s.io/deployment-name": "workers",
    };
    expect(await reviewCase(machineDeploymentWebhook, machineDeployment, { change, errors: [] })).toEqual({
      kind: "taken",
      warnings: [],
      object: {
        ...machineDeployment,
        metadata: { ...metadata, labels: { "cluster.x-k8s.io/cluster-name": "blue" } },
        spec: {
          clusterName: "blue",
          replicas: 1,
          selector: { matchLabels: selected },
          template: { metadata: { labels: selected }, spec },
          rollout: {
            strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
          },
        },
      },
    });
  });

  test.each([
    [{ type: "OnDelete" }, { type: "OnDelete" }],
    [
      { rollingUpdate: { maxSurge: "10%" } },
      { type: "RollingUpdate", rollingUpdate: { maxSurge: "10%", maxUnavailable: 0 } },
    ],
  ])("with the strategy %j has %j", async (strategy, expected) => {
    const change = { spec: { rollout: { strategy } } };
    const taken = await reviewCase(machineDeploymentWebhook, machineDeployment, { change, errors: [] });
    expect(taken).toMatchObject({ kind: "taken", object: { spec: { rollout: { strategy: expected } } } });
  });

  const rolling = (rollingUpdate: Json) => ({
    spec: { rollout: { strategy: { type: "RollingUpdate", rollingUpdate } } },
  });

  test.each<[string, ReviewCase]>([
    [
      "with a name that is no label",
      {
        change: { metadata: { name: "a".repeat(64) } },
        errors: [
          `metadata.name: Invalid value: "${"a".repeat(64)}": must be a valid label value: must be no more than 63 bytes`,
        ],
      },
    ],
    [
      "with a selector that its machines do not match",
      {
        change: { spec: { selector: { matchLabels: { a: "b" } } } },
        errors: [
          'spec.template.metadata.labels: Forbidden: must match spec.selector "a=b,cluster.x-k8s.io/cluster-name=blue"',
        ],
      },
    ],
    [
      "with limits that are neither numbers nor percentages",
      {
        change: {
          spec: {
            ...rolling({ maxSurge: "x%", maxUnavailable: "few" }).spec,
            remediation: { maxInFlight: "some" },
          },
        },
        errors: [
          'spec.rollout.strategy.rollingUpdate.maxUnavailable: Invalid value: "few": must be either an int or a percentage: ' +
            "invalid value for IntOrString: invalid type: string is not a percentage",
          'spec.rollout.strategy.rollingUpdate.maxSurge: Invalid value: "x%": must be either an int or a percentage: ' +
            'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax',
          'spec.remediation.maxInFlight: Invalid value: "some": must be either an int or a percentage: ' +
            "invalid value for IntOrString: invalid type: string is not a percentage",
        ],
      },
    ],
    [
      "that could never replace a machine",
      {
        change: rolling({ maxSurge: 0, maxUnavailable: 0 }),
        errors: [
          'spec.rollout.strategy.rollingUpdate: Invalid value: "0": maxUnavailable and maxSurge cannot both be 0',
        ],
      },
    ],
  ])("is refused %s", async (_name, testCase) => {
    const outcome = await reviewCase(machineDeploymentWebhook, machineDeployment, testCase);
    expect(errorsOf(outcome)).toEqual(testCase.errors);
  });

  test("is taken with percentages", async () => {
    const change = {
      spec: { ...rolling({ maxSurge: "0%", maxUnavailable: "25%" }).spec, remediation: { maxInFlight: 2 } },
    };
    const outcome = await reviewCase(machineDeploymentWebhook, machineDeployment, { change, errors: [] });
    expect(errorsOf(outcome)).toEqual([]);
  });
});

describe("a MachinePool", () => {
  test("gets a limit for deleting Nodes", async () => {
    expect(await reviewCase(machinePoolWebhook, machinePool, { errors: [] })).toMatchObject({
      kind: "taken",
      object: { spec: { template: { spec: { deletion: { nodeDeletionTimeoutSeconds: 10 } } } } },
    });
  });

  test.each<[string, ReviewCase]>([
    [
      "while pools are switched off",
      {
        gatesOff: ["MachinePool"],
        errors: ["spec: Forbidden: can be set only if the MachinePool feature flag is enabled"],
      },
    ],
    [
      "with taints",
      {
        change: template({ taints: [{ key: "a", effect: "NoSchedule", propagation: "Always" }] }),
        errors: [
          "spec.taints: Forbidden: taints feature for MachinePools is not yet implemented",
          "spec.taints: Forbidden: taints are not allowed to be set when the feature gate MachineTaintPropagation is disabled",
        ],
      },
    ],
  ])("is refused %s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(machinePoolWebhook, machinePool, testCase))).toEqual(testCase.errors);
  });
});
