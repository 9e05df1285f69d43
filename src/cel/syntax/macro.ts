import type { Expression } from "./ast.ts";
import type { NodeMaker } from "./node-maker.ts";

/** What a macro makes of a call; `offset` is where the call's parenthesis stands. */
export interface MacroCall {
  readonly make: NodeMaker;
  readonly offset: number;
  readonly target: Expression | undefined;
  readonly arguments: readonly Expression[];
}

/** Why a macro refuses its arguments, and which one. */
export interface MacroProblem {
  readonly problem: string;
  readonly at: Expression;
}

/** Rewrites a call before anything else sees it. */
export interface Macro {
  readonly name: string;
  readonly receiver: boolean;
  readonly argumentCount: number;
  readonly expand: (call: MacroCall) => Expression | MacroProblem;
}

/** Macros found by how they are called. */
export class MacroTable {
  readonly #macros: ReadonlyMap<string, Macro>;

  constructor(macros: readonly Macro[]) {
    this.#macros = new Map(macros.map((macro) => [keyOf(macro), macro]));
  }

  find(call: { readonly name: string; readonly receiver: boolean; readonly argumentCount: number }): Macro | undefined {
    return this.#macros.get(keyOf(call));
  }
}

function keyOf(call: { readonly name: string; readonly receiver: boolean; readonly argumentCount: number }): string {
  return `${call.name}:${call.argumentCount}:${call.receiver}`;
}

/** True for a macro's complaint. */
export function isProblem(expanded: Expression | MacroProblem): expanded is MacroProblem {
  return "problem" in expanded;
}
