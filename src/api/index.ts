export { annotations, hookAnnotationPrefixes } from "./annotations.ts";
export { ClusterClass, type ClusterClassSpec } from "./cluster-class/cluster-class.ts";
export type { ClusterClassPatch } from "./cluster-class/patch.ts";
export type { ClusterClassStatusVariable, ClusterClassVariable, VariableSchema } from "./cluster-class/variable.ts";
export type { MachineDeploymentClass, MachinePoolClass } from "./cluster-class/workers.ts";
export { ClusterResourceSet, ClusterResourceSetBinding } from "./cluster-resource-set.ts";
export { Cluster } from "./cluster/cluster.ts";
export type { ClusterVariable, MachineDeploymentTopology, MachinePoolTopology, Topology } from "./cluster/topology.ts";
export {
  type ConditionDeclaration,
  type ConditionedKind,
  conditionReasons,
  type ConditionTypeOf,
} from "./condition-reasons.ts";
export { DevCluster, DevClusterTemplate } from "./dev-cluster.ts";
export { DevMachine, DevMachineTemplate } from "./dev-machine.ts";
export { ExtensionConfig } from "./extension-config.ts";
export { defaultFeatureGates, type FeatureGate, type FeatureGates } from "./feature-gates.ts";
export { finalizers } from "./finalizers.ts";
export { category, contractLabel, contractLabels, contractVersion, groups } from "./groups.ts";
export { IPAddress, IPAddressClaim } from "./ip-address.ts";
export { kinds } from "./kinds.ts";
export { labels, nodeLabelDomains, nodeTaints } from "./labels.ts";
export { MachineDeployment } from "./machine-deployment.ts";
export { MachineDrainRule } from "./machine-drain-rule.ts";
export { MachineHealthCheck } from "./machine-health-check.ts";
export { MachinePool } from "./machine-pool.ts";
export { MachineSet } from "./machine-set.ts";
export { Machine } from "./machine.ts";
export type { FailureDomain } from "./shapes/failure-domain.ts";
export type { HealthCheck } from "./shapes/health-check.ts";
export type { MachineSpec, MachineTaint } from "./shapes/machine.ts";
export type { TemplateMetadata } from "./shapes/metadata.ts";
export type { ContractReference, TemplateReference } from "./shapes/references.ts";
export type { RolloutStrategy } from "./shapes/rollout.ts";
