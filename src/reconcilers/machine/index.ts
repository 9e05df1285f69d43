export type { ControlPlaneInitialized, NodeCondition, NodeFacts, NodeLookup } from "./facts.ts";
export { NodeHealthy, NodeReady } from "./node-conditions.ts";
export { type ConnectionHealth, nodeFacts, nodeFound } from "./node-facts.ts";
export { nodeHealth } from "./node-health.ts";
export { readNodeFacts } from "./read-facts.ts";
