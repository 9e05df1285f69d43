import { describe, expect, test } from "vitest";
import type { Cluster, ClusterClass } from "#api";
import { type FieldPath, invalid, type Json } from "#machinery";
import { errorsOf, lookupsWith, type ReviewCase, reviewCase } from "../test-review.ts";
import { clusterClassWebhook } from "./cluster-class.ts";

const reference = (kind: string, change: object = {}) => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
  kind,
  name: "t",
  ...change,
});
const worker = (name: string, change: Readonly<Record<string, Json>> = {}) => ({
  class: name,
  bootstrap: { templateRef: reference("ConfigTemplate") },
  infrastructure: { templateRef: reference("DevMachineTemplate") },
  ...change,
});
const clusterClass: ClusterClass = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "ClusterClass",
  metadata: { namespace: "default", name: "quick" },
  spec: {
    infrastructure: { templateRef: reference("DevClusterTemplate") },
    controlPlane: { templateRef: reference("PlaneTemplate") },
    workers: { machineDeployments: [worker("md")], machinePools: [worker("mp")] },
  },
};
const gates = ["ClusterTopology"] as const;
const spec = (change: Json) => ({ spec: change });
const deployments = (...classes: readonly Json[]) => ({ spec: { workers: { machineDeployments: classes } } });
const healthCheck = { checks: { nodeStartupTimeoutSeconds: 60 } };

const cluster = (name: string, topology: object = {}): Cluster => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { namespace: "default", name },
  spec: {
    topology: {
      classRef: { name: "quick" },
      version: "v1.34.1",
      workers: { machineDeployments: [{ class: "md", name: "md-0" }], machinePools: [{ class: "mp", name: "mp-0" }] },
      ...topology,
    },
  },
});
const usedBy = (...clusters: readonly Cluster[]) => ({ clustersUsing: () => Promise.resolve(clusters) });

