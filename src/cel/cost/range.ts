/** The least and the most that something can be; counts stop at what 64 bits hold. */
export interface Range {
  readonly least: bigint;
  readonly most: bigint;
}

/** As large as a count gets. */
export const limitless = 2n ** 64n - 1n;

export const unknown: Range = { least: 0n, most: limitless };
export const zero: Range = exactly(0n);
export const one: Range = exactly(1n);

export function exactly(count: bigint): Range {
  return { least: count, most: count };
}

export function plus(a: Range, b: Range): Range {
  return { least: capped(a.least + b.least), most: capped(a.most + b.most) };
}

export function times(a: Range, b: Range): Range {
  return { least: capped(a.least * b.least), most: capped(a.most * b.most) };
}

/** A size as a cost of so much for each unit, rounded up. */
export function scaled(size: Range, factor: number): Range {
  return { least: scale(size.least, factor), most: scale(size.most, factor) };
}

/** What covers both. */
export function union(a: Range, b: Range): Range {
  return { least: a.least < b.least ? a.least : b.least, most: a.most > b.most ? a.most : b.most };
}

export function sum(ranges: readonly Range[]): Range {
  return ranges.reduce(plus, zero);
}

export function capped(count: bigint): bigint {
  return count > limitless ? limitless : count;
}

function scale(count: bigint, factor: number): bigint {
  const product = Math.ceil(Number(count) * factor);
  return product >= 2 ** 64 ? limitless : BigInt(product);
}
