import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, systemClock } from "#base";
import { type ApiServer, openApiServer, openLmdbStore } from "#apiserver";
import { asJson, fieldAt, isJsonObject, type KubeObject, type Transport } from "#machinery";
import { root } from "../root.ts";

const definitions = {
  group: "apiextensions.k8s.io",
  version: "v1",
  resource: "customresourcedefinitions",
};

/** The resource that is measured. */
export const machines = { group: "cluster.x-k8s.io", version: "v1beta2", resource: "machines" };
export const namespace = "default";

/** A server in this process, durable, that knows Machines with their full schema. */
export interface EngineWorld extends AsyncDisposable {
  readonly server: ApiServer;
  readonly transport: Transport;
}

/** Opens one in a folder, or in one of its own that goes when it is closed. */
export async function openWorld(folder?: string): Promise<EngineWorld> {
  const directory = folder ?? mkdtempSync(join(tmpdir(), "capstan-bench-"));
  const server = await openApiServer({
    store: await openLmdbStore({ directory }),
    clock: systemClock,
    log: createLogger({ format: "text", level: "warn", destination: process.stderr, clock: systemClock }),
    random: Math.random,
    uuid: randomUUID,
    onFatal: (error) => {
      throw error;
    },
  });
  const transport = server.transport();
  if ((await transport.list(definitions)).items.length === 0) {
    await transport.create(definitions, machineDefinition());
    await server.settle();
  }
  return {
    server,
    transport,
    async [Symbol.asyncDispose]() {
      await server.close();
      if (folder === undefined) rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The whole schema of a Machine; without the conversion, for which somebody would have to be called. */
function machineDefinition(): KubeObject {
  const definition = readFixture("machines-definition.json");
  const spec = asJson(definition)["spec"];
  return { ...definition, spec: { ...(isJsonObject(spec) ? spec : {}), conversion: { strategy: "None" } } };
}

/** Creates so many Machines, a hundred at a time. */
export async function createMachines(transport: Transport, count: number, machine: KubeObject): Promise<void> {
  for (let from = 0; from < count; from += 100) {
    const batch = Array.from({ length: Math.min(100, count - from) }, (_, step) => {
      const metadata = { ...machine.metadata, name: nameOf(from + step), namespace };
      return transport.create(machines, { ...machine, metadata }, { fieldManager: "bench" });
    });
    await Promise.all(batch);
  }
}

export function nameOf(index: number): string {
  return `machine-${String(index).padStart(5, "0")}`;
}

/** About 4.5 kB once it is stored, with the account of its owners. */
export function bigMachine(): KubeObject {
  const { metadata, spec, ...machine } = readFixture("machine.json");
  const { labels = {}, annotations = {} } = metadata;
  const { status } = machine;
  const conditions = fieldAt(status, "conditions");
  return {
    apiVersion: machine.apiVersion,
    kind: machine.kind,
    metadata: { labels, annotations },
    spec,
    status: { phase: fieldAt(status, "phase"), conditions: Array.isArray(conditions) ? conditions.slice(0, 7) : [] },
  };
}

function readFixture(name: string): KubeObject {
  return JSON.parse(readFileSync(join(root, "test/fixtures/schema", name), "utf8"));
}
