import { randomUUID } from "node:crypto";
import { openApiServer, openMemoryStore } from "#apiserver";
import { Machine } from "#api";
import { createLogger, systemClock } from "#base";
import { createClient } from "#client";
import { type ConditionTable, defineCondition, nothing, otherwise, True } from "#conditions";
import { createManager, defineReconciler, defineStep, type Manager, type PassRecord } from "#control";
import type { KubeObject, ObjectKey } from "#machinery";

const machines = 200;
const rounds = 200;

interface BenchFacts {
  readonly [step: string]: number;
}

/** What a pass costs that finds everything as it should be: five steps, ten tables, one object out of a cache. */
export async function bench(print: (line: object) => void): Promise<void> {
  const log = createLogger({ format: "json", level: "error", clock: systemClock, destination: process.stderr });
  const server = await openApiServer({
    store: openMemoryStore(),
    clock: systemClock,
    log,
    random: () => 0.5,
    uuid: randomUUID,
    onFatal: (error) => {
      throw error;
    },
  });
  const client = createClient(server.transport(), { fieldOwner: "bench" });
  const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
  await client.create(definitions, Machine.crd());
  await server.settle();
  const keys = Array.from({ length: machines }, (_, index) => ({ namespace: "default", name: `machine-${index}` }));
  for (const key of keys) await client.create(Machine, machineOf(key));

  const records: PassRecord[] = [];
  const stop = new AbortController();
  const manager = createManager({ client, log, uuid: randomUUID, onPass: (record) => void records.push(record) });
  manager.add(reconciler, {}, { concurrency: 10 });
  const { running } = await started(manager, stop.signal);
  const [controller] = manager.controllers;
  await controller?.idle();
  const passOverAll = async () => {
    records.length = 0;
    const start = performance.now();
    for (const key of keys) controller?.add(key);
    await controller?.idle();
    return ((performance.now() - start) * 1000) / records.length;
  };
  const cpu = process.cpuUsage();
  for (let round = 0; round < rounds; round++) await passOverAll();
  const { user, system } = process.cpuUsage(cpu);
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) costs.push(await passOverAll());
  const name = "no-change pass, 5 steps, 10 tables, with queue, metrics and last passes";
  const writes = records.flatMap(({ wrote }) => wrote).length;
  const sorted = costs.toSorted((a, b) => a - b);
  const [best, median] = [sorted[0] ?? 0, sorted[rounds / 2] ?? 0];
  print({ bench: "control.pass", name, best: tenth(best), median: tenth(median), unit: "us", writes, most: 60 });
  print({
    bench: "control.pass",
    name: "CPU of the first passes of a process, its compiler and collector included",
    value: tenth((user + system) / machines / rounds),
    unit: "us",
  });
  stop.abort();
  await running;
  await server.close();
}

function started(manager: Manager, signal: AbortSignal): Promise<{ readonly running: Promise<void> }> {
  return new Promise((resolve) => {
    const running = manager.run({ signal, onStarted: () => resolve({ running }) });
  });
}

const steps = Array.from({ length: 5 }, (_, index) =>
  defineStep<KubeObject, BenchFacts>({
    name: `step-${index}`,
    text: "look at something and write it down",
    observe: async ({ reader, object }) => {
      const { namespace = "", name = "" } = object.metadata;
      const found = await reader.find(Machine, { namespace, name });
      return { [`seen-${index}`]: found?.metadata.generation ?? 0 };
    },
    run({ status }) {
      Reflect.set(status, "phase", "Running");
    },
  }),
);

const reconciler = defineReconciler<KubeObject, BenchFacts>({
  name: "bench",
  kind: Machine,
  facts: () => ({ generation: 0 }),
  steps,
  conditions: Array.from({ length: 10 }, (_, index) => tableOf(`Condition${index}`)),
});

function tableOf(type: string): ConditionTable<BenchFacts> {
  return defineCondition({
    of: "Machine",
    type,
    summary: "Always holds.",
    reasons: ["Fine"],
    rows: [],
    otherwise: otherwise({
      id: "fine",
      when: "always",
      sees: (facts: BenchFacts) => ({ seen: Object.keys(facts).length }),
      ensure: nothing("all is well"),
      report: (seen) => True("Fine", `${seen.seen} facts`),
    }),
  });
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function machineOf({ namespace = "", name }: ObjectKey): Machine {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { namespace, name },
    spec: {
      clusterName: "c1",
      bootstrap: { dataSecretName: "s" },
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name },
    },
  };
}
