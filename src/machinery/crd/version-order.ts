const pattern = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const largestNumber = 2n ** 63n - 1n;
const ranks: { readonly [stage: string]: number } = { alpha: 0, beta: 1 };

/**
 * Orders versions with the one to prefer first: stable ones before beta ones before alpha ones, higher numbers first;
 * names that are no Kubernetes versions come last, byte by byte.
 */
export function compareVersions(a: string, b: string): number {
  const [first, second] = [parse(a), parse(b)];
  if (first === undefined && second === undefined) return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (first === undefined) return 1;
  if (second === undefined) return -1;
  return second.rank - first.rank || difference(second.major, first.major) || difference(second.minor, first.minor);
}

interface KubernetesVersion {
  readonly rank: number;
  readonly major: bigint;
  readonly minor: bigint;
}

function parse(version: string): KubernetesVersion | undefined {
  const [all, major = "", stage = "", minor = "0"] = pattern.exec(version) ?? [];
  if (all === undefined) return undefined;
  const numbers = { major: BigInt(major), minor: BigInt(minor) };
  // A number that Go cannot hold makes the name no version.
  if (numbers.major > largestNumber || numbers.minor > largestNumber) return undefined;
  return { rank: ranks[stage] ?? 2, ...numbers };
}

function difference(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}
