/** What can be switched on and off. */
export type FeatureGate = keyof typeof defaultFeatureGates;

/** Which features are on. */
export type FeatureGates = { readonly [Gate in FeatureGate]: boolean };

/** Which features are on unless somebody says otherwise: as in Cluster API v1.13. */
export const defaultFeatureGates = {
  MachinePool: true,
  MachineSetPreflightChecks: true,
  PriorityQueue: true,
  // On in Cluster API: it costs almost a second between a Node and its Machine.
  ReconcilerRateLimiting: false,
  MachineWaitForVolumeDetachConsiderVolumeAttachments: true,
  ClusterTopology: false,
  RuntimeSDK: false,
  KubeadmBootstrapFormatIgnition: false,
  InPlaceUpdates: false,
  MachineTaintPropagation: false,
};
