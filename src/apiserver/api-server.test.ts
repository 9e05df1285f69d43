import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { behaviourSuite } from "#apiserver/behaviour";
import { openLmdbStore, openMemoryStore } from "#apiserver/store";
import { afterAll, describe } from "vitest";
import { openTestServer } from "./test-server.ts";

const scratch = await mkdtemp(join(tmpdir(), "capstan-apiserver-"));
afterAll(() => rm(scratch, { recursive: true }));

let folders = 0;

describe("the embedded server over memory", () => {
  behaviourSuite(() => openTestServer(openMemoryStore()));
});

describe("the embedded server over a folder", () => {
  behaviourSuite(async () => openTestServer(await openLmdbStore({ directory: join(scratch, `${++folders}`) })));
});
