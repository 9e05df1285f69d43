import { joinMessages, retry } from "#base";
import { defineCondition, False, finds, longestMessage, otherwise, row, shortened, True } from "#conditions";
import { discoverVariables } from "./discover-variables.ts";
import { VariableDiscoveryError } from "./errors.ts";
import { type ClassFacts, describeProblem, type DiscoveryProblem } from "./facts.ts";

const start = "VariableDiscovery failed: ";

interface Failure {
  readonly className: string;
  readonly failure: string;
}

/** The columns that all failing rows share. */
const failed = {
  ensure: discoverVariables,
  report: (e: Failure) => False("VariableDiscoveryFailed", `${start}${e.failure}`),
  next: (e: Failure) => retry(new VariableDiscoveryError(e.className, e.failure)),
};

/** Tells whether the variables of a ClusterClass are known. */
export const VariablesReady = defineCondition({
  of: "ClusterClass",
  type: "VariablesReady",
  summary: "Tells whether the variables of a ClusterClass, inline and discovered, are known and agree.",
  reasons: ["VariablesReady", "VariableDiscoveryFailed"],
  // The first four rows can hold together: the message lists every problem, and the first kind names the row.
  rows: [
    row({ id: "extension-failed", when: finds("a DiscoverVariables call failed", some("call-failed")), ...failed }),
    row({ id: "extension-refused", when: finds("an extension did not answer Success", some("refused")), ...failed }),
    row({
      id: "not-convertible",
      when: finds("a discovered variable has no v1beta2 form", some("not-convertible")),
      ...failed,
    }),
    row({ id: "invalid", when: finds("a discovered variable fails validation", some("invalid")), ...failed }),
    row({ id: "conflicting", when: finds("definitions of a variable conflict", conflict), ...failed }),
  ],
  otherwise: otherwise({
    id: "variables-ready",
    when: "every source answered and all definitions agree",
    ensure: discoverVariables,
    report: True("VariablesReady"),
  }),
});

function some(kind: DiscoveryProblem["kind"]) {
  return ({ className, problems }: ClassFacts): Failure | undefined =>
    problems.some((problem) => problem.kind === kind)
      ? { className, failure: fitting(joinMessages(problems.flatMap(describeProblem))) }
      : undefined;
}

function conflict({ className, conflicts }: ClassFacts): Failure | undefined {
  if (conflicts.length === 0) return undefined;
  return { className, failure: fitting(`the following variables have conflicting schemas: ${conflicts.join(",")}`) };
}

/** A thousand variables can have more to say than a condition may. */
function fitting(failure: string): string {
  return shortened(failure, longestMessage - start.length);
}
