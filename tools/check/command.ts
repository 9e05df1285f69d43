import { spawn } from "node:child_process";
import { delimiter, join } from "node:path";
import { root } from "../root.ts";
import type { StepResult } from "./step.ts";

export interface CommandResult {
  readonly code: number;
  readonly output: string;
}

/** Runs a program of the checkout and gathers what it prints. */
export function runCommand(program: string, args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env: environment(), stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const gather = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on("data", gather);
    child.stderr.on("data", gather);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Runs a program that passes or fails as a whole. */
export async function passOrFail(program: string, ...args: readonly string[]): Promise<StepResult> {
  const { code, output } = await runCommand(program, args);
  return code === 0 ? { passed: 1, failed: 0, output } : { passed: 0, failed: 1, output };
}

/** Colours only for a terminal, and the programs of the checkout before those of the machine. */
function environment(): NodeJS.ProcessEnv {
  const { FORCE_COLOR: _, ...others } = process.env;
  const path = [join(root, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  return { ...others, PATH: path, ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }) };
}
