import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient, createHttpTransport, type Client, loadConnection } from "#client";
import { root } from "../root.ts";

/** How `capstan up` is started. */
export interface UpOptions {
  readonly data: string;
  /** 0 takes any that is free. */
  readonly port?: number;
  readonly flags?: readonly string[];
  /** Options of Node itself, such as those of a profile. */
  readonly nodeFlags?: readonly string[];
}

/** `capstan up` in a process of its own. */
export interface UpProcess extends AsyncDisposable {
  readonly kubeconfig: string;
  /** Resolves when the plane says that it is up. */
  readonly ready: Promise<void>;
  /** What it complained about. */
  readonly errors: () => string;
  /** Seconds of CPU that it took up to now. */
  cpuSeconds(): number;
  /** The most memory that it ever had, in MB. */
  peakMegabytes(): number;
  /** Ends it like a crash does. */
  kill(): Promise<void>;
  /** Ends it like Ctrl-C does. */
  stop(): Promise<void>;
}

/** Starts `capstan up` from the compiled program. */
export function startUp({ data, port = 0, flags = [], nodeFlags = [] }: UpOptions): UpProcess {
  const parameters = [join(root, "bin/capstan"), "up", "--data", data, "--port", String(port), ...flags];
  const child = spawn(process.execPath, [...nodeFlags, ...parameters], { stdio: ["ignore", "pipe", "pipe"] });
  const closed = once(child, "close");
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  const ready = untilSaid(child, "the plane is up", () => errors);
  // Whoever kills it does not wait for it to be up.
  ready.catch(() => undefined);
  const end = async (signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    child.kill(signal);
    await closed;
  };
  return {
    kubeconfig: join(data, "kubeconfig"),
    ready,
    errors: () => errors,
    cpuSeconds: () => cpuSecondsOf(child.pid ?? 0),
    peakMegabytes: () => peakMegabytesOf(child.pid ?? 0),
    kill: () => end("SIGKILL"),
    stop: () => end("SIGTERM"),
    [Symbol.asyncDispose]: () => end("SIGKILL"),
  };
}

/** Reaches a plane over the wire, as kubectl does. */
export async function connectTo(kubeconfig: string): Promise<{ readonly client: Client } & Disposable> {
  const connection = await loadConnection({ environment: {}, home: root, path: kubeconfig });
  const transport = createHttpTransport(connection, { userAgent: "kubectl-like" });
  return {
    client: createClient(transport, { fieldOwner: "kubectl-like" }),
    [Symbol.dispose]: () => transport.close(),
  };
}

function untilSaid(child: ChildProcess, words: string, errors: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    child.stdout?.on("data", (chunk) => {
      said += String(chunk);
      if (said.includes(words)) resolve();
    });
    child.once("close", (code) => reject(new Error(`capstan up ended with ${code}: ${errors()}`)));
  });
}

const ticksPerSecond = 100;

function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  // utime and stime, the 14th and 15th field, counted from behind the name.
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function peakMegabytesOf(pid: number): number {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes ?? 0) / 1000);
}
