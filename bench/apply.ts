import type { KubeObject, Transport } from "#machinery";
import { ApplyLoad, appliedMachines, configurationText, statusPatch } from "../tools/bench/apply-load.ts";
import type { BenchOptions } from "../tools/bench/benches.ts";
import { cpuOf, measured, type Rates, ratesOf, summaryOf } from "../tools/bench/cpu.ts";
import { machines, nameOf, namespace, openWorld } from "../tools/bench/engine-world.ts";
import { startCapstan, startReal } from "../tools/bench/wire-subject.ts";

const rounds = 5;
const writers = 64;
const appliesPerWriter = 150;
const millisecondsPerRound = 1500;
const millisecondsBefore = 4000;
const kinds = ["changing", "no-op"] as const;
const goals = {
  "in process": { changing: 5000, "no-op": 8000 },
  "over TLS": { changing: 1200, "no-op": 1800 },
  ratio: 10,
} as const;

type Kind = (typeof kinds)[number];
type Print = (line: object) => void;

/**
 * Server-side apply of the whole configuration of a 4.5 kB Machine: one that changes its spec, and one that changes nothing.
 * The CPU of all threads counts; over TLS that of the server, and against the real one the two take turns.
 */
export async function bench(print: Print, { against }: BenchOptions): Promise<void> {
  await inProcess(print);
  await overTheWire(print, against);
}

async function inProcess(print: Print): Promise<void> {
  await using world = await openWorld();
  const { transport } = world;
  const bytes = await fill(transport);
  for (const kind of kinds) {
    const rates = await ratesInProcess(transport, kind);
    print({ ...lineOf(kind, "in process", rates), bytes });
  }
}

async function fill(transport: Transport): Promise<number> {
  let bytes = 0;
  for (let index = 0; index < appliedMachines; index += 1) {
    await transport.apply(machines, parsed(configurationText(index)), { fieldManager: "bench" });
    const key = { namespace, name: nameOf(index) };
    const patch = { kind: "merge", patch: statusPatch } as const;
    const machine = await transport.patch(machines, key, patch, { subresource: "status", fieldManager: "manager" });
    bytes = JSON.stringify(machine).length;
  }
  return bytes;
}

async function ratesInProcess(transport: Transport, kind: Kind): Promise<Rates> {
  const total = writers * appliesPerWriter;
  let ticks = 0;
  const textsOf = () => {
    // Made beforehand: a manager has its configuration, and what is measured is what becomes of it.
    const tick = kind === "changing" ? (ticks += 1) : undefined;
    return Array.from({ length: appliedMachines }, (_, index) => configurationText(index, tick));
  };
  const run = async () => {
    const texts = Array.from({ length: (appliesPerWriter * writers) / appliedMachines }, textsOf);
    const work = async (writer: number) => {
      for (const [turn, each] of texts.entries()) {
        for (let index = writer; index < appliedMachines; index += writers) {
          const configuration = parsed(each[index] ?? "");
          const stored = await transport.apply(machines, configuration, { fieldManager: "bench" });
          if (turn === 0 && stored.metadata.name !== nameOf(index)) throw new Error(`this is not Machine ${index}`);
        }
      }
    };
    const effort = await measured(() => Promise.all(Array.from({ length: writers }, (_, writer) => work(writer))));
    // Reading the configuration is what a client in process would not do.
    const reading = cpuOf(() => {
      for (const each of texts) for (const text of each) parsed(text);
    });
    return effort.cpu - reading;
  };
  await run();
  await run();
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round += 1) seconds.push(await run());
  return ratesOf(total, seconds);
}

async function overTheWire(print: Print, against: BenchOptions["against"]): Promise<void> {
  const loads: ApplyLoad[] = [];
  try {
    loads.push(new ApplyLoad(await startCapstan()));
    if (against === "real") loads.push(new ApplyLoad(startReal()));
    let bytes = 0;
    for (const load of loads) bytes = await load.fill();
    for (const kind of kinds) {
      const [ours, real] = await ratesOverTheWire(loads, kind);
      if (ours !== undefined) print({ ...lineOf(kind, "over TLS", ours), bytes });
      if (ours !== undefined && real !== undefined) print(comparisonOf(kind, ours, real));
    }
  } finally {
    for (const { subject } of loads) await subject.stop();
  }
}

async function ratesOverTheWire(loads: readonly ApplyLoad[], kind: Kind): Promise<readonly Rates[]> {
  // What is first is not counted: programs are compiled and caches filled meanwhile.
  for (const load of loads) await load.rate(kind, millisecondsBefore);
  const found = loads.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, load] of loads.entries()) {
      found[index]?.push(Math.round(await load.rate(kind, millisecondsPerRound)));
    }
  }
  return found.map(summaryOf);
}

function lineOf(kind: Kind, where: "in process" | "over TLS", { median, ...others }: Rates): object {
  const name = `${kind} apply ${where}`;
  const unit = `per core-second, median of ${rounds} rounds`;
  return { bench: "apply", name, value: median, unit, atLeast: goals[where][kind], ...others };
}

function comparisonOf(kind: Kind, ours: Rates, real: Rates): object {
  const value = Math.round((ours.median / real.median) * 10) / 10;
  const name = `${kind} apply over TLS against the real server`;
  return { bench: "apply", name, value, unit: "times", atLeast: goals.ratio, real: real.median, rounds: real.rounds };
}

function parsed(text: string): KubeObject {
  return JSON.parse(text);
}
