import { Argument, Command } from "commander";
import { example } from "../example.ts";
import { type AddCommand, commandsFor } from "./index.ts";

/** Shells that can be told what may come next. */
const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** What may follow a command. */
export interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly words: readonly string[];
}

/** Adds `capstan completion`. */
export const addCompletion: AddCommand = (program, terminal) => {
  program
    .command("completion")
    .description("print what makes a shell complete commands and flags")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .addHelpText("after", example("source <(capstan completion bash)", "capstan completion fish | source"))
    .action(async (shell: Shell) => {
      terminal.write(completionOf(shell, await wordsOfAll()));
    });
};

/** The script for a shell. */
export function completionOf(shell: Shell, commands: readonly CommandWords[]): string {
  if (shell === "fish") return fishScript(commands);
  const bash = bashScript(commands);
  return shell === "zsh" ? `autoload -U +X bashcompinit && bashcompinit\n${bash}` : bash;
}

async function wordsOfAll(): Promise<readonly CommandWords[]> {
  const all = new Command("capstan");
  const silent = { write: () => undefined, writeError: () => undefined };
  for (const add of await commandsFor([])) add(all, silent);
  return all.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    words: [
      ...command.commands.map((inner) => inner.name()),
      ...command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
      ...(firstWords.get(command.name()) ?? []),
      "--help",
    ],
  }));
}

/** What arguments begin with that are no flags. */
const firstWords = new Map<string, readonly string[]>([
  ["describe", ["cluster"]],
  ["explain", ["cluster/", "machine/", "clusterclass/", "extensionconfig/"]],
  ["completion", shells],
]);

function bashScript(commands: readonly CommandWords[]): string {
  const cases = commands.map(({ name, words }) => `    ${name}) words="${words.join(" ")}" ;;`).join("\n");
  return `_capstan() {
  local words="${commands.map(({ name }) => name).join(" ")} --help --version"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _capstan capstan
`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, description, words }) => [
    `complete -c capstan -n __fish_use_subcommand -a ${name} -d '${description.replaceAll("'", "\\'")}'`,
    ...words.map((word) =>
      word.startsWith("--")
        ? `complete -c capstan -n '__fish_seen_subcommand_from ${name}' -l ${word.slice(2)}`
        : `complete -c capstan -n '__fish_seen_subcommand_from ${name}' -a ${word}`,
    ),
  ]);
  return `${lines.join("\n")}\n`;
}
