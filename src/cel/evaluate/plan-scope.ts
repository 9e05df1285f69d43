import { CapstanError } from "#base";
import type { Checked } from "../check/checker.ts";
import type { Names } from "../check/names.ts";
import type { Expression } from "../syntax/ast.ts";
import type { Plan } from "./frame.ts";

/** What planning needs to know besides the expression. */
export interface PlanScope {
  readonly names: Names;
  /** None for an expression that was not checked; names are then looked up while it runs. */
  readonly checked: Checked | undefined;
  /** Constant lists, maps and conversions are computed before anything runs, as Kubernetes has it. */
  readonly foldConstants: boolean;
  /** The type whose name is a value, such as `int`. */
  readonly typeNamed: (name: string) => string | undefined;
}

/** An expression that fails before it runs, because a constant part of it does. */
export class PlanProblem extends CapstanError {
  readonly code = "CEL_UNPLANNABLE";
}

/** Plans nodes, for those who plan one kind of them. */
export interface NodePlanner {
  readonly scope: PlanScope;
  plan(node: Expression): Plan;
}
