import { CommanderError } from "commander";
import { runBackup, runRestore } from "#apiserver";
import { example } from "../example.ts";
import type { Terminal } from "../terminal.ts";
import type { AddCommand } from "./index.ts";

interface DataOptions {
  readonly data: string;
}

/** Adds `capstan backup`. */
export const addBackup: AddCommand = (program, terminal) => {
  program
    .command("backup")
    .description("copy a data folder into one file, also while it is being served")
    .argument("<file>", "the backup to write")
    .requiredOption("-d, --data <folder>", "the data folder")
    .option("-f, --force", "replace the file where it exists already")
    .addHelpText("after", example("capstan backup --data ~/.capstan capstan.backup"))
    .action(async (file: string, { data, force }: DataOptions & { readonly force?: boolean }) => {
      finish("backup", await runBackup({ data, file, force }, linesTo(terminal)));
    });
};

/** Adds `capstan restore`. */
export const addRestore: AddCommand = (program, terminal) => {
  program
    .command("restore")
    .description("put a backup into a new data folder")
    .argument("<file>", "the backup to read")
    .requiredOption("-d, --data <folder>", "the data folder, which must be empty or not there yet")
    .addHelpText("after", example("capstan restore --data ~/.capstan-again capstan.backup"))
    .action(async (file: string, { data }: DataOptions) => {
      finish("restore", await runRestore({ data, file }, linesTo(terminal)));
    });
};

function linesTo({ write, writeError }: Terminal): Parameters<typeof runBackup>[1] {
  return { out: (line) => write(`${line}\n`), err: (line) => writeError(`error: ${line}\n`) };
}

/** The command has said what went wrong; only the exit code is left to pass on. */
function finish(command: string, code: number): void {
  if (code !== 0) throw new CommanderError(code, `capstan.${command}`, `${command} failed`);
}
