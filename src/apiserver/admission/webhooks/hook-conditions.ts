import { joinMessages } from "#base";
import { compileMatchCondition, type MatchConditionInput, matchConditionsBudget, perCallLimit } from "#cel";

/** What the conditions of a webhook say about a request. */
export type ConditionsVerdict =
  | { readonly kind: "concerned" }
  | { readonly kind: "not-concerned" }
  /** Nobody can tell, and the webhook must not be passed over. */
  | { readonly kind: "unclear"; readonly why: string };

/** Judges a request; the input is put together only where there is a condition. */
export type HookConditions = (input: () => Promise<MatchConditionInput>) => Promise<ConditionsVerdict>;

const concerned = { kind: "concerned" } as const;
const exhausted = "validation failed due to running out of cost budget, no further validation rules will be run";

/** Makes the conditions of a webhook ready: all must hold, and one that does not hold outdoes those that fail. */
export function hookConditions(expressions: readonly string[], failurePolicy: "Fail" | "Ignore"): HookConditions {
  if (expressions.length === 0) return () => Promise.resolve(concerned);
  const compiled = expressions.map((expression) => ({ expression, condition: compileMatchCondition(expression) }));
  return async (input) => {
    const known = await input();
    const problems: string[] = [];
    let budget = matchConditionsBudget;
    for (const { expression, condition } of compiled) {
      if (budget < 0) {
        problems.push(exhausted);
        break;
      }
      if ("problem" in condition) {
        problems.push(`compilation error: ${condition.problem}`);
        continue;
      }
      const outcome = condition.evaluate(known, { costLimit: perCallLimit });
      budget -= outcome.cost;
      if (outcome.kind === "failed") problems.push(`expression '${expression}' resulted in error: ${outcome.problem}`);
      else if (!outcome.holds) return { kind: "not-concerned" };
    }
    if (problems.length === 0) return concerned;
    return failurePolicy === "Ignore" ? { kind: "not-concerned" } : { kind: "unclear", why: joinMessages(problems) };
  };
}
