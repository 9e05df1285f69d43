/** The labels that Cluster API gives a meaning. */
export const labels = {
  /** The Cluster that an object or Secret belongs to. */
  clusterName: "cluster.x-k8s.io/cluster-name",
  /** The provider that a component or CustomResourceDefinition belongs to. */
  provider: "cluster.x-k8s.io/provider",
  /** Which manager watches the object, for managers that watch only some. */
  watchFilter: "cluster.x-k8s.io/watch-filter",
  /** Control plane Machines and what belongs to them; the value is empty. */
  controlPlane: "cluster.x-k8s.io/control-plane",
  /** The owner by name, or by a hash of the name if it is longer than 63 characters. */
  controlPlaneName: "cluster.x-k8s.io/control-plane-name",
  setName: "cluster.x-k8s.io/set-name",
  deploymentName: "cluster.x-k8s.io/deployment-name",
  poolName: "cluster.x-k8s.io/pool-name",
  /** Tells the MachineSets of one MachineDeployment apart. */
  machineTemplateHash: "machine-template-hash",
  /** Nodes whose machines can be taken away at any time. */
  interruptible: "cluster.x-k8s.io/interruptible",
  /** On Pods: `skip` or `wait-completed`. */
  drain: "cluster.x-k8s.io/drain",
  /** Made from a topology; the value is empty. */
  topologyOwned: "topology.cluster.x-k8s.io/owned",
  /** The name within the topology. */
  topologyDeploymentName: "topology.cluster.x-k8s.io/deployment-name",
  topologyPoolName: "topology.cluster.x-k8s.io/pool-name",
  /** Belongs to clusterctl's inventory. */
  clusterctl: "clusterctl.cluster.x-k8s.io",
  clusterctlCore: "clusterctl.cluster.x-k8s.io/core",
  /** On CustomResourceDefinitions: objects are moved, or moved with everything that they own. */
  clusterctlMove: "clusterctl.cluster.x-k8s.io/move",
  clusterctlMoveHierarchy: "clusterctl.cluster.x-k8s.io/move-hierarchy",
  /** The machine of a pool of the development provider. */
  devMachinePool: "dev.cluster.x-k8s.io/machine-pool",
  dockerMachinePool: "docker.cluster.x-k8s.io/machine-pool",
} as const;

/** The domains whose labels are copied from a Machine to its Node, as they are and as parents of others. */
export const nodeLabelDomains = {
  nodeRole: "node-role.kubernetes.io",
  nodeRestriction: "node-restriction.kubernetes.io",
  managedNode: "node.cluster.x-k8s.io",
} as const;

/** The taints that Cluster API itself puts on Nodes. */
export const nodeTaints = {
  /** Set at bootstrap, until the labels of the Machine are on the Node. */
  uninitialized: { key: "node.cluster.x-k8s.io/uninitialized", effect: "NoSchedule" },
  /** On Nodes of old MachineSets during a rollout. */
  outdatedRevision: { key: "node.cluster.x-k8s.io/outdated-revision", effect: "PreferNoSchedule" },
} as const;
