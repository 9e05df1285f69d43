import { existsSync } from "node:fs";
import { delimiter, join, relative, sep } from "node:path";

/** Where a command reads its surroundings and writes its answers: the process, or a test. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether what is written shows in colours; not unless it says so. */
  readonly isColourful?: boolean;
  /** How this program is called, for hints that can be copied; by its name unless told. */
  readonly program?: () => string;
}

/** The terminal of the running process. */
export const processTerminal: Terminal = {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  isColourful: process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "",
  program,
};

/** By its name where the shell finds that, and by its path from here in a checkout. */
function program(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  if (folders.some((folder) => existsSync(join(folder, "capstan")))) return "capstan";
  const path = relative(process.cwd(), process.argv[1] ?? "capstan");
  return path.includes(sep) ? path : `.${sep}${path}`;
}
