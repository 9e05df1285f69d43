export { aggregateCondition, type AggregateConditionOptions } from "./aggregate.ts";
export {
  type Condition,
  type Conditioned,
  conditionsOf,
  findCondition,
  getCondition,
  hasCondition,
  isFalse,
  isTrue,
  isUnknown,
  lastTransitionTimeOf,
  messageOf,
  notYetReported,
  reasonOf,
  sameState,
  type Status,
} from "./condition.ts";
export { conditionOf, decide, type Decision, nameOf, type ReasonSpelling, spelled } from "./decide.ts";
export { type DeprecatedCondition, type DeprecatedTwin, setDeprecatedTwin } from "./deprecated.ts";
export { documentTable, tableJson } from "./document.ts";
export {
  ConditionConflictError,
  ConditionInputError,
  ConditionTableError,
  InvalidFactsError,
  MalformedConditionsError,
  UnknownFactError,
} from "./errors.ts";
export {
  explain,
  type Explanation,
  explanationJson,
  printExplanation,
  type RowVerdict,
  withoutControls,
} from "./explain.ts";
export { fact, type FactFields, type FactReader, type OptionalFact } from "./fact.ts";
export {
  mergeStrategy,
  type MergeStrategy,
  type MergeStrategyOptions,
  reasons,
  sortForMerge,
  splitByPriority,
} from "./merge.ts";
export {
  aggregateMessages,
  compareTexts,
  nameOrder,
  type OwnedCondition,
  summaryMessages,
  type WeighedText,
} from "./message.ts";
export { mirrorCondition, type MirrorConditionOptions } from "./mirror.ts";
export { compareText, compareTypes, sortConditions } from "./order.ts";
export { applyConditionChanges, type ConditionChange, conditionChanges } from "./patch.ts";
export { defaultPriority, type Priority } from "./priority.ts";
export { deleteCondition, setCondition } from "./set.ts";
export { longestMessage, shortened } from "./shorten.ts";
export type { NextSketch, ReportSketch, RowSketch } from "./sketch.ts";
export { type ConditionSource, controlPlaneLabel, sourceOf } from "./source.ts";
export { summaryCondition, type SummaryConditionOptions } from "./summary.ts";
export { readSummary, summarize, type Summary, summaryIs } from "./summary-fact.ts";
export {
  type ConditionTable,
  defineCondition,
  type Ensure,
  type Evidence,
  False,
  finds,
  type Guard,
  holds,
  lastKnown,
  type Match,
  mirrored,
  nothing,
  otherwise,
  type Report,
  row,
  type Row,
  True,
  Unknown,
} from "./table.ts";
export { tableProblems } from "./table-problems.ts";
export { withUnknownFacts } from "./unknown-facts.ts";
export { readCondition, readConditions } from "./untyped.ts";
