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
});

test("fish is told of every command with a sentence", async () => {
  expect(await completion("fish")).toContain("complete -c capstan -n __fish_use_subcommand -a explain -d 'say why");
});
