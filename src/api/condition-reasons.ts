/** One type of condition: whether True is good, and the reasons that are given. */
export interface ConditionDeclaration {
  readonly polarity: "positive" | "negative" | "neutral";
  readonly reasons: readonly string[];
}

type Declarations = { readonly [kind: string]: { readonly [type: string]: ConditionDeclaration } };

/** The condition that every kind with a status has: True where reconciling has stopped. */
const Paused = neutral("Paused", "NotPaused");

/**
 * The conditions of all kinds and the reasons given for them, by kind and type. Reasons of conditions that mirror those
 * of another object are that object's own.
 */
export const conditionReasons = {
  Cluster: {
    Available: positive("Available", "NotAvailable", "AvailableUnknown", "InternalError"),
    TopologyReconciled: positive(
      "ReconcileSucceeded",
      "ReconcileFailed",
      "ClusterCreating",
      "ControlPlaneUpgradePending",
      "MachineDeploymentsCreatePending",
      "MachineDeploymentsUpgradePending",
      "MachineDeploymentsUpgradeDeferred",
      "MachinePoolsUpgradePending",
      "MachinePoolsCreatePending",
      "MachinePoolsUpgradeDeferred",
      "LifecycleHookBlocking",
      "ClusterUpgrading",
      "ClusterClassNotReconciled",
      "Deleting",
      "Paused",
    ),
    InfrastructureReady: positive(
      "Ready",
      "NotReady",
      "InvalidConditionReported",
      "InternalError",
      "ObjectDoesNotExist",
      "ObjectDeleted",
    ),
    ControlPlaneInitialized: positive("Initialized", "NotInitialized", "InternalError"),
    ControlPlaneAvailable: positive(
      "Available",
      "NotAvailable",
      "InvalidConditionReported",
      "InternalError",
      "ObjectDoesNotExist",
      "ObjectDeleted",
    ),
    WorkersAvailable: positive("Available", "NotAvailable", "AvailableUnknown", "NoWorkers", "InternalError"),
    ControlPlaneMachinesReady: positive("Ready", "NotReady", "ReadyUnknown", "NoReplicas", "InternalError"),
    WorkerMachinesReady: positive("Ready", "NotReady", "ReadyUnknown", "NoReplicas", "InternalError"),
    ControlPlaneMachinesUpToDate: positive("UpToDate", "NotUpToDate", "UpToDateUnknown", "NoReplicas", "InternalError"),
    WorkerMachinesUpToDate: positive("UpToDate", "NotUpToDate", "UpToDateUnknown", "NoReplicas", "InternalError"),
    RemoteConnectionProbe: positive("ProbeFailed", "ProbeSucceeded"),
    RollingOut: negative("RollingOut", "NotRollingOut", "RollingOutUnknown", "InternalError"),
    ScalingUp: negative("ScalingUp", "NotScalingUp", "ScalingUpUnknown", "InternalError"),
    ScalingDown: negative("ScalingDown", "NotScalingDown", "ScalingDownUnknown", "InternalError"),
    Remediating: negative("Remediating", "NotRemediating", "InternalError"),
    Deleting: negative(
      "NotDeleting",
      "WaitingForBeforeDeleteHook",
      "WaitingForWorkersDeletion",
      "WaitingForControlPlaneDeletion",
      "WaitingForInfrastructureDeletion",
      "DeletionCompleted",
      "InternalError",
    ),
    Paused,
  },
  ClusterClass: {
    VariablesReady: positive("VariablesReady", "VariableDiscoveryFailed"),
    RefVersionsUpToDate: positive("RefVersionsUpToDate", "RefVersionsNotUpToDate", "InternalError"),
    Paused,
  },
  Machine: {
    Available: positive("WaitingForMinReadySeconds", "NotReady", "Available", "InternalError"),
    Ready: positive("Ready", "NotReady", "ReadyUnknown", "InternalError"),
    UpToDate: positive("UpToDate", "NotUpToDate", "Updating"),
    Updating: negative("NotUpdating", "InPlaceUpdating", "InPlaceUpdateFailed"),
    BootstrapConfigReady: positive(
      "DataSecretProvided",
      "Ready",
      "NotReady",
      "InvalidConditionReported",
      "InternalError",
      "ObjectDoesNotExist",
      "ObjectDeleted",
    ),
    InfrastructureReady: positive(
      "Ready",
      "NotReady",
      "InvalidConditionReported",
      "InternalError",
      "ObjectDoesNotExist",
      "ObjectDeleted",
    ),
    NodeHealthy: positive(
      "NodeReady",
      "NodeNotReady",
      "NodeReadyUnknown",
      "NodeHealthy",
      "NodeNotHealthy",
      "NodeHealthyUnknown",
      "InternalError",
      "NodeDoesNotExist",
      "NodeDeleted",
      "InspectionFailed",
      "ConnectionDown",
    ),
    NodeReady: positive(
      "NodeReady",
      "NodeNotReady",
      "NodeReadyUnknown",
      "NodeHealthy",
      "NodeNotHealthy",
      "NodeHealthyUnknown",
      "InternalError",
      "NodeDoesNotExist",
      "NodeDeleted",
      "InspectionFailed",
      "ConnectionDown",
    ),
    HealthCheckSucceeded: positive(
      "HealthCheckSucceeded",
      "UnhealthyNode",
      "UnhealthyMachine",
      "NodeStartupTimeout",
      "NodeDeleted",
      "HasRemediateAnnotation",
    ),
    OwnerRemediated: positive(
      "WaitingForRemediation",
      "CannotBeRemediated",
      "RemediationDeferred",
      "MachineDeleting",
      "InternalError",
    ),
    ExternallyRemediated: positive(
      "WaitingForRemediation",
      "RemediationTemplateNotFound",
      "RemediationRequestCreationFailed",
    ),
    Deleting: negative(
      "NotDeleting",
      "Deleting",
      "InternalError",
      "WaitingForPreDrainHook",
      "DrainingNode",
      "WaitingForVolumeDetach",
      "WaitingForPreTerminateHook",
      "WaitingForInfrastructureDeletion",
      "WaitingForBootstrapDeletion",
      "DeletingNode",
      "DeletionCompleted",
    ),
    APIServerPodHealthy: positive(
      "Running",
      "Provisioning",
      "DoesNotExist",
      "Failed",
      "InspectionFailed",
      "ConnectionDown",
      "Deleting",
    ),
    ControllerManagerPodHealthy: positive(
      "Running",
      "Provisioning",
      "DoesNotExist",
      "Failed",
      "InspectionFailed",
      "ConnectionDown",
      "Deleting",
    ),
    SchedulerPodHealthy: positive(
      "Running",
      "Provisioning",
      "DoesNotExist",
      "Failed",
      "InspectionFailed",
      "ConnectionDown",
      "Deleting",
    ),
    EtcdPodHealthy: positive(
      "Running",
      "Provisioning",
      "DoesNotExist",
      "Failed",
      "InspectionFailed",
      "ConnectionDown",
      "Deleting",
    ),
    EtcdMemberHealthy: positive("NotHealthy", "Healthy", "InspectionFailed", "ConnectionDown", "Deleting"),
    NodeKubeadmLabelsAndTaintsSet: positive("InspectionFailed", "ConnectionDown", "NotSet", "Set", "Deleting"),
    Paused,
  },
  MachineDeployment: {
    Available: positive(
      "WaitingForReplicasSet",
      "WaitingForAvailableReplicasSet",
      "Available",
      "NotAvailable",
      "InternalError",
    ),
    MachinesReady: positive("Ready", "NotReady", "ReadyUnknown", "NoReplicas", "InternalError"),
    MachinesUpToDate: positive("UpToDate", "NotUpToDate", "UpToDateUnknown", "NoReplicas", "InternalError"),
    RollingOut: negative("RollingOut", "NotRollingOut", "InternalError"),
    ScalingUp: negative("ScalingUp", "NotScalingUp", "InternalError", "WaitingForReplicasSet"),
    ScalingDown: negative("ScalingDown", "NotScalingDown", "InternalError", "WaitingForReplicasSet"),
    Remediating: negative("Remediating", "NotRemediating", "InternalError"),
    Deleting: negative("NotDeleting", "Deleting", "InternalError"),
    Paused,
  },
  MachineHealthCheck: {
    RemediationAllowed: positive("TooManyUnhealthy", "RemediationAllowed"),
    Paused,
  },
  MachinePool: {
    Available: positive(),
    BootstrapConfigReady: positive(),
    InfrastructureReady: positive(),
    MachinesReady: positive(),
    MachinesUpToDate: positive(),
    ScalingUp: negative(),
    ScalingDown: negative(),
    Remediating: negative(),
    Deleting: negative(),
    Paused,
  },
  MachineSet: {
    ScalingUp: negative("ScalingUp", "NotScalingUp", "InternalError", "WaitingForReplicasSet"),
    ScalingDown: negative("ScalingDown", "NotScalingDown", "InternalError", "WaitingForReplicasSet"),
    MachinesReady: positive("Ready", "NotReady", "ReadyUnknown", "NoReplicas", "InternalError"),
    MachinesUpToDate: positive("UpToDate", "NotUpToDate", "UpToDateUnknown", "NoReplicas", "InternalError"),
    Remediating: negative("Remediating", "NotRemediating", "InternalError"),
    Deleting: negative("NotDeleting", "Deleting", "InternalError"),
    Paused,
  },
  ClusterResourceSet: {
    ResourcesApplied: positive("Applied", "NotApplied", "WrongSecretType", "InternalError"),
    Paused,
  },
  ExtensionConfig: {
    Discovered: positive("Discovered", "NotDiscovered"),
    Paused,
  },
  IPAddressClaim: {
    Ready: positive("AllocationFailed", "PoolNotReady", "PoolExhausted"),
    Paused,
  },
  KubeadmConfig: {
    Ready: positive("Ready", "NotReady", "ReadyUnknown"),
    CertificatesAvailable: positive("Available", "InternalError"),
    DataSecretAvailable: positive("Available", "NotAvailable"),
    Paused,
  },
  KubeadmControlPlane: {
    Available: positive("InspectionFailed", "Available", "NotAvailable"),
    Initialized: positive("Initialized", "NotInitialized"),
    CertificatesAvailable: positive("InternalError", "Available", "NotAvailable"),
    EtcdClusterHealthy: positive("InspectionFailed", "ConnectionDown", "Healthy", "NotHealthy", "HealthUnknown"),
    ControlPlaneComponentsHealthy: positive(
      "InspectionFailed",
      "ConnectionDown",
      "Healthy",
      "NotHealthy",
      "HealthUnknown",
    ),
    MachinesReady: positive("Ready", "NotReady", "ReadyUnknown", "NoReplicas", "InternalError"),
    MachinesUpToDate: positive("UpToDate", "NotUpToDate", "UpToDateUnknown", "NoReplicas", "InternalError"),
    RollingOut: negative("RollingOut", "NotRollingOut"),
    ScalingUp: negative("ScalingUp", "NotScalingUp", "WaitingForReplicasSet"),
    ScalingDown: negative("ScalingDown", "NotScalingDown", "WaitingForReplicasSet"),
    Remediating: negative("Remediating", "NotRemediating", "InternalError"),
    Deleting: negative(
      "NotDeleting",
      "WaitingForWorkersDeletion",
      "WaitingForMachineDeletion",
      "DeletionCompleted",
      "InternalError",
    ),
    Paused,
  },
  DevCluster: {
    Ready: positive("Ready", "NotReady", "ReadyUnknown"),
    LoadBalancerAvailable: positive("NotAvailable", "Available", "Deleting"),
    Paused,
  },
  DevMachine: {
    Ready: positive("Ready", "NotReady", "ReadyUnknown"),
    ContainerProvisioned: positive(
      "WaitingForClusterInfrastructureReady",
      "WaitingForControlPlaneInitialized",
      "WaitingForBootstrapData",
      "Provisioned",
      "NotProvisioned",
      "Deleting",
    ),
    BootstrapExecSucceeded: positive("Succeeded", "WaitingForMultiUserTarget", "NotSucceeded"),
    VMProvisioned: positive(
      "WaitingForClusterInfrastructureReady",
      "WaitingForControlPlaneInitialized",
      "WaitingForBootstrapData",
      "WaitingForStartupTimeout",
      "Provisioned",
      "InternalError",
    ),
    NodeProvisioned: positive("WaitingForVMProvisioned", "WaitingForStartupTimeout", "Provisioned", "InternalError"),
    EtcdProvisioned: positive(
      "WaitingForVMProvisioned",
      "WaitingForNodeProvisioned",
      "WaitingForStartupTimeout",
      "Provisioned",
      "InternalError",
    ),
    APIServerProvisioned: positive(
      "WaitingForVMProvisioned",
      "WaitingForNodeProvisioned",
      "WaitingForStartupTimeout",
      "Provisioned",
      "InternalError",
    ),
    Paused,
  },
  DevMachinePool: {
    ReplicasReady: positive("Ready"),
    Ready: positive("Ready", "NotReady", "ReadyUnknown"),
    Paused,
  },
} as const satisfies Declarations;

/** The kinds whose conditions are known. */
export type ConditionedKind = keyof typeof conditionReasons;

/** The condition types of a kind. */
export type ConditionTypeOf<Name extends ConditionedKind> = keyof (typeof conditionReasons)[Name] & string;

function positive<const Reason extends string>(...reasons: readonly Reason[]) {
  return { polarity: "positive", reasons } as const;
}

function negative<const Reason extends string>(...reasons: readonly Reason[]) {
  return { polarity: "negative", reasons } as const;
}

function neutral<const Reason extends string>(...reasons: readonly Reason[]) {
  return { polarity: "neutral", reasons } as const;
}