describe("a ClusterClass is taken", () => {
  test.each<[string, ReviewCase]>([
    ["with templates", { gates, errors: [] }],
    [
      "with machines for the control plane and a check of them",
      {
        gates,
        change: spec({
          controlPlane: { machineInfrastructure: { templateRef: reference("DevMachineTemplate") }, healthCheck },
        }),
        errors: [],
      },
    ],
    [
      "with naming templates",
      {
        gates,
        change: {
          spec: {
            infrastructure: { naming: { template: "{{ .cluster.name }}-infra" } },
            controlPlane: { naming: { template: "{{ .cluster.name }}-{{ .random }}" } },
            ...deployments(worker("md", { naming: { template: "{{ .machineDeployment.topologyName }}" } })).spec,
          },
        },
        errors: [],
      },
    ],
    ["with versions", { gates, change: spec({ kubernetesVersions: ["v1.33.0", "v1.33.4", "v1.34.1"] }), errors: [] }],
    ["with a patch", { gates, change: spec({ patches: [{ name: "p", definitions: [] }] }), errors: [] }],
    [
      "with a patch of an extension",
      {
        gates: ["ClusterTopology", "RuntimeSDK"],
        change: spec({ patches: [{ name: "p", external: { generatePatchesExtension: "g.ext" } }] }),
        errors: [],
      },
    ],
    ["that has not changed", { gates, old: {}, lookups: usedBy(cluster("blue")), errors: [] }],
    [
      "that loses what nobody uses",
      {
        gates,
        old: deployments(worker("md"), worker("gpu", { healthCheck })),
        lookups: usedBy(cluster("blue")),
        errors: [],
      },
    ],
    [
      "with newer templates of the same kinds",
      {
        gates,
        old: spec({
          infrastructure: { templateRef: { apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1", name: "u" } },
        }),
        errors: [],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterClassWebhook, clusterClass, testCase))).toEqual([]);
  });
});

describe("a ClusterClass is refused", () => {
  test.each<[string, ReviewCase]>([
    [
      "while topologies are switched off",
      { errors: ["spec: Forbidden: can be set only if the ClusterTopology feature flag is enabled"] },
    ],
    [
      "with templates that are none",
      {
        gates,
        change: spec({
          infrastructure: { templateRef: { kind: "DevCluster" } },
          controlPlane: { templateRef: { kind: "Template" } },
          workers: {
            machineDeployments: [worker("md", { bootstrap: { templateRef: reference("Config") } })],
            machinePools: [worker("mp", { infrastructure: { templateRef: reference("Pool") } })],
          },
        }),
        errors: [
          'spec.infrastructure.ref.kind: Invalid value: "DevCluster": template kind must be of form "<name>Template"',
          'spec.controlPlane.ref.kind: Invalid value: "Template": template kind must be of form "<name>Template"',
          'spec.workers.machineDeployments[0].template.bootstrap.ref.kind: Invalid value: "Config": template kind must be of ' +
            'form "<name>Template"',
          'spec.workers.machinePools[0].template.infrastructure.ref.kind: Invalid value: "Pool": template kind must be of ' +
            'form "<name>Template"',
        ],
      },
    ],
    [
      "with a rollout that stands still",
      {
        gates,
        change: deployments(
          worker("md", {
            rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
          }),
        ),
        errors: [
          'spec.workers.machineDeployments[md].rollout.strategy.rollingUpdate: Invalid value: "0": maxUnavailable and ' +
            "maxSurge cannot both be 0",
        ],
      },
    ],
    [
      "with health checks that are wrong",
      {
        gates,
        change: {
          spec: {
            controlPlane: { healthCheck: { checks: { nodeStartupTimeoutSeconds: 1 } } },
            ...deployments(worker("md", { healthCheck: { remediation: { maxInFlight: "x" } } })).spec,
          },
        },
        errors: [
          "spec.controlPlane.healthCheck.checks.nodeStartupTimeoutSeconds: Invalid value: 1: must be at least 30s",
          "spec.controlPlane.healthCheck: Forbidden: can be only set if spec.controlPlane.machineInfrastructure is set",
          'spec.workers.machineDeployments[md].healthCheck.remediation.maxInFlight: Invalid value: "x": must be either an ' +
            "int or a percentage: invalid value for IntOrString: invalid type: string is not a percentage",
        ],
      },
    ],
    [
      "with naming templates that give no names",
      {
        gates,
        change: {
          spec: {
            infrastructure: { naming: { template: "{{ .cluster.name" } },
            controlPlane: { naming: { template: "{{ .machinePool.topologyName }}" } },
            workers: { machinePools: [worker("mp", { naming: { template: "-{{ .cluster.name }}" } })] },
          },
        },
        errors: [
          'spec.infrastructure.naming.template: Invalid value: "{{ .cluster.name": invalid InfraCluster name template: ' +
            'parsing template "{{ .cluster.name": unclosed action',
          'spec.controlPlane.naming.template: Invalid value: "{{ .machinePool.topologyName }}": invalid ControlPlane name ' +
            "template: rendering template: .machinePool.topologyName is not defined",
          expect.stringContaining(
            'spec.workers.machinePools[mp].naming.template: Invalid value: "-{{ .cluster.name }}": a lowercase RFC 1123 subdomain',
          ),
        ],
      },
    ],
    [
      "with variables that are wrong",
      {
        gates,
        lookups: {
          variables: {
            ...lookupsWith().variables,
            validateDefinitions: (_old, _new, at: FieldPath) => [
              invalid(at.key("zone").child("name"), "zone", "is taken"),
            ],
          },
        },
        errors: ['spec.variables[zone].name: Invalid value: "zone": is taken'],
      },
    ],
    [
      "with patches that say nothing, twice or too much",
      {
        gates,
        change: spec({ patches: [{ name: "p" }, { name: "p", definitions: [], external: {} }] }),
        errors: [
          "spec.patches[0]: Required value: one of definitions or external must be defined",
          'spec.patches[1].name: Invalid value: "p": patch names must be unique. Patch with name "p" is defined more than once',
          "spec.patches[1]: Invalid value: only one of definitions or external can be defined",
          "spec.patches[1].external: Forbidden: patch.external can be used only if the RuntimeSDK feature flag is enabled",
          "spec.patches[1].external: Invalid value: one of validateTopologyExtension and generatePatchesExtension must be defined",
        ],
      },
    ],
    [
      "with labels that are not allowed",
      {
        gates,
        change: {
          spec: {
            controlPlane: { metadata: { labels: { "/a": "b" } } },
            ...deployments(worker("md", { metadata: { annotations: { "/b": "c" } } })).spec,
          },
        },
        errors: [
          'spec.controlPlane.metadata.labels: Invalid value: "/a": prefix part must be non-empty',
          'spec.workers.machineDeployments[md].template.metadata.annotations: Invalid value: "/b": prefix part must be non-empty',
        ],
      },
    ],
    [
      "with taints while they are switched off",
      {
        gates,
        change: deployments(worker("md", { taints: [{ key: "a", effect: "NoSchedule", propagation: "Always" }] })),
        errors: [
          "spec.workers.machineDeployments[md].taints: Forbidden: taints are not allowed to be set when the feature gate " +
            "MachineTaintPropagation is disabled",
        ],
      },
    ],
    [
      "with versions that do not follow each other",
      {
        gates,
        change: spec({ kubernetesVersions: ["1.31", "v1.32.0", "v1.31.9", "v1.34.0"] }),
        errors: [
          'spec.kubernetesVersions[0]: Invalid value: "1.31": version must be a valid semantic version',
          'spec.kubernetesVersions[2]: Invalid value: "v1.31.9": version must be greater than v1.32.0',
          'spec.kubernetesVersions[3]: Invalid value: "v1.34.0": expecting a version with minor 31 or 32, found version with minor 34',
        ],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterClassWebhook, clusterClass, testCase))).toEqual(testCase.errors);
  });
});

