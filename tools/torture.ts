import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { TortureCheck } from "./torture-check.ts";
import { loadTortureModule, type TortureRecord } from "./torture-subject.ts";

const writers = 32;

export interface TortureOptions {
  readonly rounds: number;
  /** Decides when each process is killed. */
  readonly seed: number;
  /** The compiled module under torture; the whole engine unless told otherwise. */
  readonly module?: string;
  /** Where these tools lie compiled. */
  readonly compiled: string;
  readonly print: (line: string) => void;
}

/** Kills a process that writes with all its might, again and again, and proves each time that nothing was lost. */
export async function torture({
  rounds,
  seed,
  module,
  compiled,
  print,
}: TortureOptions): Promise<{ readonly acknowledged: number }> {
  const path = module === undefined ? join(compiled, "torture-engine.js") : resolve(module);
  const tortured = await loadTortureModule(pathToFileURL(path).href);
  const random = createRandom(seed);
  const check = new TortureCheck();
  const directory = await mkdtemp(join(tmpdir(), "capstan-torture-"));
  let acknowledged = 0;
  let sequence = 0;
  print(`torture: ${rounds} rounds, seed ${seed}, ${path}`);
  for (let round = 1; round <= rounds; round++) {
    const life = 20 + Math.floor(random() * 230);
    const child = [join(compiled, "torture-child.js"), pathToFileURL(path).href, directory, String(sequence)];
    const writes = await writesUntilKilled(child, life);
    acknowledged += writes.length;
    sequence = writes.reduce((max, write) => Math.max(max, write.sequence), sequence) + writers;
    const findings = await tortured.openFindings(directory);
    try {
      await check.verify(writes, findings, { writers });
    } catch (error) {
      throw new Error(`round ${round} of seed ${seed} failed; its data is left in ${directory}`, { cause: error });
    } finally {
      await findings.close();
    }
    if (round % 20 === 0 || round === rounds)
      print(`round ${round}: ${acknowledged} acknowledged writes, none lost; revision ${findings.revision}`);
  }
  await rm(directory, { recursive: true });
  return { acknowledged };
}

/** Runs the child until it has been ready for so many milliseconds, and returns what it acknowledged. */
async function writesUntilKilled(parameters: readonly string[], life: number): Promise<readonly TortureRecord[]> {
  const child = spawn(process.execPath, parameters, { stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  const errors: string[] = [];
  child.stderr.on("data", (chunk) => errors.push(String(chunk)));
  const writes: TortureRecord[] = [];
  for await (const line of createInterface(child.stdout)) {
    if (line === "ready") {
      setTimeout(() => child.kill("SIGKILL"), life);
      continue;
    }
    const [op, key, revision, number, ...rest] = line.split(" ");
    // The kill may cut the last line.
    if (key === undefined || number === undefined || rest.length > 0 || (op !== "put" && op !== "remove")) continue;
    writes.push({ op, key, revision: Number(revision), sequence: Number(number) });
  }
  const [code, signal]: unknown[] = await closed;
  if (signal !== "SIGKILL")
    throw new Error(`the writing process ended by itself (${String(code)}): ${errors.join("")}`);
  return writes;
}

/** Numbers between 0 and 1, the same ones for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: { rounds: { type: "string", default: "200" }, seed: { type: "string" }, module: { type: "string" } },
  });
  await torture({
    rounds: Number(values.rounds),
    seed: values.seed === undefined ? Date.now() % 2 ** 32 : Number(values.seed),
    ...(values.module === undefined ? {} : { module: values.module }),
    compiled: import.meta.dirname,
    print: console.log,
  });
}
