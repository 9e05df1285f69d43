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
  #ticks = 0;

  constructor(subject: WireSubject) {
    this.subject = subject;
  }

  /** Creates the Machines; says how many bytes one of them has as it is answered. */
  async fill(): Promise<number> {
    const client = connectWire(this.subject.kubeconfig);
    await expectCode(201, client.call("POST", definitionsPath, JSON.stringify(machineDefinition())));
    await answers(client, path);
    const patch = JSON.stringify(statusPatch);
    let bytes = 0;
    for (let index = 0; index < appliedMachines; index += 1) {
      await apply(client, index, configurationText(index), 201);
      const url = `${path}/${nameOf(index)}/status?fieldManager=manager`;
      const answer = await expectCode(200, client.call("PATCH", url, patch, "application/merge-patch+json"));
      bytes = answer.body.length;
    }
    client.close();
    return bytes;
  }

  /**
   * Lets all clients apply, each to Machines of its own, until the server has used so many milliseconds of CPU, however
   * busy the machine is otherwise; says how often they did for each second of it.
   */
  async rate(kind: "changing" | "no-op", milliseconds: number): Promise<number> {
    const sessions = await this.#connect();
    const before = this.subject.cpu();
    let count = 0;
    let isOver = false;
    const work = async (client: number) => {
      const session = sessions[client % connections];
      if (session === undefined) throw new Error("there is no client");
      for (let index = client; !isOver; index = (index + clients) % appliedMachines) {
        const text = kind === "changing" ? configurationText(index, (this.#ticks += 1)) : configurationText(index);
        await apply(session, index, text, 200);
        count += 1;
        if (count % clients === 0) isOver = this.subject.cpu() - before >= milliseconds;
      }
    };
    await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
    const rate = count / ((this.subject.cpu() - before) / 1000);
    for (const session of sessions) session.close();
    return rate;
  }

  /** Connections that have been used already, so that their making is not counted. */
  async #connect(): Promise<readonly WireClient[]> {
    const sessions = Array.from({ length: connections }, () => connectWire(this.subject.kubeconfig));
    await Promise.all(sessions.map((session) => expectCode(200, session.call("GET", "/version"))));
    return sessions;
  }
}

async function apply(session: WireClient, index: number, text: string, code: number): Promise<void> {
  const url = `${path}/${nameOf(index)}?fieldManager=bench`;
  await expectCode(code, session.call("PATCH", url, text, "application/apply-patch+yaml"));
}
