import { expect, test } from "vitest";
import { ContextError } from "#base";
import type { AddCommand } from "./commands/index.ts";
import { example } from "./example.ts";
import { runMain } from "./main.ts";

async function run(args: readonly string[], commands?: readonly AddCommand[]) {
  let out = "";
  let err = "";
  const terminal = { write: (text: string) => (out += text), writeError: (text: string) => (err += text) };
  const code = await runMain(args, { terminal, ...(commands === undefined ? {} : { commands }) });
  return { code, out, err };
}

const greet: AddCommand = (program, terminal) => {
  program
    .command("greet")
    .description("say hello")
    .argument("<name>", "whom to greet")
    .addHelpText("after", example("capstan greet world"))
    .action((name: string) => {
      if (name === "nobody") throw new ContextError("cannot greet", { cause: new Error("there is nobody") });
      terminal.write(`hello ${name}\n`);
    });
};

test("the version is printed", async () => {
  const answer = await run(["--version"]);
  expect(answer).toEqual({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), err: "" });
});

test("help ends with an example", async () => {
  const answer = await run(["--help"]);
  expect(answer).toMatchObject({ code: 0, err: "" });
  expect(answer.out).toMatch(/^Usage: capstan [\s\S]*\nExample:\n(?: {2}\$ capstan [^\n]+\n)+$/);
});

test("without arguments help is printed", async () => {
  expect(await run([])).toEqual(await run(["--help"]));
});

test("an unknown command is refused with those that exist", async () => {
  expect(await run(["explode"], [greet])).toEqual({
    code: 1,
    out: "",
    err: "error: unknown command 'explode'; there are greet\n(capstan --help says more)\n",
  });
});

test("help for an unknown command is refused with those that exist", async () => {
  expect(await run(["help", "explode"], [greet])).toEqual({
    code: 1,
    out: "",
    err: "error: unknown command 'explode'; there are greet\n(capstan --help says more)\n",
  });
});

test("help for a command is its own, and without one that of the program", async () => {
  expect(await run(["help", "greet"], [greet])).toEqual(await run(["greet", "--help"], [greet]));
  expect(await run(["help"], [greet])).toEqual(await run(["--help"], [greet]));
});

test("an unknown option is refused", async () => {
  const answer = await run(["--explode"]);
  expect(answer).toEqual({ code: 1, out: "", err: "error: unknown option '--explode'\n(capstan --help says more)\n" });
});

test("a command runs and writes to the terminal", async () => {
  expect(await run(["greet", "world"], [greet])).toEqual({ code: 0, out: "hello world\n", err: "" });
});

test("a command without its argument is refused", async () => {
  const answer = await run(["greet"], [greet]);
  expect(answer).toMatchObject({ code: 1, out: "" });
  expect(answer.err).toContain("missing required argument 'name'");
});

test("an error thrown on purpose is printed with its causes", async () => {
  expect(await run(["greet", "nobody"], [greet])).toEqual({
    code: 1,
    out: "",
    err: "error: cannot greet: there is nobody\n",
  });
});
