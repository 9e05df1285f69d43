import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ContextError } from "#base";
import type { Adapters } from "./adapters/adapter.ts";
import { runFolder, type RunOptions } from "./run-folder.ts";

let folder: string;
let lines: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-vectors-"));
  lines = [];
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, content: unknown): void {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
}

const echo: Adapters = {
  echo: (input) => input,
  refuse: () => {
    throw new ContextError("refused");
  },
  crash: () => JSON.parse("{"),
};

function run(options: Partial<RunOptions> = {}) {
  return runFolder(folder, {
    adapters: { "a.json": echo },
    notYetBuilt: [],
    print: (line) => lines.push(line),
    ...options,
  });
}

test("a file has its line, the first differences follow, and the totals close", async () => {
  write("a.json", {
    cases: [
      { name: "same", op: "echo", input: { a: "$repeat:x:3" }, expected: { a: "xxx" } },
      { name: "other", op: "echo", input: { a: 1 }, expected: { a: 2 } },
      { name: "refused", op: "refuse", input: {}, expected: { error: true } },
      { name: "unknown", op: "what", input: {}, expected: {} },
      { name: "quirk", op: "echo", input: 1, expected: 2, tags: ["upstream-quirk"] },
    ],
  });
  expect(await run()).toEqual({ passed: 2, failed: 2 });
  expect(lines).toEqual([
    "a.json                             2 passed   2 failed   1 without adapter  1 differ where they may",
    "  failed   echo: other (v1.12)",
    "    at a",
    "      expected 2",
    "      actual   1",
    '  no adapter for the operation "what": unknown',
    "2 passed, 2 failed",
  ]);
});

test("a crash is a failure even where an error was expected", async () => {
  write("a.json", { cases: [{ name: "crash", op: "crash", input: {}, expected: { error: true } }] });
  expect(await run()).toEqual({ passed: 0, failed: 1 });
  expect(lines).toContain("    at (crashed)");
});

test("a file that is listed as not yet built fails nothing for want of an adapter", async () => {
  write("b.json", { cases: [{ name: "later", op: "later", input: {}, expected: {} }] });
  expect(await run({ notYetBuilt: ["b.json"] })).toEqual({ passed: 0, failed: 0 });
  expect(lines[0]).toBe("b.json                             0 passed   0 failed   1 without adapter  (not yet built)");
});

test("a file that nobody knows fails", async () => {
  write("c.json", { cases: [{ name: "new", op: "new", input: {}, expected: {} }] });
  expect(await run()).toEqual({ passed: 0, failed: 1 });
});

test("a file without an operation goes to the adapter for everything", async () => {
  write("a.json", {
    now: "2025-01-15T12:00:00Z",
    cases: [{ name: "now", input: {}, expected: "2025-01-15T12:00:00Z" }],
  });
  expect(await run({ adapters: { "a.json": { "*": (_, { now }) => now } } })).toEqual({ passed: 1, failed: 0 });
});

test("an operation is not taken for what every object inherits", async () => {
  write("a.json", { cases: [{ name: "inherited", op: "constructor", input: {}, expected: {} }] });
  expect(await run()).toEqual({ passed: 0, failed: 1 });
  expect(lines).toContain('  no adapter for the operation "constructor": inherited');
});

test("verbose says every case", async () => {
  write("a.json", { cases: [{ name: "same", op: "echo", input: 1, expected: 1 }] });
  await run({ verbose: true });
  expect(lines).toContain("  passed   echo: same");
});

test("a file that is no JSON, or of another form, is a failure of its own", async () => {
  write("a.json", "{");
  write("b.json", { cases: [{ name: "no input" }] });
  expect(await run()).toEqual({ passed: 0, failed: 2 });
  expect(lines[1]).toBe("b.json                           cannot be read: b.json: cases[0] (no input) has no input");
});

test("a folder that is called like a file is a failure of its own", async () => {
  mkdirSync(join(folder, "a.json"));
  write("b.json", { cases: [{ name: "same", op: "echo", input: 1, expected: 1 }] });
  expect(await run({ adapters: { "b.json": echo } })).toEqual({ passed: 1, failed: 1 });
  expect(lines[0]).toContain("a.json                           cannot be read: a.json: EISDIR");
});

test("an unknown file or folder is refused", async () => {
  write("a.json", { cases: [] });
  await expect(run({ file: "z" })).rejects.toThrow("there is no z.json in");
  await expect(runFolder(join(folder, "none"), { adapters: {}, notYetBuilt: [], print: () => {} })).rejects.toThrow(
    "cannot read the folder",
  );
});
