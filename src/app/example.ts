/** The part of a command's help that shows it at work: `command.addHelpText("after", example("capstan explain …"))`. */
export function example(...lines: readonly string[]): string {
  return `\nExample:\n${lines.map((line) => `  $ ${line}`).join("\n")}`;
}
