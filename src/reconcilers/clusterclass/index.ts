export { classesUsing } from "./classes-using.ts";
export { TemplateReferenceError, VariableDiscoveryError } from "./errors.ts";
export {
  type ClassFacts,
  describeProblem,
  type DiscoveryProblem,
  type OutdatedReference,
  type ReferenceFacts,
} from "./facts.ts";
export {
  type DiscoverVariablesAnswer,
  type DiscoverVariablesCall,
  type DiscoverVariablesQuestion,
  type DiscoveryPorts,
  type Gathered,
  gatherVariables,
} from "./gather-variables.ts";
export { deprecatedConditions } from "./deprecated-conditions.ts";
export { readClassFacts } from "./read-facts.ts";
export { RefVersionsUpToDate } from "./ref-versions-up-to-date.ts";
export { VariablesReady } from "./variables-ready.ts";
