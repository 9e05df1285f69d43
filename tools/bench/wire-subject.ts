import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CapstanError } from "#base";
import { parseYaml } from "#machinery";
import { findRealKube, whereRealKubeIs } from "../real-kube.ts";
import { root } from "../root.ts";

/** A server in processes of its own, whose cost can be read. */
export interface WireSubject {
  /** A kubeconfig, parsed. */
  readonly kubeconfig: unknown;
  /** From the command to the first ready answer, in milliseconds. */
  readonly startMs: number;
  /** CPU of all its processes so far, in milliseconds. */
  cpu(): number;
  /** Resident memory of all its processes, in bytes. */
  memory(): number;
  stop(): Promise<void>;
}

/** A server for comparison that is not there. */
export class NoRealServerError extends CapstanError {
  readonly code = "NO_REAL_SERVER";
}

const ticksPerSecond = 100;
const pageSize = 4096;

/** Starts `capstan serve` on a folder, durable. */
export async function startCapstan(folder = mkdtempSync(join(tmpdir(), "capstan-bench-"))): Promise<WireSubject> {
  const begun = performance.now();
  const args = [join(root, "bin/capstan"), "serve", "--data", folder, "--port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  await firstLine(child);
  const startMs = performance.now() - begun;
  const pids = [child.pid ?? 0];
  return {
    kubeconfig: parseYaml(readFileSync(join(folder, "kubeconfig"))),
    startMs,
    cpu: () => total(pids, cpuOf),
    memory: () => total(pids, memoryOf),
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a real server with its data in a folder that goes when it stops. */
export function startReal(): WireSubject {
  const program = findRealKube();
  if (program === undefined) throw new NoRealServerError(`there is no real server: ${whereRealKubeIs}`);
  const folder = mkdtempSync(join(tmpdir(), "real-bench-"));
  const begun = performance.now();
  execFileSync(program, ["start", folder], { stdio: ["ignore", "ignore", "inherit"] });
  const startMs = performance.now() - begun;
  const pids = ["apiserver", "etcd"].map((name) => Number(readFileSync(join(folder, `${name}.pid`), "utf8")));
  return {
    kubeconfig: parseYaml(readFileSync(join(folder, "kubeconfig"))),
    startMs,
    cpu: () => total(pids, cpuOf),
    memory: () => total(pids, memoryOf),
    stop() {
      execFileSync(program, ["stop", folder]);
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

function firstLine(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", () => resolve());
    child.once("exit", (code) => reject(new NoRealServerError(`the server ended with ${code}`)));
  });
}

function total(pids: readonly number[], of: (pid: number) => number): number {
  return pids.reduce((sum, pid) => sum + of(pid), 0);
}

function cpuOf(pid: number): number {
  const fields = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "").split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
}

function memoryOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * pageSize;
}
