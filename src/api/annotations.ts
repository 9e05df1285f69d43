/** The annotations that Cluster API gives a meaning. */
export const annotations = {
  /** On any object: stop reconciling; the value does not matter. */
  paused: "cluster.x-k8s.io/paused",
  /** On infrastructure clusters: somebody else manages it. */
  managedBy: "cluster.x-k8s.io/managed-by",
  /** On MachinePools: an autoscaler of the infrastructure owns the replicas. */
  replicasManagedBy: "cluster.x-k8s.io/replicas-managed-by",
  /** The bounds of the autoscaler; replicas that are not set get their default from them. */
  autoscalerMinSize: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size",
  autoscalerMaxSize: "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size",
  /** On Machines: delete this one first. */
  deleteMachine: "cluster.x-k8s.io/delete-machine",
  /** On MachineSets: create no Machines. */
  disableMachineCreate: "cluster.x-k8s.io/disable-machine-create",
  /** On Machines: health checks leave it alone, or have it remediated now. */
  skipRemediation: "cluster.x-k8s.io/skip-remediation",
  remediateMachine: "cluster.x-k8s.io/remediate-machine",
  /** On clones: the template that they were made from. */
  clonedFromName: "cluster.x-k8s.io/cloned-from-name",
  clonedFromGroupKind: "cluster.x-k8s.io/cloned-from-groupkind",
  /** On Nodes: whom they belong to. */
  clusterName: "cluster.x-k8s.io/cluster-name",
  clusterNamespace: "cluster.x-k8s.io/cluster-namespace",
  machine: "cluster.x-k8s.io/machine",
  ownerKind: "cluster.x-k8s.io/owner-kind",
  ownerName: "cluster.x-k8s.io/owner-name",
  /** On Nodes: what was copied from the Machine. */
  labelsFromMachine: "cluster.x-k8s.io/labels-from-machine",
  annotationsFromMachine: "cluster.x-k8s.io/annotations-from-machine",
  taintsFromMachine: "cluster.x-k8s.io/taints-from-machine",
  /** What an older version cannot hold, kept through a conversion. */
  conversionData: "cluster.x-k8s.io/conversion-data",
  /** On CustomResourceDefinitions: the generation that was migrated. */
  crdMigrationObservedGeneration: "crd-migration.cluster.x-k8s.io/observed-generation",
  /** On Machines: leave out steps of the deletion. */
  excludeNodeDraining: "machine.cluster.x-k8s.io/exclude-node-draining",
  excludeWaitForNodeVolumeDetach: "machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach",
  /** When the certificates of a control plane machine expire. */
  certificatesExpiry: "machine.cluster.x-k8s.io/certificates-expiry",
  /** On MachineSets and MachineDeployments: the preflight checks to leave out. */
  skipPreflightChecks: "machineset.cluster.x-k8s.io/skip-preflight-checks",
  /** On MachineSets: bookkeeping of rollouts. */
  revision: "machinedeployment.clusters.x-k8s.io/revision",
  revisionHistory: "machinedeployment.clusters.x-k8s.io/revision-history",
  desiredReplicas: "machinedeployment.clusters.x-k8s.io/desired-replicas",
  maxReplicas: "machinedeployment.clusters.x-k8s.io/max-replicas",
  /** On Machines and MachineSets: bookkeeping of updates in place. */
  updateInProgress: "in-place-updates.internal.cluster.x-k8s.io/update-in-progress",
  pendingAcknowledgeMove: "in-place-updates.internal.cluster.x-k8s.io/pending-acknowledge-move",
  acknowledgedMove: "in-place-updates.internal.cluster.x-k8s.io/acknowledged-move",
  moveMachinesToMachineSet: "in-place-updates.internal.cluster.x-k8s.io/move-machines-to-machineset",
  receiveMachinesFromMachineSets: "in-place-updates.internal.cluster.x-k8s.io/receive-machines-from-machinesets",
  /** In dry runs of the topology controller only. */
  topologyDryRun: "topology.cluster.x-k8s.io/dry-run",
  /** On workers of a topology: upgrade later. */
  deferUpgrade: "topology.cluster.x-k8s.io/defer-upgrade",
  holdUpgradeSequence: "topology.cluster.x-k8s.io/hold-upgrade-sequence",
  /** On Clusters: how many MachineDeployments are upgraded at once. */
  upgradeConcurrency: "topology.cluster.x-k8s.io/upgrade-concurrency",
  /** The version of the current step of an upgrade. */
  upgradeStep: "topology.internal.cluster.x-k8s.io/upgrade-step",
  /** On Clusters: switch checks off. */
  unsafeClassNameCheck: "unsafe.topology.cluster.x-k8s.io/disable-update-class-name-check",
  unsafeVersionCheck: "unsafe.topology.cluster.x-k8s.io/disable-update-version-check",
  /** On ExtensionConfigs: the Secret with certificate authorities, as namespace/name. */
  injectCaFromSecret: "runtime.cluster.x-k8s.io/inject-ca-from-secret",
  /** On Clusters: bookkeeping of hooks. */
  pendingHooks: "runtime.cluster.x-k8s.io/pending-hooks",
  okToDelete: "runtime.cluster.x-k8s.io/ok-to-delete",
  /** On KubeadmControlPlanes and their Machines. */
  skipCoreDns: "controlplane.cluster.x-k8s.io/skip-coredns",
  skipKubeProxy: "controlplane.cluster.x-k8s.io/skip-kube-proxy",
  remediationInProgress: "controlplane.cluster.x-k8s.io/remediation-in-progress",
  remediationFor: "controlplane.cluster.x-k8s.io/remediation-for",
  kubeadmClusterConfiguration: "controlplane.cluster.x-k8s.io/kubeadm-cluster-configuration",
  /** For clusterctl. */
  blockMove: "clusterctl.cluster.x-k8s.io/block-move",
  deleteForMove: "clusterctl.cluster.x-k8s.io/delete-for-move",
  skipCrdNamePreflightCheck: "clusterctl.cluster.x-k8s.io/skip-crd-name-preflight-check",
  /** State of the simulation. */
  listener: "inmemorycluster.infrastructure.cluster.x-k8s.io/listener",
  lastSync: "inmemory.infrastructure.cluster.x-k8s.io/last-sync",
  etcdClusterId: "etcd.inmemory.infrastructure.cluster.x-k8s.io/cluster-id",
  etcdMemberId: "etcd.inmemory.infrastructure.cluster.x-k8s.io/member-id",
  etcdLeaderFrom: "etcd.inmemory.infrastructure.cluster.x-k8s.io/leader-from",
  etcdMemberRemoved: "etcd.inmemory.infrastructure.cluster.x-k8s.io/member-removed",
  /** The weight of a machine in the load balancer. */
  loadBalancerWeight: "dockermachine.infrastructure.cluster.x-k8s.io/weight",
} as const;

/** Annotations whose key may have a name of its own after a slash: while one is there, somebody asks to wait. */
export const hookAnnotationPrefixes = {
  preDrain: "pre-drain.delete.hook.machine.cluster.x-k8s.io",
  preTerminate: "pre-terminate.delete.hook.machine.cluster.x-k8s.io",
  beforeClusterUpgrade: "before-upgrade.hook.cluster.cluster.x-k8s.io",
} as const;
