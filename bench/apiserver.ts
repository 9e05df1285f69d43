import { type BenchOptions, UnknownBenchError } from "../tools/bench/benches.ts";
import {
  allMachines,
  type Cost,
  type MachineClient,
  MachineLoad,
  machinesPerNamespace,
  nextLook,
} from "../tools/bench/machine-load.ts";
import { startCapstan, startReal } from "../tools/bench/wire-subject.ts";

// What is first is not counted: programs are compiled and caches filled meanwhile.
const rounds = 4;
const millisecondsPerRound = 1500;
const watchers = 100;
const watchRounds = 4;
const writesPerClient = 20;
const lists = 5;
const mostFailures = 20;

type Measure = (load: MachineLoad) => number | Promise<number>;

/**
 * The server over TLS, durable, in a process of its own, under the load of 32 clients on 10,000 Machines of 5 kB. Against
 * the real one the two take turns, so that whatever else the machine does weighs on both. The CPU of all threads counts.
 */
export async function bench(print: (line: object) => void, { against, only }: BenchOptions): Promise<void> {
  const chosen = chosenFigures(only);
  const loads: MachineLoad[] = [];
  try {
    loads.push(new MachineLoad(await startCapstan()));
    if (against === "real") loads.push(new MachineLoad(startReal()));
    await fill(loads, print);
    for (const measure of chosen) await measure(loads, print);
    print(lineOf(`RSS with ${allMachines} Machines after the load MB`, loads.map(megabytes)));
  } finally {
    for (const load of loads) await load.stop();
  }
}

type Figure = (loads: readonly MachineLoad[], print: (line: object) => void) => Promise<void>;

/** What is measured on servers that are full. */
const figures: Readonly<Record<string, Figure>> = {
  get: throughput("GET", (client) => client.get()),
  put: throughput("PUT", (client) => client.put()),
  status: throughput("merge patch of status", (client) => client.patchStatus()),
  apply: throughput("changing apply", (client) => client.apply()),
  async watch(loads, print) {
    const sums = await allDeliveries(loads);
    print(lineOf("watch deliveries per core-second", sums.map(rate)));
    // The difference of two large numbers: a rough one.
    const alone = sums.map(({ count, cpu, writes }) => rate({ count, cpu: cpu - writes }));
    print(lineOf("watch deliveries per core-second without what the writes cost", alone));
  },
  async list(loads, print) {
    print(lineOf(`LIST of ${machinesPerNamespace} ms`, await fastest(loads, (load) => load.list())));
  },
};

function chosenFigures(only: string | undefined): readonly Figure[] {
  if (only === undefined) return Object.values(figures);
  const chosen = figures[only];
  if (chosen !== undefined) return [chosen];
  throw new UnknownBenchError(`there is no figure ${only}; there are ${Object.keys(figures).join(", ")}`);
}

async function fill(loads: readonly MachineLoad[], print: (line: object) => void): Promise<void> {
  const each = async (figure: string, measure: Measure) => {
    const values: number[] = [];
    for (const load of loads) values.push(await measure(load));
    print(lineOf(figure, values));
  };
  await each("cold start ms", ({ subject }) => subject.startMs);
  await each("RSS empty MB", megabytes);
  await each("creates per core-second", async (load) => rate(await load.fill()));
  for (const load of loads) await load.quiet();
  await each("bytes of a Machine", (load) => load.machineBytes());
  await each(`RSS with ${allMachines} Machines MB`, megabytes);
}

function throughput(name: string, work: (client: MachineClient) => Promise<void>): Figure {
  return async (loads, print) => print(lineOf(`${name} per core-second`, await perCoreSecond(loads, work)));
}

/** How often the clients of each server do something while its process uses a second of CPU. */
async function perCoreSecond(
  loads: readonly MachineLoad[],
  work: (client: MachineClient) => Promise<void>,
): Promise<readonly number[]> {
  const crews = loads.map((load) => ({ load, clients: load.clients(), count: 0, cpu: 0 }));
  for (let round = 0; round < rounds; round += 1) {
    for (const crew of crews) {
      const { count, cpu } = await crew.load.cost(() => roundOf(crew.clients, work));
      if (round === 0) continue;
      crew.count += count;
      crew.cpu += cpu;
    }
  }
  return crews.map(rate);
}

async function roundOf(
  clients: readonly MachineClient[],
  work: (client: MachineClient) => Promise<void>,
): Promise<number> {
  let [count, failures] = [0, 0];
  const end = performance.now() + millisecondsPerRound;
  const run = async (client: MachineClient) => {
    while (performance.now() < end) {
      try {
        await work(client);
        count += 1;
      } catch (error) {
        // A server on a busy machine may not get to everything in time.
        failures += 1;
        if (failures > mostFailures) throw error;
      }
    }
  };
  await Promise.all(clients.map(run));
  return count;
}

/** Events brought to watchers, with what that cost together with the writes, and what as many writes cost by themselves. */
interface Deliveries extends Cost {
  readonly writes: number;
}

async function deliveries(load: MachineLoad): Promise<Deliveries> {
  const clients = load.clients();
  const write = async () => {
    const run = async (client: MachineClient) => {
      for (let turn = 0; turn < writesPerClient; turn += 1) await client.put();
    };
    await Promise.all(clients.map(run));
    return clients.length * writesPerClient;
  };
  const before = await load.cost(write);
  const { seen, close } = await load.watch(watchers);
  const deliver = async () => {
    const until = seen();
    await settled(seen, until + watchers * (await write()));
    return seen() - until;
  };
  await deliver();
  const together = await load.cost(deliver);
  close();
  const after = await load.cost(write);
  return { ...together, writes: (before.cpu + after.cpu) / 2 };
}

/** All rounds together, in which the servers take turns. */
async function allDeliveries(loads: readonly MachineLoad[]): Promise<readonly Deliveries[]> {
  let sums = loads.map((): Deliveries => ({ count: 0, cpu: 0, writes: 0 }));
  for (let round = 0; round < watchRounds; round += 1) {
    const added: Deliveries[] = [];
    for (const load of loads) added.push(await deliveries(load));
    sums = sums.map((sum, index) => sumOf(sum, added[index] ?? sum));
  }
  return sums;
}

function sumOf(one: Deliveries, other: Deliveries): Deliveries {
  return { count: one.count + other.count, cpu: one.cpu + other.cpu, writes: one.writes + other.writes };
}

/** Waits until all events have come, or no more do: the real server drops watchers that it finds slow. */
async function settled(seen: () => number, all: number): Promise<void> {
  const patience = 3000;
  let [last, since] = [seen(), performance.now()];
  while (seen() < all && performance.now() - since < patience) {
    await nextLook();
    if (seen() !== last) [last, since] = [seen(), performance.now()];
  }
}

async function fastest(loads: readonly MachineLoad[], measure: Measure): Promise<readonly number[]> {
  const best = loads.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < lists; turn += 1) {
    for (const [index, load] of loads.entries()) {
      best[index] = Math.min(best[index] ?? Number.POSITIVE_INFINITY, await measure(load));
    }
  }
  return best;
}

function rate({ count, cpu }: { readonly count: number; readonly cpu: number }): number {
  return count / (cpu / 1000);
}

function megabytes({ subject }: MachineLoad): number {
  return subject.memory() / 1e6;
}

function lineOf(figure: string, [ours = Number.NaN, real]: readonly number[]): object {
  const line = { bench: `apiserver.${figure}`, ours: rounded(ours) };
  return real === undefined ? line : { ...line, real: rounded(real), ratio: rounded(ours / real) };
}

function rounded(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
