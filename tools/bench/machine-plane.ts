import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLogger, systemClock } from "#base";
import { type ApiServer, openApiServer, openMemoryStore, type Pki } from "#apiserver";
import { fieldAt, isJsonObject, type KubeObject, type Transport } from "#machinery";
import { root } from "../root.ts";

const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
const machinesPerSet = 20;

export const machines = { group: "cluster.x-k8s.io", version: "v1beta2", resource: "machines" };

/** A server in memory with Machines on it, as large clusters have them. */
export interface MachinePlane {
  readonly server: ApiServer;
  readonly transport: Transport;
  /** Changes the status of Machines one after the other, as their controllers do. */
  touch(times: number): Promise<void>;
  close(): Promise<void>;
}

/** Opens a server with so many Machines; with certificates it can be asked who calls. */
export async function openMachinePlane(count: number, pki?: Pki): Promise<MachinePlane> {
  const server = await openApiServer({
    store: openMemoryStore(),
    clock: systemClock,
    log: createLogger({ format: "text", level: "error", clock: systemClock, destination: process.stderr }),
    random: Math.random,
    uuid: randomUUID,
    ...(pki === undefined
      ? {}
      : { security: { authority: pki.authority, tokenKey: pki.tokenKey, issuer: "https://kubernetes.default.svc" } }),
    onFatal: (error) => {
      throw error;
    },
  });
  const transport = server.transport();
  await transport.create(definitions, definition());
  await server.settle();
  const machine = fixture("machine.json");
  for (let index = 0; index < count; index += 100)
    await Promise.all(Array.from({ length: 100 }, (_, offset) => create(transport, machine, index + offset)));
  let touched = 0;
  return {
    server,
    transport,
    async touch(times) {
      for (let left = times; left > 0; left -= 1) {
        touched += 1;
        const patch = { status: { observedGeneration: touched, lastUpdated: timeOf(touched) } };
        const key = { namespace: "default", name: nameOf(touched % count) };
        await transport.patch(
          machines,
          key,
          { kind: "merge", patch },
          { subresource: "status", fieldManager: "manager" },
        );
      }
    },
    close: () => server.close(),
  };
}

async function create(transport: Transport, machine: KubeObject, index: number): Promise<void> {
  const { status, metadata, ...rest } = machineOf(machine, index);
  const { namespace = "", name = "", labels = {}, annotations = {}, finalizers = [] } = metadata;
  const given = { namespace, name, labels, annotations, finalizers };
  await transport.create(machines, { ...rest, metadata: given }, { fieldManager: "manager" });
  const patch = { status: isJsonObject(status) ? status : {} };
  const options = { subresource: "status", fieldManager: "manager" };
  await transport.patch(machines, { namespace, name }, { kind: "merge", patch }, options);
}

/** A Machine whose names and times are its own, and whose labels are those of its set. */
function machineOf(machine: KubeObject, index: number): KubeObject {
  const set = Math.floor(index / machinesPerSet);
  const text = JSON.stringify(machine)
    .replaceAll("workload-md-0-7xk2p-9qv4d", nameOf(index))
    .replaceAll("workload-md-0-7xk2p", `workload-${set}-md-0-7xk2p`)
    .replaceAll('"workload"', `"workload-${set}"`)
    .replaceAll("2026-03-01T10:", `2026-03-01T${String(index % 24).padStart(2, "0")}:`)
    .replaceAll("1f3a", (index + 0xa0000).toString(16));
  return JSON.parse(text);
}

function definition(): KubeObject {
  const object = fixture("machines-definition.json");
  const spec = fieldAt(object, "spec");
  // There is no manager here that could convert.
  return { ...object, spec: { ...(isJsonObject(spec) ? spec : {}), conversion: { strategy: "None" } } };
}

function fixture(name: string): KubeObject {
  return JSON.parse(readFileSync(join(root, "test/fixtures/schema", name), "utf8"));
}

function nameOf(index: number): string {
  return `workload-${Math.floor(index / machinesPerSet)}-md-0-7xk2p-${String(index).padStart(5, "0")}`;
}

function timeOf(tick: number): string {
  return new Date(Date.UTC(2026, 3, 1) + tick * 1000).toISOString().replace(".000", "");
}
