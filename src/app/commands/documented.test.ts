import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Command, CommanderError } from "commander";
import { describe, expect, test } from "vitest";
import { commandsFor } from "./index.ts";

const root = join(import.meta.dirname, "../../..");
const pages = ["README.md", "examples/README.md", "examples/extension/README.md", "CONTRIBUTING.md"];

/** All commands, with nothing behind them. */
async function program(): Promise<Command> {
  const silent = () => undefined;
  const whole = new Command("capstan").exitOverride().configureOutput({ writeOut: silent, writeErr: silent });
  for (const add of await commandsFor([])) add(whole, { write: silent, writeError: silent });
  for (const command of everyCommand(whole)) if (command.commands.length === 0) command.action(() => undefined);
  return whole;
}

function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

/** What is typed: commands in blocks of a page, and those in the midst of a sentence. */
function commandsIn(text: string): readonly string[] {
  const blocks = [...text.matchAll(/^(?:\$ )?(?:npx |bin\/)?capstan ([a-z][^\n]*)$/gm)].map(([, args = ""]) => args);
  const inline = [...text.matchAll(/`(?:npx |bin\/)?capstan ([a-z][^`]*)`/g)].map(([, args = ""]) => args);
  // A sentence may speak of a command by its name alone.
  const named = inline.map((args) => (args.includes(" ") ? args : `${args} --help`));
  return [...blocks, ...named].map((args) => args.split(/ [|&>] /)[0] ?? "");
}

async function refusalOf(args: string): Promise<string | undefined> {
  const words = args.match(/"[^"]*"|\S+/g) ?? [];
  try {
    await (await program()).parseAsync(words, { from: "user" });
    return undefined;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.code === "commander.helpDisplayed" || error.code === "commander.help" ? undefined : error.message;
  }
}

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");

  test("has only commands that this program takes", async () => {
    const refused = [];
    for (const args of new Set(commandsIn(text))) {
      const why = await refusalOf(args);
      if (why !== undefined) refused.push(`capstan ${args}: ${why}`);
    }
    expect(refused).toEqual([]);
  });

  test("leads to files that are there", () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => !existsSync(join(root, dirname(page), path)))).toEqual([]);
  });

  test("names npm scripts that there are", () => {
    const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = ""]) => script);
    for (const script of scripts) expect(manifest).toHaveProperty(["scripts", script]);
  });
});

describe("the help of every command", () => {
  test("ends with examples that this program takes", async () => {
    const wrong = [];
    for (const command of everyCommand(await program()).slice(1)) {
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      const examples = [...help.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = ""]) => line);
      if (examples.length === 0) wrong.push(`${command.name()} has no example`);
      for (const line of examples.flatMap((one) => commandsIn(one))) {
        const why = await refusalOf(line);
        if (why !== undefined) wrong.push(`capstan ${line}: ${why}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("names files that are there", async () => {
    const texts = everyCommand(await program()).map((command) => {
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      return help;
    });
    const files = texts.flatMap((text) => text.match(/examples\/[\w./-]+/g) ?? []);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    expect(files).not.toEqual([]);
  });
});
