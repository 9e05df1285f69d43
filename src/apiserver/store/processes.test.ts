import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runBackup, runRestore } from "./backup-command.ts";
import { DataLockedError } from "./errors.ts";
import { openLmdbStore } from "./open-lmdb-store.ts";
import { create, machine, mutation } from "./store-suite.ts";

const project = join(import.meta.dirname, "../../..");
const scratch = await mkdtemp(join(tmpdir(), "capstan-processes-"));

// Other processes run compiled code, so what is tested is compiled here, into a small package of its own.
const compiled = join(project, "build/store-processes");
beforeAll(async () => {
  const compilerOptions = {
    rootDir: "../../src",
    outDir: ".",
    paths: { "#*": ["../../src/*/index.ts"] },
    composite: false,
    incremental: false,
    declaration: false,
    sourceMap: false,
  };
  const files = ["../../src/apiserver/store/index.ts"];
  const config = { extends: "../../tsconfig.base.json", compilerOptions, files };
  await mkdir(compiled, { recursive: true });
  await writeFile(join(compiled, "tsconfig.json"), JSON.stringify(config));
  await writeFile(
    join(compiled, "package.json"),
    JSON.stringify({ type: "module", imports: { "#*": "./*/index.js" } }),
  );
  const compiler = join(createRequire(import.meta.url).resolve("typescript/package.json"), "../bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", compiled], { stdio: "inherit" });
});
afterAll(() => rm(scratch, { recursive: true }));

type Program = ChildProcessByStdio<Writable, Readable, Readable>;

/** Starts a program that may import the store; it sees the folder as `directory`. */
function start(directory: string, body: string, options: { readonly wrapper?: string } = {}): Program {
  const code = `import * as store from "#apiserver/store"; const directory = process.argv.at(-1); ${body}`;
  const node = [process.execPath, "--input-type=module", "--eval", code, "--", directory];
  const [command = "", ...parameters] =
    options.wrapper === undefined ? node : ["/bin/sh", "-c", `${options.wrapper}; exec "$@"`, "sh", ...node];
  return spawn(command, parameters, { cwd: compiled, stdio: ["pipe", "pipe", "pipe"] });
}

/** Everything a program printed, once it has ended by itself. */
async function output(program: Program): Promise<string> {
  const [out, err, [code, signal]] = await Promise.all([
    text(program.stdout),
    text(program.stderr),
    once(program, "close"),
  ]);
  expect({ code, signal, err: code === 0 ? "" : err }).toEqual({ code: 0, signal: null, err: "" });
  return out.trim();
}

async function printed(program: Program, line: string): Promise<void> {
  let seen = "";
  for await (const chunk of program.stdout.iterator({ destroyOnReturn: false })) {
    seen += String(chunk);
    if (seen.includes(line)) return;
  }
  throw new Error(`the program ended without printing ${line}: ${await text(program.stderr)}`);
}

async function killed(program: Program): Promise<void> {
  program.kill("SIGKILL");
  await once(program, "close");
}

const holdOpen = `
  const held = await store.openLmdbStore({ directory });
  await held.commit([{ op: "create", key: { group: "", resource: "pods", namespace: "", name: "a" },
    revision: held.revision + 1, previous: 0, value: "{}" }]);
  console.log("ready");
  setInterval(() => {}, 1000);`;

