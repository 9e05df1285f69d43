import type {
  Cluster,
  ClusterClass,
  ClusterResourceSet,
  ClusterResourceSetBinding,
  DevCluster,
  DevClusterTemplate,
  DevMachine,
  DevMachineTemplate,
  ExtensionConfig,
  IPAddress,
  IPAddressClaim,
  Machine,
  MachineDeployment,
  MachineDrainRule,
  MachineHealthCheck,
  MachinePool,
  MachineSet,
  MachineSpec,
} from "#api";
import { parseTimestamp } from "#base";
import type { KubeObject } from "#machinery";

const core = "cluster.x-k8s.io/v1beta2";
const addons = "addons.cluster.x-k8s.io/v1beta2";
const ipam = "ipam.cluster.x-k8s.io/v1beta2";
const infrastructure = "infrastructure.cluster.x-k8s.io/v1beta2";
const metadata = { namespace: "default", name: "blue" };
const infrastructureApiGroup = "infrastructure.cluster.x-k8s.io";

const machineSpec: MachineSpec = {
  clusterName: "blue",
  bootstrap: { dataSecretName: "" },
  infrastructureRef: { apiGroup: infrastructureApiGroup, kind: "DevMachine", name: "blue" },
  version: "v1.34.1",
  providerID: "in-memory://blue",
  minReadySeconds: 0,
  readinessGates: [{ conditionType: "example.com/Fine", polarity: "Negative" }],
  deletion: { nodeDrainTimeoutSeconds: 10 },
  taints: [{ key: "example.com/gpu", value: "yes", effect: "NoSchedule", propagation: "Always" }],
};
const matchLabels = { "cluster.x-k8s.io/cluster-name": "blue" };

const cluster: Cluster = {
  apiVersion: core,
  kind: "Cluster",
  metadata,
  spec: {
    paused: true,
    clusterNetwork: { pods: { cidrBlocks: ["192.168.0.0/16"] }, services: { cidrBlocks: ["10.0.0.0/8"] } },
    controlPlaneEndpoint: { host: "example.com", port: 6443 },
    topology: {
      classRef: { name: "quick-start", namespace: "classes" },
      version: "v1.34.1",
      controlPlane: {
        replicas: 3,
        rollout: { after: parseTimestamp("2026-01-01T00:00:00Z") },
        healthCheck: {
          enabled: true,
          checks: { unhealthyMachineConditions: [{ type: "NodeReady", status: "Unknown", timeoutSeconds: 60 }] },
          remediation: { triggerIf: { unhealthyLessThanOrEqualTo: "40%" } },
        },
      },
      workers: {
        machineDeployments: [
          {
            class: "default-worker",
            name: "md-0",
            deletion: { order: "Oldest" },
            rollout: { strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } } },
            variables: { overrides: [{ name: "zone", value: { name: "a", tags: [1, true, null] } }] },
          },
        ],
        machinePools: [{ class: "default-pool", name: "mp-0", failureDomains: ["a", "b"] }],
      },
      variables: [
        { name: "zone", value: { name: "b", tags: [] } },
        { name: "count", value: 3 },
      ],
    },
  },
};

const clusterClass: ClusterClass = {
  apiVersion: core,
  kind: "ClusterClass",
  metadata,
  spec: {
    infrastructure: { templateRef: { apiVersion: infrastructure, kind: "DevClusterTemplate", name: "blue" } },
    controlPlane: {
      templateRef: {
        apiVersion: "controlplane.cluster.x-k8s.io/v1beta2",
        kind: "KubeadmControlPlaneTemplate",
        name: "blue",
      },
      machineInfrastructure: {
        templateRef: { apiVersion: infrastructure, kind: "DevMachineTemplate", name: "blue" },
      },
      naming: { template: "{{ .cluster.name }}-{{ .random }}" },
    },
    kubernetesVersions: ["v1.33.0", "v1.34.1"],
    variables: [
      {
        name: "zone",
        required: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { name: { type: "string" } },
            "x-kubernetes-validations": [{ rule: "self.name != ''", reason: "FieldValueRequired" }],
          },
        },
      },
    ],
    patches: [
      {
        name: "zone",
        definitions: [
          {
            selector: {
              apiVersion: infrastructure,
              kind: "DevClusterTemplate",
              matchResources: { infrastructureCluster: true },
            },
            jsonPatches: [{ op: "add", path: "/spec/template/spec/zone", valueFrom: { variable: "zone.name" } }],
          },
        ],
      },
    ],
  },
};

const machine: Machine = { apiVersion: core, kind: "Machine", metadata, spec: machineSpec };

const machineSet: MachineSet = {
  apiVersion: core,
  kind: "MachineSet",
  metadata,
  spec: {
    clusterName: "blue",
    replicas: 2,
    selector: { matchLabels },
    template: { metadata: { labels: matchLabels }, spec: machineSpec },
    machineNaming: { template: "{{ .machineSet.name }}-{{ .random }}" },
    deletion: { order: "Newest" },
  },
};

