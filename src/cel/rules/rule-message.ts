import type { ValidationRule } from "#machinery";
import type { Outcome, Program } from "../evaluate/program.ts";
import type { CompiledRule } from "./compile-rule.ts";
import { quote } from "#base";

const longestMessage = 5 * 1024;

/** The words for a rule that does not hold, or why nothing more may run. */
export type MessageOutcome =
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "stopped"; readonly problem: string };

/** How a rule is named in errors: by its message, else by itself. */
export function ruleText({ message = "", rule }: ValidationRule): string {
  return (message === "" ? rule : message).trim();
}

/** What a rule says when it does not hold; an expression that does not give a proper text counts as absent. */
export function messageOf(
  { rule, message }: CompiledRule,
  budget: { remaining: number },
  evaluate: (program: Program) => Outcome,
): MessageOutcome {
  const plain = rule.message === undefined || rule.message === "" ? `failed rule: ${ruleText(rule)}` : ruleText(rule);
  if (message === undefined || "problem" in message) return { kind: "message", text: plain };
  const outcome = evaluate(message.program);
  if (outcome.cost > budget.remaining) {
    const problem =
      "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
    return { kind: "stopped", problem };
  }
  if (outcome.kind === "cancelled") {
    const source = quote(rule.messageExpression ?? "");
    const problem = `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`;
    return { kind: "stopped", problem };
  }
  budget.remaining -= outcome.cost;
  const text = typeof outcome.result === "string" ? outcome.result.trim() : "";
  const isProper = text !== "" && !text.includes("\n") && Buffer.byteLength(text) <= longestMessage;
  return { kind: "message", text: isProper ? text : plain };
}
