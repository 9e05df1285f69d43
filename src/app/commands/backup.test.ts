import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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

  test("a file that is there already is replaced only where that is asked for", async () => {
    const [data, file] = [join(folder, "served"), join(folder, "precious")];
    await (await openLmdbStore({ directory: data })).close();
    await writeFile(file, "precious");
    expect(await capstan("backup", "--data", data, file)).toEqual({
      code: 1,
      out: "",
      err: `error: ${file} exists already: --force replaces it\n`,
    });
    expect(await readFile(file, "utf8")).toBe("precious");
    expect(await capstan("backup", "--data", data, file, "--force")).toMatchObject({ code: 0, err: "" });
    expect(await readFile(file, "utf8")).not.toBe("precious");
  });

  test.runIf(process.platform === "linux")("a folder that cannot be made is a clear error", async () => {
    const [data, file] = [join(folder, "there"), join(folder, "sound")];
    await (await openLmdbStore({ directory: data })).close();
    await capstan("backup", "--data", data, file);
    for (const command of [
      ["restore", file],
      ["serve", "--port", "0"],
    ]) {
      const { code, err } = await capstan(...command, "--data", "/proc/nowhere/at-all");
      expect([code, err]).toEqual([1, expect.stringContaining("failed to create data folder /proc/nowhere/at-all")]);
    }
  });

  test("a folder that is not there is a clear error", async () => {
    const { code, err } = await capstan("backup", "--data", join(folder, "nowhere"), join(folder, "b"));
    expect(code).toBe(1);
    expect(err).toContain(join(folder, "nowhere"));
  });
});
