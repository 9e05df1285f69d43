import { asJson, type JsonObject } from "#machinery";
import { bigMachine, nameOf, namespace } from "./engine-world.ts";
import { answers, definitionsPath, expectCode, machineDefinition } from "./machine-load.ts";
import { connectWire, type WireClient } from "./wire-client.ts";
import type { WireSubject } from "./wire-subject.ts";

/** So many Machines are applied to. */
export const appliedMachines = 192;

const machine = bigMachine();
const connections = 8;
const clients = 32;
const path = `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/machines`;

/**
 * The whole configuration of a Machine as its manager applies it, as text. Each tick has another spec; without one it is
 * always the same.
 */
export function configurationText(index: number, tick?: number): string {
  const { apiVersion, kind, metadata, spec } = machine;
  const changed = typeof spec === "object" && tick !== undefined ? { ...spec, minReadySeconds: tick } : spec;
  return JSON.stringify({ apiVersion, kind, metadata: { ...metadata, name: nameOf(index), namespace }, spec: changed });
}

/** The status that another manager has set. */
export const statusPatch: JsonObject = { status: asJson(machine)["status"] ?? {} };

/** Machines on a server, and 32 clients that apply to them over 8 connections. */
export class ApplyLoad {
  readonly subject: WireSubject;
  readonly #sessions: readonly WireClient[];
  #ticks = 0;

  constructor(subject: WireSubject) {
    this.subject = subject;
    this.#sessions = Array.from({ length: connections }, () => connectWire(subject.kubeconfig));
  }

  async fill(): Promise<void> {
    const client = this.#session(0);
    await expectCode(201, client.call("POST", definitionsPath, JSON.stringify(machineDefinition())));
    await answers(client, path);
    const patch = JSON.stringify(statusPatch);
    for (let index = 0; index < appliedMachines; index += 1) {
      await this.#apply(client, index, configurationText(index), 201);
      const url = `${path}/${nameOf(index)}/status?fieldManager=manager`;
      await expectCode(200, client.call("PATCH", url, patch, "application/merge-patch+json"));
    }
  }

  /** Lets all clients apply for some time, each to Machines of its own; says how often, for each second of CPU. */
  async rate(kind: "changing" | "no-op", milliseconds: number): Promise<number> {
    const before = this.subject.cpu();
    const end = performance.now() + milliseconds;
    let count = 0;
    const work = async (client: number) => {
      for (let index = client; performance.now() < end; index = (index + clients) % appliedMachines) {
        const text = kind === "changing" ? configurationText(index, (this.#ticks += 1)) : configurationText(index);
        await this.#apply(this.#session(client), index, text, 200);
        count += 1;
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
    return count / ((this.subject.cpu() - before) / 1000);
  }

  /** The bytes of one Machine as it is answered. */
  async machineBytes(): Promise<number> {
    return (await expectCode(200, this.#session(0).call("GET", `${path}/${nameOf(0)}`))).body.length;
  }

  async stop(): Promise<void> {
    for (const session of this.#sessions) session.close();
    await this.subject.stop();
  }

  async #apply(session: WireClient, index: number, text: string, code: number): Promise<void> {
    const url = `${path}/${nameOf(index)}?fieldManager=bench`;
    await expectCode(code, session.call("PATCH", url, text, "application/apply-patch+yaml"));
  }

  #session(index: number): WireClient {
    const session = this.#sessions[index % connections];
    if (session === undefined) throw new Error("there is no client");
    return session;
  }
}
