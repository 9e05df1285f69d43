import { readFileSync } from "node:fs";
import { decodeJson, isJsonObject, type JsonObject } from "#machinery";
import type { BenchOptions } from "../tools/bench/benches.ts";
import { connectWire, type WireAnswer, type WireClient } from "../tools/bench/wire-client.ts";
import { startCapstan, startReal, type WireSubject } from "../tools/bench/wire-subject.ts";

const clients = 32;
const connections = 8;
const objects = 200;
const watchers = 100;
const listed = 2000;
const path = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines";

type Results = Map<string, number>;

/** The server over TLS, durable, in a process of its own, under the load of 32 clients. */
export async function bench(print: (line: object) => void, { against }: BenchOptions): Promise<void> {
  const ours = await measure(await startCapstan());
  for (const [name, value] of ours) print({ bench: `apiserver.${name}`, value: round(value) });
  if (against !== "real") return;
  for (const [name, real] of await measure(await startReal())) {
    print({ bench: `apiserver.${name}`, real: round(real), ratio: round((ours.get(name) ?? 0) / real) });
  }
}

async function measure(subject: WireSubject): Promise<Results> {
  const results: Results = new Map([["start ms", round(subject.startMs)]]);
  const sessions = Array.from({ length: connections }, () => connectWire(subject.kubeconfig));
  const sessionOf = (index: number): WireClient => {
    const session = sessions[index % connections];
    if (session === undefined) throw new Error("there is no client");
    return session;
  };
  const client = sessionOf(0);
  try {
    results.set("RSS idle MB", subject.memory() / 1e6);
    await prepare(client);
    await throughput("GET per core-second", (worker) => worker.get());
    await throughput("PUT per core-second", (worker) => worker.put());
    await throughput("status patch per core-second", (worker) => worker.patchStatus());
    await throughput("apply per core-second", (worker) => worker.apply());
    results.set("watch deliveries per core-second", await deliveries());
    results.set(`LIST ${listed} ms`, await lists());
    results.set("RSS after MB", subject.memory() / 1e6);
  } finally {
    for (const session of sessions) session.close();
    await subject.stop();
  }
  return results;

  async function throughput(name: string, work: (worker: Worker) => Promise<void>): Promise<void> {
    const workers = Array.from({ length: clients }, (_, index) => workerOf(sessionOf(index), index));
    const rounds = async (milliseconds: number) => {
      let count = 0;
      const end = performance.now() + milliseconds;
      const run = async (worker: Worker) => {
        for (; performance.now() < end; count += 1) await work(worker);
      };
      await Promise.all(workers.map(run));
      return count;
    };
    await rounds(1000);
    const [cpu, begun] = [subject.cpu(), performance.now()];
    const count = await rounds(3000);
    const seconds = (performance.now() - begun) / 1000;
    results.set(name, count / ((subject.cpu() - cpu) / 1000));
    results.set(name.replace("per core-second", "per second"), count / seconds);
  }

  async function deliveries(): Promise<number> {
    const seen = { lines: 0 };
    const streams = Array.from({ length: watchers }, (_, index) =>
      sessionOf(index).watch(`${path}?watch=1&resourceVersion=0&timeoutSeconds=600`, (chunk) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) seen.lines += 1;
      }),
    );
    if (!(await until(() => seen.lines >= watchers * objects))) return Number.NaN;
    seen.lines = 0;
    const workers = Array.from({ length: clients }, (_, index) => workerOf(sessionOf(index), index));
    const idle = subject.cpu();
    const rounds = 20;
    await Promise.all(
      workers.map(async (worker) => {
        for (let turn = 0; turn < rounds; turn += 1) await worker.put();
      }),
    );
    if (!(await until(() => seen.lines >= watchers * clients * rounds))) return Number.NaN;
    const cost = subject.cpu() - idle;
    for (const stream of streams) stream.close();
    const puts = (results.get("PUT per core-second") ?? 1) / 1000;
    return (watchers * clients * rounds) / ((cost - (clients * rounds) / puts) / 1000);
  }

  async function lists(): Promise<number> {
    for (let index = objects; index < listed; index += clients) {
      await Promise.all(
        Array.from({ length: Math.min(clients, listed - index) }, (_, offset) =>
          create(sessionOf(offset), index + offset),
        ),
      );
    }
    const times: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      const begun = performance.now();
      await expectCode(200, client.call("GET", path));
      times.push(performance.now() - begun);
    }
    return Math.min(...times);
  }
}

