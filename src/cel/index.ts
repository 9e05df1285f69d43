export { describeType, type Type } from "./check/type.ts";
export { type Compiled, type Declarations, type Dialect, Environment } from "./environment.ts";
export type { Bindings } from "./evaluate/frame.ts";
export type { Outcome, Program } from "./evaluate/program.ts";
export { compatibilityVersion, everyVersion, kubernetesEnvironment, type MinorVersion } from "./kubernetes.ts";
export {
  compileMatchCondition,
  type MatchCondition,
  type MatchConditionInput,
  type MatchConditionOutcome,
  matchConditionProblem,
  matchConditionsBudget,
} from "./match-condition.ts";
export { checkRules, type CheckRulesOptions, type PlaceChecks } from "./rules/check-rules.ts";
export { estimateRules, type RuleEstimate } from "./rules/estimate-rules.ts";
export { hasRules } from "./rules/rule-node.ts";
export { type RuleWords, wordsOfCrds, wordsOfVariables } from "./rules/rule-words.ts";
export {
  compileRules,
  type CompiledRules,
  type CostBudget,
  createCostBudget,
  objectBudget,
  perCallLimit,
  type ValidateOptions,
} from "./rules/validate-rules.ts";
export { Failure, type Result, type Value } from "./values/value.ts";
export { CostLimitExceeded } from "./values/work.ts";
