import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLogger, systemClock } from "#base";
import {
  BeforeClusterDelete,
  createExtension,
  defineVariables,
  DiscoverVariables,
  type ExtensionServer,
  GeneratePatches,
  patchTemplates,
  proceed,
  s,
} from "#extensions";
import { runMain } from "../main.ts";

const log = createLogger({ format: "text", level: "error", clock: systemClock, destination: { write: () => true } });
const variables = defineVariables({ image: s.string().optional() });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-verify-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function verify(server: Pick<ExtensionServer, "url" | "caBundle">, ...more: readonly string[]) {
  const file = join(folder, "ca.crt");
  writeFileSync(file, Buffer.from(server.caBundle, "base64"));
  let [out, err] = ["", ""];
  const terminal = { write: (text: string) => (out += text), writeError: (text: string) => (err += text) };
  const code = await runMain(["extension", "verify", server.url, "--ca", file, ...more], { terminal });
  return { code, out, err };
}

const sound = createExtension({ log })
  .on(DiscoverVariables, "variables", () => ({ variables: variables.definitions }))
  .on(GeneratePatches, "image", (request) => patchTemplates(request, {}, { variables }))
  .on(BeforeClusterDelete, "guard", () => proceed);

describe("an extension that keeps to the protocol", () => {
  test("passes, and is not made to act", async () => {
    await using server = await sound.listen({ host: "127.0.0.1" });
    expect(await verify(server)).toEqual({
      code: 0,
      err: "",
      out: `passed  is reached over TLS and answers
passed  answers discovery with handlers that can be called
passed  says the same when it is asked again
passed  does not mind fields that it does not know
passed  answers 20 questions at once
passed  has nothing where it says it has nothing
passed  refuses what is no question, and lives on
passed  variables answers DiscoverVariables
passed  image answers GeneratePatches
skipped guard answers BeforeClusterDelete: it may change something; --all calls it all the same
9 passed, 0 failed, 1 skipped
`,
    });
  });

  test("is made to act where that is asked for", async () => {
    await using server = await sound.listen({ host: "127.0.0.1" });
    const { code, out } = await verify(server, "--all");
    expect([code, out.includes("passed  guard answers BeforeClusterDelete\n")]).toEqual([0, true]);
  });

  test("is told in JSON, too", async () => {
    await using server = await sound.listen({ host: "127.0.0.1" });
    const { out } = await verify(server, "-o", "json");
    expect(JSON.parse(out)).toContainEqual({ check: "image answers GeneratePatches", verdict: "passed" });
  });
});

describe("an extension that does not", () => {
  test("fails, and is told where", async () => {
    let count = 0;
    const odd = createExtension({ log }).on(DiscoverVariables, "moody", () => ({
      message: `answer ${++count}`,
    }));
    await using server = await odd.listen({ host: "127.0.0.1" });
    const { code, out, err } = await verify(server);
    expect(out).toContain("failed  moody answers DiscoverVariables: the same question had two different answers\n");
    expect([code, err]).toEqual([1, `error: ${server.url} does not keep to the protocol\n`]);
  });

  test("is not even reached where nobody vouches for it", async () => {
    await using server = await sound.listen({ host: "127.0.0.1" });
    await using other = await sound.listen({ host: "127.0.0.1" });
    const { code, out } = await verify({ url: server.url, caBundle: other.caBundle });
    expect(out).toContain("failed  is reached over TLS and answers: ");
    expect(out).toContain("x509: certificate signed by unknown authority\n0 passed, 1 failed\n");
    expect(code).toBe(1);
    const insecure = await verify({ url: server.url, caBundle: other.caBundle }, "--insecure");
    expect(insecure.code).toBe(0);
  });

  test("is no extension", async () => {
    const { code, out } = await verify({ url: "http://localhost:1", caBundle: "" });
    expect([code, out]).toEqual([
      1,
      "failed  is reached over TLS and answers: failed to compute URL: expected https scheme, got http\n0 passed, 1 failed\n",
    ]);
  });
});
