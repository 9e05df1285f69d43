const versionName = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;

const maturity = { alpha: 1, beta: 2, stable: 3 } as const;

/** Orders versions as clients should prefer them: stable before beta before alpha, then the newer; others last, by name. */
export function compareVersionNames(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (left === undefined || right === undefined) {
    if (left !== undefined) return -1;
    if (right !== undefined) return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }
  return right.rank - left.rank || right.major - left.major || right.minor - left.minor;
}

function parse(name: string): { readonly rank: number; readonly major: number; readonly minor: number } | undefined {
  const match = versionName.exec(name);
  if (match === null) return undefined;
  const [, major, stage, minor = "0"] = match;
  const rank = stage === "alpha" ? maturity.alpha : stage === "beta" ? maturity.beta : maturity.stable;
  return { rank, major: Number(major), minor: Number(minor) };
}
