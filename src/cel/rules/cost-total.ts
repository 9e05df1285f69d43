import { type FieldError, type FieldPath, forbidden } from "#machinery";
import { capped } from "../cost/range.ts";
import type { RuleWords } from "./rule-words.ts";

/** The most that one expression may be estimated to cost. */
export const expressionLimit = 10_000_000n;
/** The most that all expressions of a schema together may be estimated to cost. */
export const schemaLimit = 100_000_000n;

const mostNamed = 4;

/** Adds up what expressions can cost and remembers the most expensive ones. */
export class CostTotal {
  #total = 0n;
  #expensive: readonly { readonly at: FieldPath; readonly cost: bigint }[] = [];

  observe(at: FieldPath, cost: bigint): void {
    this.#total = capped(this.#total + cost);
    // What is below a hundredth of the limit is not to blame.
    if (cost < schemaLimit / 100n) return;
    this.#expensive = [...this.#expensive, { at, cost }]
      .toSorted((a, b) => (a.cost > b.cost ? -1 : a.cost < b.cost ? 1 : 0))
      .slice(0, mostNamed);
  }

  errors(root: FieldPath, { totalName }: RuleWords): readonly FieldError[] {
    if (this.#total <= schemaLimit) return [];
    const name = `x-kubernetes-validations ${totalName} for entire OpenAPIv3 schema`;
    return [
      ...this.#expensive.map(({ at }) =>
        forbidden(at, `contributed to ${totalName} exceeding cost limit for entire OpenAPIv3 schema`),
      ),
      forbidden(root, costMessage(name, this.#total, schemaLimit)),
    ];
  }
}

/** By how much a cost exceeds a limit, in words. */
export function costMessage(name: string, cost: bigint, limit: bigint): string {
  const factor = Number(cost) / Number(limit);
  const advice =
    "(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)";
  return `${name} exceeds budget by factor of ${factorText(factor)} ${advice}`;
}

function factorText(factor: number): string {
  if (factor > 100) return "more than 100x";
  // One digit would read as 1.0, which is no excess.
  return factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`;
}
