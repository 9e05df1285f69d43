/** What a piece of work took, in seconds; the CPU is that of all threads. */
export interface Effort {
  readonly cpu: number;
  readonly wall: number;
}

/** Does something and says what it took. */
export async function measured(work: () => Promise<unknown>): Promise<Effort> {
  const start = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpu: (user + system) / 1e6, wall: (performance.now() - start) / 1000 };
}

/** The CPU that something takes which does not wait, in seconds. */
export function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** How often something was done for each second of CPU, in several rounds. */
export interface Rates {
  readonly median: number;
  readonly best: number;
  readonly rounds: readonly number[];
}

/** The rates of rounds that did something so many times each and took so many seconds of CPU. */
export function ratesOf(count: number, seconds: readonly number[]): Rates {
  return summaryOf(seconds.map((cpu) => Math.round(count / cpu)));
}

/** The rates of rounds, put together. */
export function summaryOf(rounds: readonly number[]): Rates {
  const sorted = rounds.toSorted((a, b) => b - a);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, best: sorted[0] ?? 0, rounds };
}