const machineDeployment: MachineDeployment = {
  apiVersion: core,
  kind: "MachineDeployment",
  metadata,
  spec: {
    clusterName: "blue",
    replicas: 2,
    rollout: { strategy: { type: "OnDelete" } },
    selector: { matchExpressions: [{ key: "cluster.x-k8s.io/cluster-name", operator: "Exists" }] },
    template: { metadata: { labels: matchLabels }, spec: machineSpec },
    remediation: { maxInFlight: 1 },
    paused: false,
  },
};

const machinePool: MachinePool = {
  apiVersion: core,
  kind: "MachinePool",
  metadata,
  spec: {
    clusterName: "blue",
    template: { spec: machineSpec },
    providerIDList: ["in-memory://0"],
    failureDomains: ["a"],
  },
};

const machineHealthCheck: MachineHealthCheck = {
  apiVersion: core,
  kind: "MachineHealthCheck",
  metadata,
  spec: {
    clusterName: "blue",
    selector: { matchLabels },
    checks: { nodeStartupTimeoutSeconds: 600 },
    remediation: { triggerIf: { unhealthyInRange: "[3-5]" } },
  },
};

const machineDrainRule: MachineDrainRule = {
  apiVersion: core,
  kind: "MachineDrainRule",
  metadata,
  spec: {
    drain: { behavior: "Drain", order: -1 },
    machines: [{ selector: {} }, { clusterSelector: { matchLabels } }],
    pods: [{ namespaceSelector: { matchLabels } }],
  },
};

const extensionConfig: ExtensionConfig = {
  apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
  kind: "ExtensionConfig",
  metadata: { name: "blue" },
  spec: {
    clientConfig: { service: { namespace: "default", name: "blue", port: 443 }, caBundle: "Y2E=" },
    namespaceSelector: {},
    settings: { color: "blue" },
  },
};

const clusterResourceSet: ClusterResourceSet = {
  apiVersion: addons,
  kind: "ClusterResourceSet",
  metadata,
  spec: { clusterSelector: { matchLabels }, resources: [{ kind: "ConfigMap", name: "blue" }], strategy: "Reconcile" },
};

const clusterResourceSetBinding: ClusterResourceSetBinding = {
  apiVersion: addons,
  kind: "ClusterResourceSetBinding",
  metadata,
  spec: {
    clusterName: "blue",
    bindings: [{ clusterResourceSetName: "blue", resources: [{ kind: "Secret", name: "blue", applied: true }] }],
  },
};

const poolRef = { apiGroup: "ipam.example.com", kind: "Pool", name: "blue" };

const ipAddress: IPAddress = {
  apiVersion: ipam,
  kind: "IPAddress",
  metadata,
  spec: { claimRef: { name: "blue" }, poolRef, address: "10.0.0.7", prefix: 24, gateway: "10.0.0.1" },
};

const ipAddressClaim: IPAddressClaim = {
  apiVersion: ipam,
  kind: "IPAddressClaim",
  metadata,
  spec: { clusterName: "blue", poolRef },
};

const devCluster: DevCluster = {
  apiVersion: infrastructure,
  kind: "DevCluster",
  metadata,
  spec: { backend: { inMemory: {} }, controlPlaneEndpoint: { host: "10.0.0.1", port: 20000 } },
};

const devClusterTemplate: DevClusterTemplate = {
  apiVersion: infrastructure,
  kind: "DevClusterTemplate",
  metadata,
  spec: {
    template: {
      metadata: { labels: { color: "blue" } },
      spec: { backend: { docker: { failureDomains: [{ name: "a", controlPlane: true }] } } },
    },
  },
};

const provisioning = { startupDuration: "10s", startupJitter: "0.2" };

const devMachine: DevMachine = {
  apiVersion: infrastructure,
  kind: "DevMachine",
  metadata,
  spec: { providerID: "in-memory://blue", backend: { inMemory: { vm: { provisioning }, node: { provisioning } } } },
};

const devMachineTemplate: DevMachineTemplate = {
  apiVersion: infrastructure,
  kind: "DevMachineTemplate",
  metadata,
  spec: { template: { spec: { backend: { docker: { extraMounts: [{ hostPath: "/a", containerPath: "/b" }] } } } } },
};

/** One object of each kind that a server has to take as it is. */
export const validObjects: readonly KubeObject[] = [
  cluster,
  clusterClass,
  machine,
  machineSet,
  machineDeployment,
  machinePool,
  machineHealthCheck,
  machineDrainRule,
  extensionConfig,
  clusterResourceSet,
  clusterResourceSetBinding,
  ipAddress,
  ipAddressClaim,
  devCluster,
  devClusterTemplate,
  devMachine,
  devMachineTemplate,
];
