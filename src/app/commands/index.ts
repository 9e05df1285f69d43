import type { Command } from "commander";
import type { Terminal } from "../terminal.ts";

/** Adds one command with `program.command(…)`, which hands the settings down. Each lives in a file of its own here. */
export type AddCommand = (program: Command, terminal: Terminal) => void;

/** Every command of the program, in the order in which help lists them. Their rooms are loaded when they are needed. */
const commands: ReadonlyMap<string, () => Promise<AddCommand>> = new Map([
  ["demo", async () => (await import("./demo.ts")).addDemo],
  ["up", async () => (await import("./up.ts")).addUp],
  ["install", async () => (await import("./install.ts")).addInstall],
  ["manager", async () => (await import("./manager.ts")).addManager],
  ["dev", async () => (await import("./dev.ts")).addDev],
  ["serve", async () => (await import("./serve.ts")).addServe],
  ["lint", async () => (await import("./lint.ts")).addLint],
  ["describe", async () => (await import("./describe.ts")).addDescribe],
  ["explain", async () => (await import("./explain.ts")).addExplain],
  ["extension", async () => (await import("./extension.ts")).addExtension],
  ["backup", async () => (await import("./backup.ts")).addBackup],
  ["restore", async () => (await import("./backup.ts")).addRestore],
  ["completion", async () => (await import("./completion.ts")).addCompletion],
]);

/** The commands that these arguments need: the one that they name, or all of them. */
export async function commandsFor([name = ""]: readonly string[]): Promise<readonly AddCommand[]> {
  const named = commands.get(name);
  if (named !== undefined) return [await named()];
  return await Promise.all([...commands.values()].map((load) => load()));
}
