export { classesUsing } from "./classes-using.ts";
export { deprecatedConditions } from "./deprecated-conditions.ts";
export { TemplateReferenceError, VariableDiscoveryError } from "./errors.ts";
export {
  type ClassFacts,
  describeProblem,
  type DiscoveryProblem,
  type OutdatedReference,
  type ReferenceFacts,
} from "./facts.ts";
export { type DiscoveryPorts, type Gathered, gatherVariables } from "./gather-variables.ts";
export { readClassFacts } from "./read-facts.ts";
export { clusterClass } from "./reconciler.ts";
export { RefVersionsUpToDate } from "./ref-versions-up-to-date.ts";
export { VariablesReady } from "./variables-ready.ts";
