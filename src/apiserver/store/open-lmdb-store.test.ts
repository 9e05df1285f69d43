import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { openLmdbStore } from "./open-lmdb-store.ts";
import { storeSuite } from "./store-suite.ts";

const scratch = await mkdtemp(join(tmpdir(), "capstan-store-"));
afterAll(() => rm(scratch, { recursive: true }));

let folders = 0;

describe("a store in a folder", () => {
  storeSuite(() => openLmdbStore({ directory: join(scratch, `${++folders}`) }));
});
