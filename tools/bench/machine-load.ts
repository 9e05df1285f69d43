import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeJson, fieldAt, isJsonObject, type JsonObject } from "#machinery";
import { root } from "../root.ts";
import { connectWire, type WireAnswer, type WireClient } from "./wire-client.ts";
import type { WireSubject } from "./wire-subject.ts";

const clients = 32;
const connections = 8;
const conditionsPerMachine = 11;
const namespaces = ["default", "machines-1", "machines-2", "machines-3", "machines-4"];
/** So many Machines are in the namespace `default`, which lists and watches are about. */
export const machinesPerNamespace = 2000;
export const allMachines = namespaces.length * machinesPerNamespace;
/** So many of them are read and written. */
const busyMachines = 192;
/** Where definitions are created. */
export const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const apiVersion = "cluster.x-k8s.io/v1beta2";

/** One client at its work: each call does one thing to the next Machine of its own. */
export interface MachineClient {
  get(): Promise<void>;
  put(): Promise<void>;
  patchStatus(): Promise<void>;
  apply(): Promise<void>;
}

/** What a piece of work came to. */
export interface Cost {
  readonly count: number;
  /** Milliseconds of CPU of the server. */
  readonly cpu: number;
}

/** Machines on a server, and 32 clients that work on them over 8 connections. */
export class MachineLoad {
  readonly subject: WireSubject;
  readonly #sessions: readonly WireClient[];

  constructor(subject: WireSubject) {
    this.subject = subject;
    this.#sessions = Array.from({ length: connections }, () => connectWire(subject.kubeconfig));
  }

