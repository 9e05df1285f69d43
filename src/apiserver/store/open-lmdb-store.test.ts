import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openLmdbStore } from "./lmdb-store.ts";
import { describeStore } from "./store-suite.ts";

const scratch = await mkdtemp(join(tmpdir(), "capstan-store-"));
afterAll(() => rm(scratch, { recursive: true }));

let folders = 0;

describeStore("a store in a folder", () => openLmdbStore({ directory: join(scratch, `${++folders}`) }));
