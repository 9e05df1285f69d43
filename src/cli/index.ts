export { LintError, NothingToLintError, UnreadableSourceError } from "./errors.ts";
export { lint, type LintOptions } from "./lint/lint.ts";
export { InvalidDumpError, NotThereError, NothingIsChangedError } from "./errors.ts";
export type { ConditionTree } from "./explain/condition-tree.ts";
export { type Dump, readDump } from "./explain/dump.ts";
export { dumpSituation } from "./explain/dump-situation.ts";
export { type ExplainPrinting, explainTo, readDumpFiles } from "./explain/explain.ts";
export {
  explainObject,
  kindNamed,
  namespaceIn,
  type ObjectExplanation,
  type Question,
} from "./explain/explain-object.ts";
export { type ConnectionState, type KnownFacts, nothingKnown, probeTimeOf, timeOf } from "./explain/known-facts.ts";
export { judgeByTables, type TableJudging } from "./explain/judge-by-tables.ts";
export { type JudgedObject, judgeOf, type Judging, type KindJudge } from "./explain/judged-object.ts";
export { liveSituation, type LiveSituation } from "./explain/live-situation.ts";
export { treeLines } from "./explain/print-condition-tree.ts";
export { fetchPasses, type Passes } from "./explain/passes.ts";
export { recordSituation, type RecordedSituation } from "./explain/recorded-situation.ts";
export { defaultGracePeriods, type Situation } from "./explain/situation.ts";
export { colours, noPaint, type Paint } from "./paint.ts";
export { type DescribePrinting, describeTo, whenChanged } from "./describe/describe.ts";
export { describeCluster, type DescribeOptions, type ObjectTree } from "./describe/object-tree.ts";
