import { readFileSync } from "node:fs";
import { Command, CommanderError } from "commander";
import { CapstanError, describeError } from "#base";
import { type AddCommand, commandsFor } from "./commands/index.ts";
import { example } from "./example.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** What the program runs with when it is not the process itself. */
export interface MainOptions {
  readonly terminal?: Terminal;
  readonly commands?: readonly AddCommand[];
}

/** Runs the program with its arguments and tells the exit code. */
export async function runMain(args: readonly string[], options: MainOptions = {}): Promise<number> {
  const { terminal = processTerminal } = options;
  try {
    const commands = options.commands ?? (await commandsFor(args));
    const program = createProgram({ terminal, commands });
    await program.parseAsync(args.length === 0 ? ["--help"] : args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (!(error instanceof CapstanError || error instanceof AggregateError)) throw error;
    terminal.writeError(`error: ${describeError(error)}\n`);
    return 1;
  }
}

function createProgram({ terminal, commands: additions }: Required<MainOptions>): Command {
  const program = new Command("capstan")
    .description("Cluster API in TypeScript: a whole Kubernetes cluster-management plane in one process")
    .version(packageVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .addHelpText(
      "after",
      example("capstan up", "capstan describe cluster quickstart", "capstan explain machine/quickstart-worker-1"),
    )
    .showHelpAfterError("(capstan --help says more)")
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError })
    // Commander would end the process; the exit code is the caller's business.
    .exitOverride();
  for (const add of additions) add(program, terminal);
  const known = [...program.commands];
  const refuse = (name: string): never => {
    const names = known.map((command) => command.name());
    const hint = names.length === 0 ? "there are no commands" : `there are ${names.join(", ")}`;
    return program.error(`error: unknown command '${name}'; ${hint}`, { exitCode: 1, code: "capstan.unknownCommand" });
  };
  program.on("command:*", ([name = ""]: readonly string[]) => refuse(name));
  program
    .command("help")
    .description("print the help of a command")
    .argument("[command]", "the command")
    .action((name?: string) => {
      const command = name === undefined ? program : known.find((each) => each.name() === name);
      return command === undefined ? refuse(name ?? "") : command.help();
    });
  return program;
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const hasVersion = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return hasVersion ? String(manifest.version) : "unknown";
}
