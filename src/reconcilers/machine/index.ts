export { Available } from "./available.ts";
export { BootstrapConfigReady } from "./bootstrap-config-ready.ts";
export { Deleting } from "./deleting.ts";
export type { ControlPlaneInitialized, NodeCondition, NodeFacts, NodeLookup } from "./facts.ts";
export { InfrastructureReady } from "./infrastructure-ready.ts";
export type { AvailableFacts, DeletionFacts, MachineFacts, UpdateFacts } from "./machine-facts.ts";
export {
  createMachineUpdates,
  type DesiredMachine,
  type MachineUpdates,
  type UpdateAnswer,
} from "./machine-updates.ts";
export { NodeHealthy, NodeReady } from "./node-conditions.ts";
export { type ConnectionHealth, nodeFacts, nodeFound } from "./node-facts.ts";
export { nodeHealth } from "./node-health.ts";
export { phaseOf } from "./phase.ts";
export type { MachinePorts, WorkloadAccess } from "./ports.ts";
export { readAvailableFacts, readMachineFacts, readNodeFacts, readReadyFacts } from "./read-facts.ts";
export { type DeletionTimes, type ReadinessGate, Ready, type ReadyFacts, summarizeReadiness } from "./ready.ts";
export { machine } from "./reconciler.ts";
export { Updating } from "./updating.ts";
export { createMachineWakers, machinesByCluster, type MachineWakers } from "./workload-access.ts";
