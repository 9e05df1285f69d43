import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { RemoteServer } from "../differential/remote-server.ts";
import type { WireSubject } from "../bench/wire-subject.ts";
import { root } from "../root.ts";

/** How a server stood so many connections on which nothing happens. */
export interface IdleReport {
  /** Connections that the other process got. */
  readonly opened: number;
  /** How many of them were still there when the last had been opened. */
  readonly held: number;
  /** The slowest of some answers that others got meanwhile, in milliseconds. */
  readonly slowestAnswerMs: number;
  /** What the server took before and meanwhile. */
  readonly memoryBeforeMB: number;
  readonly memoryMB: number;
}

const answers = 20;

/** Holds connections to a server from another process, and looks how it serves others meanwhile. */
export async function holdIdle(subject: WireSubject, kubeconfig: string, count: number): Promise<IdleReport> {
  const memoryBeforeMB = megabytes(subject);
  const holder = fork(join(root, "build/tools/idle/hold-connections.js"), [kubeconfig, String(count)]);
  try {
    const { opened, held } = await told(holder);
    const slowestAnswerMs = Math.round(await slowestOf(kubeconfig));
    return { opened, held, slowestAnswerMs, memoryBeforeMB, memoryMB: megabytes(subject) };
  } finally {
    holder.kill();
  }
}

function told(holder: ChildProcess): Promise<{ readonly opened: number; readonly held: number }> {
  return new Promise((resolve, reject) => {
    holder.once("message", (message: unknown) => {
      if (isCount(message)) resolve(message);
      else reject(new Error("the other process says something else than how many it holds"));
    });
    holder.once("exit", (code) => reject(new Error(`the other process ended with ${code}`)));
  });
}

function isCount(message: unknown): message is { readonly opened: number; readonly held: number } {
  return typeof message === "object" && message !== null && "opened" in message && "held" in message;
}

/** Every request comes over a connection of its own, as from somebody who has just arrived. */
async function slowestOf(kubeconfig: string): Promise<number> {
  let slowest = 0;
  for (let turn = 0; turn < answers; turn += 1) {
    const begun = performance.now();
    const server = new RemoteServer(kubeconfig);
    const { code } = await server.call({ method: "GET", path: "/api/v1/namespaces/default" });
    server.close();
    if (code !== 200) throw new Error(`the server answered ${code}`);
    slowest = Math.max(slowest, performance.now() - begun);
  }
  return slowest;
}

function megabytes(subject: WireSubject): number {
  return Math.round(subject.memory() / 1e6);
}
