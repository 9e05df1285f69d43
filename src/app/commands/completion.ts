import { Argument, Command } from "commander";
import { example } from "../example.ts";
import { type AddCommand, commandsFor } from "./index.ts";

/** Shells that can be told what may come next. */
const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** What may follow a command. */
export interface CommandWords {
  /** With the command that it stands in, if any: `dev break`. */
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
  return all.commands.flatMap((command) => [
    wordsOf(command),
    ...command.commands.map((inner) => wordsOf(inner, command)),
  ]);
}

function wordsOf(command: Command, outer?: Command): CommandWords {
  const name = outer === undefined ? command.name() : `${outer.name()} ${command.name()}`;
  return {
    name,
    description: command.description(),
    words: [
      ...command.commands.map((inner) => inner.name()),
      ...command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
      ...(firstWords.get(name) ?? []),
      "--help",
    ],
  };
}

/** What arguments begin with that are no flags. */
const firstWords = new Map<string, readonly string[]>([
  ["describe", ["cluster"]],
  ["explain", ["cluster/", "machine/", "clusterclass/", "extensionconfig/", "devcluster/", "devmachine/"]],
  ["dev break", ["machine/", "cluster/", "node", "down", "gone", "api-server", "stopped", "slow"]],
  ["dev heal", ["machine/", "cluster/"]],
  ["completion", shells],
]);

function bashScript(commands: readonly CommandWords[]): string {
  const outer = commands.filter(({ name }) => !name.includes(" "));
  const inner = commands.filter(({ name }) => name.includes(" "));
  const cases = (of: readonly CommandWords[]) =>
    of.map(({ name, words }) => `    "${name}") words="${words.join(" ")}" ;;`).join("\n");
  return `_capstan() {
  local words="${outer.map(({ name }) => name).join(" ")} --help --version"
  [ "$COMP_CWORD" -gt 1 ] && case "\${COMP_WORDS[1]}" in
${cases(outer)}
  esac
  [ "$COMP_CWORD" -gt 2 ] && case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${cases(inner)}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _capstan capstan
`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(({ name, description, words }) => {
    const [outer = "", inner] = name.split(" ");
    const seen = [outer, ...(inner === undefined ? [] : [inner])]
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join("; and ");
    const where = inner === undefined ? "__fish_use_subcommand" : `'__fish_seen_subcommand_from ${outer}'`;
    return [
      `complete -c capstan -n ${where} -a ${inner ?? outer} -d '${description.replaceAll("'", "\\'")}'`,
      ...words.map(
        (word) => `complete -c capstan -n '${seen}' ${word.startsWith("--") ? `-l ${word.slice(2)}` : `-a ${word}`}`,
      ),
    ];
  });
  return `${lines.join("\n")}\n`;
}
