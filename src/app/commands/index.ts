import type { Command } from "commander";
import type { Terminal } from "../terminal.ts";
import { addBackup, addRestore } from "./backup.ts";
import { addExplain } from "./explain.ts";
import { addExtension } from "./extension.ts";
import { addServe } from "./serve.ts";

/** Adds one command with `program.command(…)`, which hands the settings down. Each lives in a file of its own here. */
export type AddCommand = (program: Command, terminal: Terminal) => void;

/** Every command of the program, in the order in which help lists them. */
export const commands: readonly AddCommand[] = [addServe, addExplain, addExtension, addBackup, addRestore];