  /** Clients that keep to their own objects, so that nobody conflicts. */
  clients(): readonly MachineClient[] {
    return Array.from({ length: clients }, (_, index) => machineClient(this.#session(index), index));
  }

  /** Everything that is there for the rest of the measurement; the cost is that of creating Machines. */
  async fill(): Promise<Cost> {
    const client = this.#session(0);
    for (const name of namespaces.slice(1)) {
      await expectCode(201, client.call("POST", "/api/v1/namespaces", JSON.stringify({ metadata: { name } })));
    }
    // Without the subresource a Machine is created whole, with its status, in one request.
    const definition = machineDefinition();
    await expectCode(201, client.call("POST", definitionsPath, JSON.stringify(withoutSubresources(definition))));
    await answers(client, pathOf("default"));
    const machine = wholeMachine();
    const cost = await this.cost(async () => {
      let next = 0;
      const create = async (index: number) => {
        for (let at = next++; at < allMachines; at = next++) await createMachine(this.#session(index), machine, at);
      };
      await Promise.all(Array.from({ length: clients }, (_, index) => create(index)));
      return allMachines;
    });
    const change = JSON.stringify({ spec: { versions: fieldAt(definition, "spec", "versions") } });
    const url = `${definitionsPath}/machines.cluster.x-k8s.io`;
    await expectCode(200, client.call("PATCH", url, change, "application/merge-patch+json"));
    await answers(client, `${urlOf(0)}/status`);
    return cost;
  }

  /** What something costs the server. */
  async cost(work: () => Promise<number>): Promise<Cost> {
    const before = this.subject.cpu();
    const count = await work();
    return { count, cpu: this.subject.cpu() - before };
  }

  /** Waits until the server has nothing left to do; what it does after a lot of writes is not what is measured next. */
  async quiet(): Promise<void> {
    const end = performance.now() + 20_000;
    for (let busy = true; busy && performance.now() < end;) {
      const { cpu } = await this.cost(async () => {
        await later(500);
        return 0;
      });
      busy = cpu > 100;
    }
  }

  /** The bytes of one Machine as it is answered. */
  async machineBytes(): Promise<number> {
    return (await expectCode(200, this.#session(0).call("GET", urlOf(0)))).body.length;
  }

  /** How long a list of all Machines of a namespace takes, in milliseconds. */
  async list(): Promise<number> {
    const begun = performance.now();
    await expectCode(200, this.#session(0).call("GET", pathOf("default")));
    return performance.now() - begun;
  }

  /** Opens watches that begin now; counts the events that they bring. */
  async watch(watchers: number): Promise<{ readonly seen: () => number; readonly close: () => void }> {
    const url = pathOf("default");
    const list = parsed(await expectCode(200, this.#session(0).call("GET", `${url}?limit=1`)));
    const revision = String(fieldAt(list, "metadata", "resourceVersion"));
    let seen = 0;
    const streams = Array.from({ length: watchers }, (_, index) =>
      this.#session(index).watch(`${url}?watch=1&resourceVersion=${revision}&timeoutSeconds=600`, (chunk) => {
        for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) seen += 1;
      }),
    );
    await Promise.all(streams.map((stream) => new Promise((resolve) => stream.once("response", resolve))));
    return {
      seen: () => seen,
      close: () => {
        for (const stream of streams) stream.close();
      },
    };
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) session.close();
    await this.subject.stop();
  }

  #session(index: number): WireClient {
    const session = this.#sessions[index % connections];
    if (session === undefined) throw new Error("there is no client");
    return session;
  }
}

const newline = 10;

function machineClient(session: WireClient, client: number): MachineClient {
  const own = Array.from({ length: busyMachines / clients }, (_, index) => client + index * clients);
  const latest = new Map<number, JsonObject>();
  let turn = 0;
  const next = () => own[turn++ % own.length] ?? client;
  return {
    async get() {
      await expectCode(200, session.call("GET", urlOf(next())));
    },
    async put() {
      const index = next();
      const old = latest.get(index) ?? parsed(await expectCode(200, session.call("GET", urlOf(index))));
      const spec = isJsonObject(old["spec"]) ? old["spec"] : {};
      const body = JSON.stringify({ ...old, spec: { ...spec, minReadySeconds: turn } });
      // Whatever comes of it, what was read is old now.
      latest.delete(index);
      latest.set(index, parsed(await expectCode(200, session.call("PUT", urlOf(index), body))));
    },
    async patchStatus() {
      const patch = JSON.stringify({ status: { observedGeneration: turn + 1 } });
      const url = `${urlOf(next())}/status`;
      await expectCode(200, session.call("PATCH", url, patch, "application/merge-patch+json"));
    },
    async apply() {
      const index = next();
      const metadata = { name: nameOf(index), namespace: "default", labels: { turn: String(turn) } };
      const body = JSON.stringify({ apiVersion, kind: "Machine", metadata });
      const url = `${urlOf(index)}?fieldManager=applier&force=true`;
      await expectCode(200, session.call("PATCH", url, body, "application/apply-patch+yaml"));
    },
  };
}

/** The whole schema of a Machine; without the conversion, for which somebody would have to be called. */
export function machineDefinition(): JsonObject {
  const definition = fixture("machines-definition.json");
  const spec = isJsonObject(definition["spec"]) ? definition["spec"] : {};
  return { ...definition, spec: { ...spec, conversion: { strategy: "None" } } };
}

function withoutSubresources(definition: JsonObject): JsonObject {
  const spec = isJsonObject(definition["spec"]) ? definition["spec"] : {};
  const versions = Array.isArray(spec["versions"]) ? spec["versions"].filter(isJsonObject) : [];
  const bare = versions.map((version) => {
    const { subresources: _, ...rest } = version;
    return rest;
  });
  return { ...definition, spec: { ...spec, versions: bare } };
}

function wholeMachine(): JsonObject {
  const { metadata, status, ...machine } = fixture("machine.json");
  const { labels = {}, annotations = {} } = isJsonObject(metadata) ? metadata : {};
  const conditions = fieldAt(status, "conditions");
  return {
    ...machine,
    metadata: { labels, annotations },
    status: {
      ...(isJsonObject(status) ? status : {}),
      conditions: Array.isArray(conditions) ? conditions.slice(0, conditionsPerMachine) : [],
    },
  };
}

async function createMachine(session: WireClient, machine: JsonObject, index: number): Promise<void> {
  const namespace = namespaceOf(index);
  const given = isJsonObject(machine["metadata"]) ? machine["metadata"] : {};
  const body = JSON.stringify({ ...machine, metadata: { ...given, name: nameOf(index), namespace } });
  // A server on a busy machine may not get to everything in time, and may have done what it did not answer.
  for (let tries = 1; ; tries += 1) {
    const code = await session.call("POST", pathOf(namespace), body).then(
      (answer) => answer.code,
      () => 0,
    );
    if (code === 201 || code === 409) return;
    if (tries === mostTries) throw new Error(`${nameOf(index)} could not be created: ${code}`);
    await later(tries * 1000);
  }
}

const mostTries = 10;

function namespaceOf(index: number): string {
  return namespaces[Math.floor(index / machinesPerNamespace)] ?? "default";
}

function pathOf(namespace: string): string {
  return `/apis/${apiVersion}/namespaces/${namespace}/machines`;
}

function urlOf(index: number): string {
  return `${pathOf(namespaceOf(index))}/${nameOf(index)}`;
}

function nameOf(index: number): string {
  return `machine-${String(index).padStart(5, "0")}`;
}

/** Waits until something is served. */
export async function answers(client: WireClient, url: string): Promise<void> {
  for (let tries = 0; !(await isServed(client, url)); tries += 1) {
    if (tries > 2000) throw new Error(`${url} is not served`);
    await nextLook();
  }
}

/** The real server breaks off answers about a status that it has only begun to serve. */
async function isServed(client: WireClient, url: string): Promise<boolean> {
  try {
    return (await client.call("GET", url)).code === 200;
  } catch {
    return false;
  }
}

/** A little later: those who are waited for need the processor themselves. */
export function nextLook(): Promise<void> {
  return later(10);
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** An answer, which has to be of this code. */
export async function expectCode(code: number, answer: Promise<WireAnswer>): Promise<WireAnswer> {
  const given = await answer;
  if (given.code === code) return given;
  throw new Error(`expected ${code}, got ${given.code}: ${given.body.toString().slice(0, 500)}`);
}

function fixture(name: string): JsonObject {
  return parsed({ code: 200, body: readFileSync(join(root, "test/fixtures/schema", name)) });
}

function parsed({ body }: WireAnswer): JsonObject {
  const { value } = decodeJson(body);
  if (!isJsonObject(value)) throw new Error("the server answered something that is no object");
  return value;
}