describe("a ClusterClass that is used is refused", () => {
  test.each<[string, ReviewCase]>([
    [
      "with templates of other kinds",
      {
        gates,
        old: spec({
          infrastructure: { templateRef: { kind: "OldTemplate" } },
          controlPlane: { templateRef: { apiVersion: "a.b/v1" } },
          workers: {
            machineDeployments: [worker("md", { infrastructure: { templateRef: reference("OldTemplate") } })],
          },
        }),
        errors: [
          'spec.infrastructure.templateRef.kind: Forbidden: kind cannot be changed from "OldTemplate" to "DevClusterTemplate" ' +
            "to prevent incompatible changes in the Clusters",
          'spec.controlPlane.templateRef.apiVersion: Forbidden: group of apiVersion cannot be changed from "a.b" to ' +
            '"infrastructure.cluster.x-k8s.io" to prevent incompatible changes in the Clusters',
          "spec.workers.machineDeployments[0].infrastructure.templateRef.kind: Forbidden: kind cannot be changed from " +
            '"OldTemplate" to "DevMachineTemplate" to prevent incompatible changes in the Clusters',
        ],
      },
    ],
    [
      "without classes of workers that there are",
      {
        gates,
        change: spec({ workers: null }),
        old: {},
        lookups: usedBy(cluster("blue"), cluster("red", { workers: {} })),
        errors: [
          'spec.workers.machineDeployments: Forbidden: MachineDeploymentClass "md" cannot be deleted because it is used by ' +
            'Cluster "blue"',
          'spec.workers.machinePools: Forbidden: MachinePoolClass "mp" cannot be deleted because it is used by Cluster "blue"',
        ],
      },
    ],
    [
      "without health checks that Clusters rely on",
      {
        gates,
        old: {
          spec: { controlPlane: { healthCheck }, ...deployments(worker("md", { healthCheck })).spec },
        },
        lookups: usedBy(
          cluster("blue", { controlPlane: { healthCheck: { enabled: true } } }),
          cluster("red", {
            controlPlane: { healthCheck: { enabled: true } },
            workers: { machineDeployments: [{ class: "md", name: "md-0", healthCheck: { enabled: true } }] },
          }),
          cluster("own", { controlPlane: { healthCheck: { enabled: true, ...healthCheck } } }),
        ),
        errors: [
          'spec.controlPlane.healthCheck: Forbidden: healthCheck cannot be deleted because it is used by Cluster(s) "blue,red"',
          "spec.workers.machineDeployments[md].healthCheck: Forbidden: healthCheck cannot be deleted because it is used by " +
            'Cluster(s) "red"',
        ],
      },
    ],
    [
      "without the version of a Cluster",
      {
        gates,
        change: spec({ kubernetesVersions: ["v1.33.0"] }),
        old: {},
        lookups: usedBy(cluster("blue")),
        errors: [
          'spec.kubernetesVersions: Forbidden: version v1.34.1 must be listed because it is used by Cluster "blue"',
        ],
      },
    ],
    [
      "with an autoscaler for workers whose replicas are set",
      {
        gates,
        change: deployments(
          worker("md", {
            metadata: { annotations: { "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "1" } },
          }),
        ),
        old: {},
        lookups: usedBy(
          cluster("blue", { workers: { machineDeployments: [{ class: "md", name: "md-0", replicas: 3 }] } }),
        ),
        errors: [
          'spec.topology.workers.machineDeployments[md-0].replicas: Invalid value: 3: cannot be set for cluster "blue" in ' +
            'namespace "default" if the source class "md" of this MachineDeploymentTopology has autoscaler annotations',
        ],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(clusterClassWebhook, clusterClass, testCase))).toEqual(testCase.errors);
  });
});

test("two classes of workers with one name are refused, also where the schema was not asked", async () => {
  const twice = {
    ...clusterClass,
    spec: { ...clusterClass.spec, workers: { machineDeployments: [worker("md"), worker("md")] } },
  };
  const lookups = lookupsWith({ gates: { ...lookupsWith().gates, ClusterTopology: true } });
  const errors = await clusterClassWebhook.validate(undefined, twice, lookups);
  expect(errorsOf({ kind: "refused", errors })).toEqual([
    'spec.workers.machineDeployments[1].class: Invalid value: "md": MachineDeployment class must be unique. ' +
      'MachineDeployment with class "md" is defined more than once',
  ]);
});

test.each([
  [[], undefined],
  [["blue"], "ClusterClass cannot be deleted because it is used by Cluster(s): default/blue"],
  [
    ["a", "b", "c", "d", "e"],
    "ClusterClass cannot be deleted because it is used by Cluster(s): default/a, default/b, default/c, ... (2 more)",
  ],
])("a ClusterClass used by %j may be deleted unless: %s", async (names, why) => {
  const lookups = lookupsWith(usedBy(...names.map((name) => cluster(name))));
  expect(await clusterClassWebhook.refuseDelete?.(clusterClass, lookups)).toBe(why);
});
