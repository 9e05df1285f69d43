import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openLmdbStore } from "#apiserver";
import { runMain } from "../main.ts";

let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "capstan-backup-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function capstan(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: "", err: "" };
  const terminal = {
    write: (text: string) => void (said.out += text),
    writeError: (text: string) => void (said.err += text),
  };
  return { code: await runMain(args, { terminal }), ...said };
}

describe("capstan backup and restore", () => {
  test("a folder that is being served is backed up and restored with its objects", async () => {
    const [data, file, again] = [join(folder, "data"), join(folder, "backup"), join(folder, "again")];
    const key = { group: "", resource: "configmaps", namespace: "default", name: "a" };
    const store = await openLmdbStore({ directory: data });
    await store.commit([{ key, op: "create", revision: 1, previous: 0, value: "{}" }]);
    expect(await capstan("backup", "--data", data, file)).toEqual({
      code: 0,
      out: `backed up ${data} to ${file}\n`,
      err: "",
    });
    await store.close();
    expect(await capstan("restore", "--data", again, file)).toMatchObject({ code: 0, err: "" });
    const restored = await openLmdbStore({ directory: again });
    expect(restored.get(key)?.value).toBe("{}");
    await restored.close();
  });

  test("a folder that is not there is a clear error", async () => {
    const { code, err } = await capstan("backup", "--data", join(folder, "nowhere"), join(folder, "b"));
    expect(code).toBe(1);
    expect(err).toContain(join(folder, "nowhere"));
  });
});
