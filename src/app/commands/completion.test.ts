import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { runMain } from "../main.ts";

async function completion(shell: string): Promise<string> {
  let out = "";
  await runMain(["completion", shell], { terminal: { write: (text) => (out += text), writeError: () => undefined } });
  return out;
}

test("bash completes commands, and the flags of a command", async () => {
  const script = await completion("bash");
  const complete = (...words: readonly string[]) =>
    execFileSync("bash", [
      "-c",
      `${script}\nCOMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _capstan; echo "\${COMPREPLY[@]}"`,
    ])
      .toString()
      .trim();
  expect(complete("capstan", "desc")).toBe("describe");
  expect(complete("capstan", "explain", "--last")).toBe("--last-probe-success");
  expect(complete("capstan", "describe", "cl")).toBe("cluster");
  expect(complete("capstan", "dev", "")).toBe("break heal --help");
  expect(complete("capstan", "dev", "break", "--kube")).toBe("--kubeconfig");
  expect(complete("capstan", "extension", "verify", "--ins")).toBe("--insecure");
});

test("every flag of every command is completed", async () => {
  const script = await completion("bash");
  const flags = await everyFlag();
  expect(flags.filter(({ command, flag }) => !wordsIn(script, command).includes(flag))).toEqual([]);
  expect(flags.length).toBeGreaterThan(50);
});

/** The flags that the help of all commands tells. */
async function everyFlag(): Promise<readonly { readonly command: string; readonly flag: string }[]> {
  const help = async (...args: readonly string[]): Promise<string> => {
    let out = "";
    await runMain([...args, "--help"], { terminal: { write: (text) => (out += text), writeError: () => undefined } });
    return out;
  };
  const commandsIn = (text: string): readonly string[] =>
    [...(text.split("\nCommands:\n")[1] ?? "").matchAll(/^ {2}(\w+)/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => name !== "help");
  const flagsIn = (command: string, text: string) =>
    [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = ""]) => ({ command, flag }));
  const outer = commandsIn(await help());
  const found = [];
  for (const command of outer) {
    const text = await help(command);
    found.push(...flagsIn(command, text));
    for (const inner of commandsIn(text)) found.push(...flagsIn(`${command} ${inner}`, await help(command, inner)));
  }
  return found;
}

function wordsIn(script: string, command: string): readonly string[] {
  const [, words = ""] = new RegExp(`^ +"${command}"\\) words="([^"]*)"`, "m").exec(script) ?? [];
  return words.split(" ");
}

test("fish is told of every command with a sentence", async () => {
  expect(await completion("fish")).toContain("complete -c capstan -n __fish_use_subcommand -a explain -d 'say why");
});
