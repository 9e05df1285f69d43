/** Where a command reads its surroundings and writes its answers: the process, or a test. */
export interface Terminal {
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether what is written shows in colours; not unless it says so. */
  readonly isColourful?: boolean;
}

/** The terminal of the running process. */
export const processTerminal: Terminal = {
  write: (text) => process.stdout.write(text),
  writeError: (text) => process.stderr.write(text),
  isColourful: process.stdout.isTTY && (process.env["NO_COLOR"] ?? "") === "",
};
