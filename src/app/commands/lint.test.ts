import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runMain } from "../main.ts";

const example = readFileSync(join(import.meta.dirname, "../../../examples/cluster-class.yaml"), "utf8");

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-lint-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function lint(...args: readonly string[]) {
  let out = "";
  let err = "";
  const terminal = { write: (text: string) => (out += text), writeError: (text: string) => (err += text) };
  const code = await runMain(["lint", ...args], { terminal });
  return { code, out, err };
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test("the example is in order", async () => {
  expect(await lint("-f", write("a.yaml", example))).toEqual({
    code: 0,
    out: "1 class checked, nothing wrong\n",
    err: "",
  });
});

test("a folder is searched, and each problem has its file, its line and its field", async () => {
  write("deep/inside/b.yml", example);
  write("notes.txt", "kind: ClusterClass");
  const bad = write("a.yaml", example.replace("name: proxy", "name: builtin"));
  const line = example.split("\n").findIndex((text) => text.includes("name: proxy")) + 1;
  expect(await lint("-f", folder)).toEqual({
    code: 1,
    out: `${bad}:${line}: spec.variables[builtin].name: Invalid value: "builtin": "builtin" is a reserved variable name\n`,
    err: "error: 1 problem found\n",
  });
});

test("what cannot be read in a folder is a problem of its own, and links to folders are not followed", async () => {
  write("sound.yaml", example);
  write("folder.yaml/also.json", "{}");
  writeFileSync(join(folder, "latin.yaml"), Buffer.from("a: \u00e9", "latin1"));
  symlinkSync(join(folder, "nowhere"), join(folder, "broken.yaml"));
  symlinkSync(folder, join(folder, "loop"));
  const { code, out } = await lint("-f", folder, "-o", "json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    classes: 1,
    problems: [
      { file: join(folder, "broken.yaml"), line: 1, problem: expect.stringContaining("cannot be read: ENOENT") },
      { file: join(folder, "latin.yaml"), line: 1, problem: "is no text in UTF-8" },
    ],
  });
});

test("several files can be named, and the answer can be JSON", async () => {
  const [one, two] = [write("one.yaml", example), write("two.yaml", "a: [")];
  const { code, out } = await lint("-f", one, "-f", two, "-o", "json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ classes: 1, problems: [{ file: two, line: 1, field: "" }] });
});

test("files without a class, and files that are not there, are refused", async () => {
  const empty = write("a.yaml", "kind: ConfigMap");
  expect(await lint("-f", empty)).toMatchObject({ code: 1, err: `error: there is no ClusterClass in ${empty}\n` });
  expect(await lint("-f", join(folder, "none"))).toMatchObject({
    code: 1,
    err: expect.stringContaining("cannot read"),
  });
});

test("help shows it at work", async () => {
  expect((await lint("--help")).out).toContain("$ capstan lint -f examples/cluster-class.yaml");
});
