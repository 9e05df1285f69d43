import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock, minutes, parseTimestamp, seconds } from "#base";
import { printYaml, type Json } from "#machinery";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ExecPluginError } from "../errors.ts";
import type { Credentials } from "./credentials.ts";
import { connectionOf } from "./kubeconfig-connection.ts";
import { parseKubeconfig } from "./kubeconfig.ts";

const apiVersion = "client.authentication.k8s.io/v1";
let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-exec-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The credentials of a user whose plugin runs a script. */
function plugin(script: string, extra: { [name: string]: Json } = {}) {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const exec = { apiVersion, command: process.execPath, args: ["-e", script], ...extra };
  const config = {
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [
      {
        name: "k",
        cluster: {
          server: "https://a",
          extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "x" } }],
        },
      },
    ],
    users: [{ name: "u", user: { exec } }],
  };
  const kubeconfig = parseKubeconfig(printYaml(config), join(folder, "config"));
  const { credentials } = connectionOf(kubeconfig, { clock, environment: { FROM: "outside" } });
  return { clock, credentials: credentials ?? missing() };
}

function missing(): Credentials {
  throw new Error("the user has no credentials");
}

const issue = (status: object) =>
  `console.log(${JSON.stringify(JSON.stringify({ kind: "ExecCredential", apiVersion, status }))})`;

/** A script whose token says how often it has run. */
function counting(file: string, expires?: string): string {
  const status = `{ token: "t" + count${expires === undefined ? "" : `, expirationTimestamp: "${expires}"`} }`;
  return `const fs = require("fs"); const file = ${JSON.stringify(file)};
    const count = 1 + (fs.existsSync(file) ? Number(fs.readFileSync(file, "utf8")) : 0); fs.writeFileSync(file, String(count));
    console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: "${apiVersion}", status: ${status} }));`;
}

test("a plugin is told what it needs and runs once for all who ask", async () => {
  const file = join(folder, "asked");
  const script = `require("fs").appendFileSync(${JSON.stringify(file)}, JSON.stringify([process.env.FROM, process.env.OWN, JSON.parse(process.env.KUBERNETES_EXEC_INFO)]));
    ${issue({ token: "t" })}`;
  const { credentials } = plugin(script, { env: [{ name: "OWN", value: "mine" }], provideClusterInfo: true });
  const all = await Promise.all([credentials.current(), credentials.current(), credentials.current()]);
  expect(all[0]).toEqual({ authorization: "Bearer t" });
  expect(all[2]).toBe(all[0]);
  const cluster = { server: "https://a", config: { audience: "x" } };
  const info = { kind: "ExecCredential", apiVersion, spec: { interactive: false, cluster } };
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(["outside", "mine", info]);
});

test("a credential is kept until shortly before it expires", async () => {
  const { clock, credentials } = plugin(counting(join(folder, "expiring"), "2026-01-01T00:05:00Z"));
  expect(await credentials.current()).toEqual({ authorization: "Bearer t1" });
  await clock.advance(minutes(4));
  expect(await credentials.current()).toEqual({ authorization: "Bearer t1" });
  await clock.advance(seconds(50));
  expect(await credentials.current()).toEqual({ authorization: "Bearer t2" });
});

test("a credential that the server refuses is replaced once, however many were refused with it", async () => {
  const { credentials } = plugin(counting(join(folder, "refused")));
  const refused = await credentials.current();
  const next = await credentials.current({ refused });
  expect(next).toEqual({ authorization: "Bearer t2" });
  expect(await credentials.current({ refused })).toBe(next);
});

test("a plugin may issue a certificate", async () => {
  const { credentials } = plugin(issue({ clientCertificateData: "CERT", clientKeyData: "KEY" }));
  expect(await credentials.current()).toEqual({ certificate: { certificate: "CERT", key: "KEY" } });
});

test("a plugin is stopped when nobody waits for it any more", async () => {
  const { credentials } = plugin("setInterval(() => {}, 1000)");
  const stop = new AbortController();
  const call = credentials.current({ signal: stop.signal });
  stop.abort(new Error("enough"));
  await expect(call).rejects.toThrow("enough");
});

const failures: Readonly<Record<string, readonly [script: string, message: RegExp]>> = {
  fails: ['console.error("no luck"); process.exit(3)', /failed with 3: no luck$/],
  "writes no JSON": ["console.log('token')", /wrote something that is not JSON$/],
  "writes another kind": ["console.log('{}')", /did not write an ExecCredential$/],
  "writes another version": [
    'console.log(\'{"kind":"ExecCredential","apiVersion":"v7"}\')',
    /wrote apiVersion v7 where client.authentication.k8s.io\/v1 was asked for$/,
  ],
  "writes nothing of use": [issue({}), /wrote neither a token nor a client certificate$/],
  "writes half a certificate": [issue({ clientKeyData: "x" }), /wrote only one of/],
  "writes a token of another type": [issue({ token: 5 }), /wrote a status.token that is not a text$/],
  "writes a time that is none": [
    issue({ token: "t", expirationTimestamp: "soon" }),
    /wrote a status.expirationTimestamp that is not a time: soon$/,
  ],
};
test.each(Object.entries(failures))("a plugin that %s is named", async (_, [script, message]) => {
  const error = await plugin(script)
    .credentials.current()
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ExecPluginError);
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
});

test("a plugin that is not installed comes with the hint of its authors", async () => {
  const { credentials } = plugin("", { command: "no-such-plugin", installHint: "get it at example.com" });
  await expect(credentials.current()).rejects.toThrow(
    "exec plugin no-such-plugin is not installed\n\nget it at example.com",
  );
});

test("a command with a slash lies beside the kubeconfig", async () => {
  writeFileSync(join(folder, "plugin"), `#!${process.execPath}\n${issue({ token: "own" })}`, { mode: 0o755 });
  const { credentials } = plugin("", { command: "./plugin", args: [] });
  expect(await credentials.current()).toEqual({ authorization: "Bearer own" });
});
