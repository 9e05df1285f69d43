import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { root } from "../root.ts";

const run = promisify(execFile);
const capstan = join(root, "bin/capstan");

/** `capstan manager` in a process of its own, which ends with the test at the latest. */
export interface ManagerProcess {
  /** Resolves when it has the lead and its controllers work. */
  readonly leads: Promise<void>;
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/** Runs `capstan install`, and answers what it says. */
export async function runInstall(kubeconfig: string, ...flags: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [capstan, "install", "--kubeconfig", kubeconfig, ...flags]);
  return stdout;
}

/** Starts a manager that takes part in the election. */
export function startManager(kubeconfig: string, ...flags: readonly string[]): ManagerProcess {
  const parameters = [capstan, "manager", "--kubeconfig", kubeconfig, "--leader-elect", ...flags];
  const child: ChildProcess = spawn(process.execPath, parameters, { stdio: ["ignore", "pipe", "ignore"] });
  const closed = once(child, "close");
  const leads = new Promise<void>((resolve) => {
    child.stdout?.on("data", (chunk) => {
      if (String(chunk).includes("the controllers work")) resolve();
    });
  });
  const end = async (signal: "SIGKILL" | "SIGTERM"): Promise<void> => {
    child.kill(signal);
    await closed;
  };
  onTestFinished(() => end("SIGKILL"));
  return { leads, end };
}
