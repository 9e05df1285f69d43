const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const ranks: { readonly [stage: string]: number } = { alpha: 0, beta: 1 };

/**
 * Orders versions with the one to prefer first: stable ones before beta ones before alpha ones, higher numbers first;
 * names that are no Kubernetes versions come last, in alphabetical order.
 */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [parse(a), parse(b)];
  if (first === undefined && second === undefined) return a < b ? -1 : Number(a > b);
  if (first === undefined) return 1;
  if (second === undefined) return -1;
  return second.rank - first.rank || second.major - first.major || second.minor - first.minor;
}

function parse(version: string): { readonly rank: number; readonly major: number; readonly minor: number } | undefined {
  const [all, major = "", stage = "", minor = "0"] = pattern.exec(version) ?? [];
  if (all === undefined) return undefined;
  const numbers = { major: Number(major), minor: Number(minor) };
  // A number that Go cannot hold makes the name no version.
  if (numbers.major > Number.MAX_SAFE_INTEGER || numbers.minor > Number.MAX_SAFE_INTEGER) return undefined;
  return { rank: ranks[stage] ?? 2, ...numbers };
}
