import { traversalFactor } from "./call-cost.ts";
import type { CallEstimate } from "./estimate.ts";
import { limitless, plus, type Range, scaled, times } from "./range.ts";

/** How long the result of replacing can be: from the sizes of the text, of what is replaced and of what comes instead. */
export function estimateReplace(text: Range | undefined, [from, to]: readonly Range[]): CallEstimate | undefined {
  if (text === undefined || from === undefined || to === undefined) return undefined;
  const longest = longestCase(text, from, to);
  const shortest = shortestCase(text, from, to);
  const count: Range = { least: shortest.count, most: longest.count };
  const kept: Range = { least: shortest.kept, most: longest.kept };
  return { cost: scaled(text, 2 * traversalFactor), size: plus(times(count, to), kept) };
}

interface Case {
  /** How often something is replaced. */
  readonly count: bigint;
  /** How much of the text stays. */
  readonly kept: bigint;
}

/** Replacing nothing puts the new text around every character. */
function longestCase(text: Range, from: Range, to: Range): Case {
  if (from.least === 0n) return { count: text.most < limitless ? text.most + 1n : text.most, kept: text.most };
  if (to.most <= from.least) return { count: 0n, kept: text.most };
  return { count: divided(text.most, from.least), kept: 0n };
}

function shortestCase(text: Range, from: Range, to: Range): Case {
  if (from.most === 0n) return { count: text.least < limitless ? text.least + 1n : text.least, kept: text.least };
  if (from.most <= to.least) return { count: 0n, kept: text.least };
  return { count: divided(text.least, from.most), kept: 0n };
}

function divided(a: bigint, b: bigint): bigint {
  const quotient = Math.ceil(Number(a) / Number(b));
  return quotient >= 2 ** 64 ? limitless : BigInt(quotient);
}
