import type { Expression } from "./ast.ts";

/** Joins the terms of a long chain of && or || into a tree of even depth, so that its depth stays small. */
export function balanced(
  terms: readonly Expression[],
  offsets: readonly number[],
  join: (left: Expression, right: Expression, offset: number) => Expression,
): Expression {
  const [first] = terms;
  if (first === undefined) throw new RangeError("a chain has at least one term");
  if (terms.length === 1) return first;
  return half(0, offsets.length - 1);

  function half(low: number, high: number): Expression {
    const middle = Math.floor((low + high + 1) / 2);
    const left = middle === low ? termAt(middle) : half(low, middle - 1);
    const right = middle === high ? termAt(middle + 1) : half(middle + 1, high);
    return join(left, right, offsets[middle] ?? 0);
  }

  function termAt(index: number): Expression {
    return terms[index] ?? first ?? half(0, 0);
  }
}