describe("the lock on a data folder", () => {
  test("refuses a second process and names the folder and the first", async () => {
    const directory = join(scratch, "second-process");
    const store = await openLmdbStore({ directory });
    const tried = start(
      directory,
      `try { await store.openLmdbStore({ directory }); } catch (error) { console.log(error.code, error.message); }`,
    );
    expect(await output(tried)).toBe(`DATA_LOCKED data folder ${directory} is in use by process ${process.pid}`);
    await expect(openLmdbStore({ directory })).rejects.toThrow(DataLockedError);
    await create(store, machine("still-serving"));
    await store.close();
    await (await openLmdbStore({ directory })).close();
    expect((await readdir(directory)).toSorted()).toEqual(["data.mdb", "data.mdb-lock"]);
  });

  test("names the other process when that one was first", async () => {
    const directory = join(scratch, "first-process");
    const holder = start(directory, holdOpen);
    await printed(holder, "ready");
    await expect(openLmdbStore({ directory })).rejects.toThrow(
      `data folder ${directory} is in use by process ${holder.pid}`,
    );
    await killed(holder);
  });

  test("left by a killed process is taken over, even when its process id is in use again", async () => {
    const directory = join(scratch, "killed");
    const holder = start(directory, holdOpen);
    await printed(holder, "ready");
    await killed(holder);
    const [left = ""] = (await readdir(directory)).filter((name) => name.startsWith("lock."));
    await rename(join(directory, left), join(directory, left.replace(/\d+/, String(process.pid))));
    const store = await openLmdbStore({ directory });
    expect(store.revision).toBe(1);
    await store.close();
    expect((await readdir(directory)).filter((name) => name.startsWith("lock."))).toEqual([]);
  });

  test("works in a folder with a long path", async () => {
    const directory = join(scratch, "x".repeat(120));
    const store = await openLmdbStore({ directory });
    await expect(openLmdbStore({ directory })).rejects.toThrow(DataLockedError);
    await store.close();
  });
});

describe("a disk without space", () => {
  test("fails the commit and every later one, and keeps all that was acknowledged", async () => {
    const directory = join(scratch, "full");
    const program = start(
      directory,
      `const full = await store.openLmdbStore({ directory });
      const write = () => full.commit([{ op: "create", key: { group: "", resource: "pods", namespace: "",
        name: String(full.revision) }, revision: full.revision + 1, previous: 0, value: "x".repeat(20_000) }]);
      const codes = [];
      while (codes.length < 2) await write().catch((error) => codes.push(error.code));
      console.log(full.revision, ...codes);
      await full.close();`,
      { wrapper: "ulimit -f 1000" },
    );
    const [acknowledged, ...codes] = (await output(program)).split(" ");
    expect(codes).toEqual(["COMMIT_FAILED", "COMMIT_FAILED"]);
    const store = await openLmdbStore({ directory });
    expect(store.revision).toBe(Number(acknowledged));
    expect(store.revision).toBeGreaterThan(10);
    await store.close();
  });
});

describe("a damaged file", () => {
  test("never ends the process, is refused, or has its damage where nothing is stored", async () => {
    const directory = join(scratch, "sound");
    const store = await openLmdbStore({ directory });
    for (let revision = 1; revision <= 300; revision++) {
      const large = { value: JSON.stringify("x".repeat((revision * 97) % 9000)) };
      await store.commit([{ ...mutation("create", machine(`m${revision}`), revision), ...large }]);
    }
    for (let revision = 301; revision <= 500; revision++)
      await store.commit([mutation("update", machine(`m${revision - 300}`), revision, revision - 300)]);
    await store.compact(400);
    await store.close();
    const program = start(directory, damageAndOpen);
    const outcome = JSON.parse(await output(program)) as { refused: number; same: number; other: string[] };
    expect(outcome.other).toEqual([]);
    expect(outcome.refused).toBeGreaterThan(120);
    expect(outcome.refused + outcome.same).toBe(300);
  });

  // Cuts the file, flips a bit, fills a page with noise or zeros, or spoils the head of a page; then opens, reads and
  // writes what is not refused.
  const damageAndOpen = `
    import { readFile, writeFile, mkdir, rm } from "node:fs/promises";
    const sound = await readFile(directory + "/data.mdb");
    let state = 20261115;
    const random = (below) => { state = (Math.imul(state, 1664525) + 1013904223) >>> 0; return Math.floor(state / 2 ** 32 * below); };
    const pages = sound.length / 8192;
    const damages = [
      (bytes) => bytes.subarray(0, random(bytes.length)),
      (bytes) => bytes.subarray(0, random(pages) * 8192),
      (bytes) => { bytes[random(bytes.length)] ^= 1 << random(8); return bytes; },
      (bytes) => { const at = random(pages) * 8192; for (let i = 0; i < 8192; i++) bytes[at + i] = random(256); return bytes; },
      (bytes) => { const at = random(pages) * 8192; return bytes.fill(0, at, at + 8192); },
      (bytes) => { bytes[random(pages) * 8192 + random(64)] = random(256); return bytes; },
    ];
    const content = (opened) => JSON.stringify([...opened.heads(), ...opened.historyFrom(opened.compacted)]);
    const untouched = await store.openLmdbStore({ directory });
    const expected = content(untouched);
    await untouched.close();
    const outcome = { refused: 0, same: 0, other: [] };
    for (let round = 0; round < 300; round++) {
      const copy = directory + "-" + round;
      await mkdir(copy);
      await writeFile(copy + "/data.mdb", damages[round % damages.length](Buffer.from(sound)));
      try {
        const opened = await store.openLmdbStore({ directory: copy });
        if (content(opened) !== expected) outcome.other.push("round " + round + " reads something else");
        for (let i = 0; i < 5; i++) await opened.commit([{ op: "create", key: { group: "", resource: "new", namespace: "", name: "n" + i },
          revision: opened.revision + 1, previous: 0, value: "y".repeat(6000) }]);
        await opened.compact(opened.revision);
        await opened.close();
        store.checkDataFile(copy + "/data.mdb");
        outcome.same++;
      } catch (error) {
        if (error.code === "DATA_DAMAGED" || error.code === "DATA_NEWER") outcome.refused++;
        else outcome.other.push("round " + round + ": " + error.stack);
      }
      await rm(copy, { recursive: true });
    }
    console.log(JSON.stringify(outcome));`;
});

