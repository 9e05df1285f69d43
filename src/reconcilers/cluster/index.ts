export { Available, type AvailabilityGate, type AvailableFacts, summarizeAvailability } from "./available.ts";
export { ControlPlaneAvailable } from "./control-plane-available.ts";
export { ControlPlaneInitialized } from "./control-plane-initialized.ts";
export { Deleting } from "./deleting.ts";
export { descendantFacts, type DescendantOptions, type Descendants } from "./descendant-facts.ts";
export type {
  ClusterFacts,
  ConnectionFacts,
  DeletionFacts,
  DescendantFacts,
  Initialization,
  Merged,
  ProviderCondition,
  ProviderLookup,
} from "./facts.ts";
export { InfrastructureReady } from "./infrastructure-ready.ts";
export { ControlPlaneMachinesReady, WorkerMachinesReady } from "./machines-ready.ts";
export { ControlPlaneMachinesUpToDate, WorkerMachinesUpToDate } from "./machines-up-to-date.ts";
export { isDefined, providerLookup, type ProviderRead, type ProviderReference } from "./provider-facts.ts";
export { Remediating } from "./remediating.ts";
export { RemoteConnectionProbe } from "./remote-connection-probe.ts";
export { RollingOut } from "./rolling-out.ts";
export { ScalingDown, ScalingUp } from "./scaling.ts";
export { WorkersAvailable } from "./workers-available.ts";