interface Worker {
  get(): Promise<void>;
  put(): Promise<void>;
  patchStatus(): Promise<void>;
  apply(): Promise<void>;
}

/** Each worker keeps to its own objects, so that nobody conflicts. */
function workerOf(client: WireClient, worker: number): Worker {
  const own = Array.from({ length: Math.floor(objects / clients) }, (_, index) => worker + index * clients);
  const latest = new Map<number, JsonObject>();
  let turn = 0;
  const next = () => own[turn++ % own.length] ?? worker;
  return {
    async get() {
      await expectCode(200, client.call("GET", `${path}/${nameOf(next())}`));
    },
    async put() {
      const index = next();
      const url = `${path}/${nameOf(index)}`;
      const old = latest.get(index) ?? parsed(await expectCode(200, client.call("GET", url)));
      const metadata = isJsonObject(old["metadata"]) ? old["metadata"] : {};
      const annotations = { turn: String(turn) };
      const changed = { ...old, metadata: { ...metadata, annotations } };
      latest.set(index, parsed(await expectCode(200, client.call("PUT", url, JSON.stringify(changed)))));
    },
    async patchStatus() {
      const patch = JSON.stringify({ status: { observedGeneration: turn + 1 } });
      const url = `${path}/${nameOf(next())}/status`;
      await expectCode(200, client.call("PATCH", url, patch, "application/merge-patch+json"));
    },
    async apply() {
      const name = nameOf(next());
      const metadata = { name, namespace: "default", labels: { turn: String(turn) } };
      const body = JSON.stringify({ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Machine", metadata });
      const url = `${path}/${name}?fieldManager=applier&force=true`;
      await expectCode(200, client.call("PATCH", url, body, "application/apply-patch+yaml"));
    },
  };
}

async function prepare(client: WireClient): Promise<void> {
  const definition = parsed({ code: 200, body: readFileSync("test/fixtures/schema/machines-definition.json") });
  const spec = isJsonObject(definition["spec"]) ? definition["spec"] : {};
  // There is no manager here that could convert.
  const body = JSON.stringify({ ...definition, spec: { ...spec, conversion: { strategy: "None" } } });
  await expectCode(201, client.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", body));
  for (let tries = 0; (await client.call("GET", path)).code !== 200; tries += 1) {
    if (tries > 10_000) throw new Error("the definition is not served");
    await nextTurn();
  }
  for (let index = 0; index < objects; index += 1) await create(client, index);
}

async function create(client: WireClient, index: number): Promise<void> {
  const machine = parsed({ code: 200, body: readFileSync("test/fixtures/schema/machine.json") });
  const { labels, annotations } = isJsonObject(machine["metadata"]) ? machine["metadata"] : {};
  const metadata = {
    name: nameOf(index),
    namespace: "default",
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  };
  const { status, ...rest } = machine;
  await expectCode(201, client.call("POST", path, JSON.stringify({ ...rest, metadata })));
  const patch = JSON.stringify({ status });
  await expectCode(200, client.call("PATCH", `${path}/${nameOf(index)}/status`, patch, "application/merge-patch+json"));
}

async function expectCode(code: number, answer: Promise<WireAnswer>): Promise<WireAnswer> {
  const given = await answer;
  if (given.code === code) return given;
  throw new Error(`expected ${code}, got ${given.code}: ${given.body.toString().slice(0, 500)}`);
}

function parsed({ body }: WireAnswer): JsonObject {
  const { value } = decodeJson(body);
  if (!isJsonObject(value)) throw new Error("the server answered something that is no object");
  return value;
}

function nameOf(index: number): string {
  return `machine-${String(index).padStart(5, "0")}`;
}

/** Waits for something; false where it does not come. */
async function until(isSo: () => boolean): Promise<boolean> {
  const end = performance.now() + 30_000;
  while (!isSo() && performance.now() < end) await nextTurn();
  return isSo();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

function round(value: number): number {
  return value >= 100 ? Math.round(value) : Math.round(value * 100) / 100;
}
