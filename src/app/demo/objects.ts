import type { Timestamp } from "#base";
import type { KubeObject } from "#machinery";

const core = "cluster.x-k8s.io/v1beta2";
const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta2";
const name = "demo";
const clusterLabel = { "cluster.x-k8s.io/cluster-name": name };

const template = { apiVersion: infrastructure, kind: "DevClusterTemplate", name };

/** A class with a variable of its own and a patch that an extension knows about, and the template that it names. */
export const classObjects: readonly KubeObject[] = [
  object(infrastructure, "DevClusterTemplate", name, { spec: { template: { spec: { backend: { inMemory: {} } } } } }),
  object(core, "ClusterClass", name, {
    spec: {
      infrastructure: { templateRef: template },
      // Nobody makes anything of the class here, so that any template will do.
      controlPlane: { templateRef: template },
      variables: [
        { name: "replicas", required: false, schema: { openAPIV3Schema: { type: "integer", default: 1, minimum: 1 } } },
      ],
      patches: [
        {
          name: "machines",
          external: { discoverVariablesExtension: "variables.demo", generatePatchesExtension: "patches.demo" },
        },
      ],
    },
  }),
];

/** A Cluster of one control plane Machine and two workers. */
export const clusterObjects: readonly KubeObject[] = [
  object(core, "Cluster", name, {
    spec: {
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevCluster", name },
    },
  }),
  object(infrastructure, "DevCluster", name, { spec: { backend: { inMemory: {} } } }),
  ...machine(`${name}-control-plane`, { "cluster.x-k8s.io/control-plane": "" }),
  ...machine(`${name}-worker-1`),
  ...machine(`${name}-worker-2`),
];

const deployment = object(core, "MachineDeployment", `${name}-workers`, {
  spec: {
    clusterName: name,
    replicas: 0,
    selector: { matchLabels: clusterLabel },
    template: {
      metadata: { labels: clusterLabel },
      spec: {
        clusterName: name,
        bootstrap: { dataSecretName: "demo-bootstrap" },
        infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachineTemplate", name },
      },
    },
  },
});

/** A MachineDeployment that is rolling out, and one that has done so. */
export const rollout = {
  object: { ...deployment, metadata: { ...deployment.metadata, labels: clusterLabel } },
  going: reporting("True", "RollingOut", "Rolling out 1 not up-to-date replicas"),
  done: reporting("False", "NotRollingOut", ""),
};

function reporting(status: string, reason: string, message: string): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a time as the server stores it
  const lastTransitionTime = "2025-01-15T12:00:00Z" as Timestamp;
  const { apiVersion, kind, metadata } = deployment;
  return {
    apiVersion,
    kind,
    metadata,
    status: {
      conditions: [
        { type: "RollingOut", status, reason, message, lastTransitionTime },
        { type: "Available", status: "True", reason: "Available", message: "", lastTransitionTime },
      ],
    },
  };
}

function machine(machineName: string, labels: Readonly<Record<string, string>> = {}): readonly KubeObject[] {
  return [
    object(
      core,
      "Machine",
      machineName,
      {
        spec: {
          clusterName: name,
          version: "v1.35.0",
          bootstrap: { dataSecretName: "demo-bootstrap" },
          infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name: machineName },
        },
      },
      { ...clusterLabel, ...labels },
    ),
    object(infrastructure, "DevMachine", machineName, { spec: { backend: { inMemory: {} } } }),
  ];
}

function object(
  apiVersion: string,
  kind: string,
  objectName: string,
  rest: object,
  labels?: Readonly<Record<string, string>>,
): KubeObject {
  return { apiVersion, kind, metadata: { name: objectName, ...(labels === undefined ? {} : { labels }) }, ...rest };
}