describe("a backup of a folder that another process serves", () => {
  test("holds a moment in between, and restores with a gap in the revisions", async () => {
    const directory = join(scratch, "served");
    const program = start(
      directory,
      `const served = await store.openLmdbStore({ directory });
      let going = true;
      process.stdin.once("data", () => { going = false; });
      while (going) {
        const next = served.revision + 1;
        await served.commit([0, 1].map((half) => ({ op: "create", key: { group: "", resource: "pods", namespace: "",
          name: next + "-" + half }, revision: next + half, previous: 0, value: JSON.stringify("x".repeat(next % 9000)) })));
        if (next === 201) console.log("ready");
      }
      await served.close();`,
    );
    await printed(program, "ready");
    const lines: string[] = [];
    const io = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
    const [file, restored] = [join(scratch, "served.backup"), join(scratch, "restored")];
    expect([await runBackup({ data: directory, file }, io), lines]).toEqual([0, [`backed up ${directory} to ${file}`]]);
    program.stdin.end("stop");
    await output(program);
    expect(await runRestore({ data: restored, file }, io)).toBe(0);
    const store = await openLmdbStore({ directory: restored });
    const revisions = [...store.heads()].map(({ revision }) => revision).toSorted((a, b) => a - b);
    expect(revisions.length).toBeGreaterThanOrEqual(202);
    // Both halves of each commit or none, and nothing missing.
    expect(revisions.length % 2).toBe(0);
    expect(revisions).toEqual(revisions.map((_, index) => index + 1));
    expect(store.revision).toBe(revisions.length + 1_000_000);
    await store.close();
  });

  test("also works on a folder that nobody serves, and refuses what is not sound", async () => {
    const directory = join(scratch, "not-served");
    const store = await openLmdbStore({ directory });
    await create(store, machine("a"));
    await store.close();
    const lines: string[] = [];
    const io = { out: (line: string) => lines.push(line), err: (line: string) => lines.push(line) };
    const file = join(scratch, "not-served.backup");
    expect(await runBackup({ data: directory, file }, io)).toBe(0);
    expect(await runRestore({ data: directory, file }, io)).toBe(1);
    expect(await runBackup({ data: join(scratch, "nowhere"), file, force: true }, io)).toBe(1);
    expect(await runBackup({ data: directory, file: join(file, "below-a-file") }, io)).toBe(1);
    const spoiled = join(scratch, "spoiled");
    await mkdir(spoiled);
    await writeFile(join(spoiled, "data.mdb"), "no data");
    expect(await runBackup({ data: spoiled, file, force: true }, io)).toBe(1);
    expect(lines.slice(1)).toEqual([
      `data folder ${directory} is not empty: a backup is restored into a new folder only`,
      `${join(scratch, "nowhere", "data.mdb")} does not exist`,
      expect.stringContaining("not a directory"),
      `${join(spoiled, "data.mdb")} is damaged: it ends too early`,
    ]);
    // The backup that was there before is still whole.
    await cp(file, join(scratch, "copy.backup"));
    expect(await runRestore({ data: join(scratch, "again"), file: join(scratch, "copy.backup") }, io)).toBe(0);
  });
});
