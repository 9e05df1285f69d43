import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { milliseconds, minutes, systemClock } from "#base";
import type { Client } from "#client";
import { findOddities } from "./plane/oddities.ts";
import { createClusters, deleteClusters, untilGone, untilReady } from "./plane/dev-clusters.ts";
import { connectTo, startUp, type UpProcess } from "./plane/up-process.ts";

/** How much chaos there is. */
export interface ChaosOptions {
  readonly clusters: number;
  readonly kills: number;
  /** Decides when each process is killed. */
  readonly seed: number;
  readonly print: (line: string) => void;
}

/**
 * Kills `capstan up` again and again while clusters are created, and starts it again each time; then proves that all of
 * them are ready, that nothing is there twice and that nothing belongs to nobody, and that all of it can be deleted.
 */
export async function chaos({ clusters, kills, seed, print }: ChaosOptions): Promise<void> {
  const random = createRandom(seed);
  const data = await mkdtemp(join(tmpdir(), "capstan-chaos-"));
  const port = await freePort();
  print(`chaos: ${clusters} clusters, ${kills} kills, seed ${seed}, data in ${data}`);
  const names = Array.from({ length: clusters }, (_, index) => `c${index}`);
  const plane = new KilledPlane(data, port);
  await plane.start();
  const created = createClusters(() => plane.client(), names, { atATime: 4, onFailure: () => plane.isBack() });
  for (let kill = 1; kill <= kills; kill++) {
    await systemClock.sleep(milliseconds(200 + Math.floor(random() * 2800)));
    await plane.killAndStart();
    print(`kill ${kill}: ${await plane.census()}`);
  }
  await created;
  const client = await plane.client();
  const signal = AbortSignal.timeout(minutes(5));
  await untilReady(client, clusters, { signal });
  const odd = await findOddities(client, names);
  if (odd.length > 0) throw new Error(`${odd.join("\n")}\nseed ${seed}; its data is left in ${data}`);
  print(`all ${clusters} clusters are ready; nothing is there twice, and nothing belongs to nobody`);
  await deleteClusters(client, names);
  await untilGone(client, { signal });
  print("all of it is gone again");
  await plane.stop();
  await rm(data, { recursive: true });
}

/** A plane that is killed and started again, always where it was. */
class KilledPlane {
  readonly #data: string;
  readonly #port: number;
  #process: UpProcess | undefined;
  #connection: ({ readonly client: Client } & Disposable) | undefined;
  #back: Promise<void> = Promise.resolve();

  constructor(data: string, port: number) {
    this.#data = data;
    this.#port = port;
  }

  async start(): Promise<void> {
    this.#process = startUp({ data: this.#data, port: this.#port });
    await this.#process.ready;
    this.#connection ??= await connectTo(this.#process.kubeconfig);
  }

  async killAndStart(): Promise<void> {
    await this.#process?.kill();
    this.#back = this.start();
    await this.#back;
  }

  async client(): Promise<Client> {
    await this.#back;
    if (this.#connection === undefined) throw new Error("the plane was never up");
    return this.#connection.client;
  }

  /** A call that failed is made again once the plane is up; what fails while it is up is no victim of a kill. */
  async isBack(): Promise<void> {
    await systemClock.sleep(milliseconds(50));
    await this.#back;
  }

  async census(): Promise<string> {
    const client = await this.client();
    const { items } = await client.list({ group: "cluster.x-k8s.io", version: "v1beta2", kind: "Machine" });
    return `${items.length} Machines`;
  }

  async stop(): Promise<void> {
    this.#connection?.[Symbol.dispose]();
    await this.#process?.stop();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Numbers from 0 up to 1, the same ones for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ options: { clusters: text, kills: text, seed: text } });
  const { clusters = "50", kills = "20", seed = String(systemClock.instant() % 1_000_000) } = values;
  const print = (line: string) => console.log(line);
  await chaos({ clusters: Number(clusters), kills: Number(kills), seed: Number(seed), print });
}
