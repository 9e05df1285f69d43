import { CapstanError } from "#base";
import { childrenOf, type Expression } from "./ast.ts";

/** How deep an expression may go unless told otherwise. */
export const deepestNesting = 250;

/** An expression that goes deeper. */
export class TooDeepError extends CapstanError {
  readonly code = "CEL_TOO_DEEP";
}

/** Measures how deep the reference compiler's second walk goes into nodes, most of which count and some do not. */
export class DepthGauge {
  readonly #heights: number[] = [];
  readonly #deepest: number;

  constructor(deepest: number) {
    this.#deepest = deepest;
  }

  /** A node that adds to the depth of its parts. */
  counted(node: Expression): Expression {
    return this.measured(node, this.tallest(childrenOf(node)) + 1);
  }

  /** A node that is as deep as the deepest of its parts. */
  plain(node: Expression): Expression {
    return this.measured(node, this.tallest(childrenOf(node)));
  }

  measured(node: Expression, height: number): Expression {
    if (height > this.#deepest) throw new TooDeepError("max recursion depth exceeded");
    this.#heights[node.id] = height;
    return node;
  }

  tallest(nodes: readonly Expression[]): number {
    let tallest = 0;
    for (const { id } of nodes) tallest = Math.max(tallest, this.#heights[id] ?? 0);
    return tallest;
  }
}
