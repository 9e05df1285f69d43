import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createFakeClock, parseTimestamp, seconds } from "#base";
import { printYaml, type Json } from "#machinery";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KubeconfigError, NoConnectionError } from "../errors.ts";
import { connectionOf } from "./kubeconfig-connection.ts";
import { parseKubeconfig } from "./kubeconfig.ts";
import { loadConnection } from "./load-connection.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "capstan-kubeconfig-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function written(name: string, content: Json | string): string {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : printYaml(content));
  return file;
}

function config(parts: { cluster?: Json; user?: Json; context?: { [name: string]: Json }; current?: string }): Json {
  const { cluster = { server: "https://a:6443" }, user = {}, context = {}, current = "c" } = parts;
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": current,
    contexts: [{ name: "c", context: { cluster: "k", user: "u", ...context } }],
    clusters: [{ name: "k", cluster }],
    users: [{ name: "u", user }],
  };
}

const base64 = (text: string) => Buffer.from(text).toString("base64");
const read = (content: Json) => connectionOf(parseKubeconfig(printYaml(content), "/etc/kube/config"));

test("data, names and flags of a cluster and a user become a connection", async () => {
  const connection = read(
    config({
      cluster: {
        server: "https://a:6443/prefix",
        "certificate-authority-data": base64("CA"),
        "tls-server-name": "api",
        "disable-compression": true,
      },
      user: {
        "client-certificate-data": base64("CERT"),
        "client-key-data": base64("KEY"),
        token: "t",
        as: "jane",
        "as-groups": ["g"],
        "as-user-extra": { k: ["v"] },
      },
      context: { namespace: "n" },
    }),
  );
  const { credentials, ...rest } = connection;
  expect(rest).toEqual({
    server: "https://a:6443/prefix",
    tls: {
      authority: Buffer.from("CA"),
      certificate: Buffer.from("CERT"),
      key: Buffer.from("KEY"),
      serverName: "api",
    },
    impersonate: { user: "jane", groups: ["g"], extra: { k: ["v"] } },
    namespace: "n",
    compression: false,
  });
  expect(await credentials?.current()).toEqual({ authorization: "Bearer t" });
});

test("relative files lie beside the kubeconfig", () => {
  const { tls } = read(
    config({
      cluster: { server: "https://a", "certificate-authority": "ca.crt" },
      user: { "client-certificate": "../u.crt", "client-key": "/abs/u.key" },
    }),
  );
  expect(tls).toEqual({
    authority: { file: "/etc/kube/ca.crt" },
    certificate: { file: "/etc/u.crt" },
    key: { file: "/abs/u.key" },
  });
});

test("a user name and a password are sent as such", async () => {
  const { credentials } = read(config({ user: { username: "u", password: "p" } }));
  expect(await credentials?.current()).toEqual({ authorization: `Basic ${base64("u:p")}` });
});

const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "x" };
const problems: Readonly<Record<string, readonly [content: Json | string, message: string]>> = {
  "no YAML": ["a: [", "is not YAML"],
  "a list": [[], "is not an object"],
  "another kind": [{ kind: "Pod" }, "kind must be Config, not Pod"],
  "no current context": [{ kind: "Config" }, "current-context must be set"],
  "a context that is not there": [config({ current: "x" }), "has no context x; there are: c"],
  "a cluster that is not there": [
    config({ context: { cluster: "x" } }),
    "contexts[c].context.cluster names x, which does not exist",
  ],
  "a user that is not there": [
    config({ context: { user: "x" } }),
    "contexts[c].context.user names x, which does not exist",
  ],
  "no server": [config({ cluster: {} }), "clusters[k].cluster.server must be set"],
  "a server of another kind": [
    config({ cluster: { server: "ftp://a" } }),
    "clusters[k].cluster.server must be an http or https URL, not ftp://a",
  ],
  "a proxy": [
    config({ cluster: { server: "https://a", "proxy-url": "http://p" } }),
    "clusters[k].cluster.proxy-url is not supported: proxies are not spoken here, reach the server directly",
  ],
  "trust in somebody and in everybody": [
    config({ cluster: { server: "https://a", "insecure-skip-tls-verify": true, "certificate-authority": "x" } }),
    "clusters[k].cluster.insecure-skip-tls-verify cannot be set together with a certificate authority",
  ],
  "data that is not base64": [
    config({ cluster: { server: "https://a", "certificate-authority-data": "%" } }),
    "clusters[k].cluster.certificate-authority-data is not valid base64",
  ],
  "a certificate without a key": [
    config({ user: { "client-certificate-data": base64("x") } }),
    "users[u].user.client-key-data or client-key must be set for the client certificate",
  ],
  "a token with the end of its line": [
    config({ user: { token: "t\n" } }),
    "users[u].user.token has characters that no header can hold, such as the end of a line",
  ],
  "a token that is a number": [config({ user: { token: 5 } }), "users[u].user.token must be a text"],
  "an auth provider": [
    config({ user: { "auth-provider": { name: "gcp" } } }),
    "users[u].user.auth-provider is not supported: it is gone from Kubernetes, use an exec plugin",
  ],
  "groups without a user to act for": [config({ user: { "as-groups": ["g"] } }), "users[u].user.as must be set"],
  "a plugin without a command": [
    config({ user: { exec: { apiVersion: exec.apiVersion } } }),
    "users[u].user.exec.command must be set",
  ],
  "a plugin of an unknown version": [
    config({ user: { exec: { ...exec, apiVersion: "v7" } } }),
    "users[u].user.exec.apiVersion must be one of client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1, not v7",
  ],
  "a plugin that must ask people": [
    config({ user: { exec: { ...exec, interactiveMode: "Always" } } }),
    "users[u].user.exec.interactiveMode is Always, but nobody can be asked here",
  ],
  "a variable without a name": [
    config({ user: { exec: { ...exec, env: [{ value: "x" }] } } }),
    "users[u].user.exec.env[0].name must be set",
  ],
  "an entry without a name": [{ clusters: [{}] }, "clusters[0].name must be set"],
  "an entry that is no object": [{ users: [5] }, "users[0] must be an object"],
};
describe("the file and the field are named for", () => {
  test.each(Object.entries(problems))("%s", (_, [content, message]) => {
    const text = typeof content === "string" ? content : printYaml(content);
    const attempt = () => connectionOf(parseKubeconfig(text, "/etc/kube/config"));
    expect(attempt).toThrow(KubeconfigError);
    expect(attempt).toThrow(`kubeconfig /etc/kube/config: ${message}`);
  });
});

test("of several files the first that names a thing decides, and missing ones are passed over", async () => {
  const first = written("first", { contexts: [{ name: "c", context: { cluster: "k", namespace: "first" } }] });
  const second = written("second", config({ cluster: { server: "https://second" }, context: { namespace: "second" } }));
  const environment = { KUBECONFIG: [join(folder, "missing"), first, second].join(delimiter) };
  expect(await loadConnection({ environment })).toMatchObject({ server: "https://second", namespace: "first" });
});

test("a path goes before the environment, that before the pod, that before the home directory", async () => {
  const path = written("path", config({ cluster: { server: "https://path" } }));
  const environment = { KUBECONFIG: written("environment", config({ cluster: { server: "https://environment" } })) };
  const pod = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  written("token", "t1\n");
  written("namespace", "n\n");
  const inPod = { home: folder, serviceAccountDirectory: folder };
  expect(await loadConnection({ path, environment })).toMatchObject({ server: "https://path" });
  expect(await loadConnection({ ...inPod, environment: { ...environment, ...pod } })).toMatchObject({
    server: "https://environment",
  });
  expect(await loadConnection({ ...inPod, environment: pod })).toMatchObject({
    server: "https://[fd00::1]:443",
    namespace: "n",
    tls: { authority: { file: join(folder, "ca.crt") } },
  });
  await expect(loadConnection({ home: folder })).rejects.toBeInstanceOf(NoConnectionError);
  await expect(loadConnection({ path: join(folder, "missing") })).rejects.toThrow(/missing: cannot be read/);
});

test("a token file is read again after a minute, and at once when the token was refused", async () => {
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const file = written("renewed-token", "t1");
  const content = config({ user: { tokenFile: file } });
  const { credentials } = connectionOf(parseKubeconfig(printYaml(content), "/x"), { clock });
  const first = await credentials?.current();
  expect(first).toEqual({ authorization: "Bearer t1" });
  written("renewed-token", "t2");
  expect(await credentials?.current()).toBe(first);
  await clock.advance(seconds(60));
  const second = await credentials?.current();
  expect(second).toEqual({ authorization: "Bearer t2" });
  written("renewed-token", "t3");
  expect(await credentials?.current(second === undefined ? {} : { refused: second })).toEqual({
    authorization: "Bearer t3",
  });
  written("renewed-token", " ");
  await clock.advance(seconds(60));
  await expect(credentials?.current()).rejects.toThrow(/is empty/);
});

test.each<{ readonly field: string; readonly parts: { cluster?: Json; user?: Json } }>([
  {
    field: "certificate-authority",
    parts: { cluster: { server: "https://a", "certificate-authority": "/etc/shadow" } },
  },
  { field: "tokenFile", parts: { user: { tokenFile: "/etc/shadow" } } },
  { field: "client-key", parts: { user: { "client-certificate-data": base64("c"), "client-key": "/etc/shadow" } } },
  { field: "exec", parts: { user: { exec: { command: "rm" } } } },
])("a kubeconfig of somebody else leads nowhere else: $field", ({ field, parts }) => {
  const kubeconfig = parseKubeconfig(printYaml(config(parts)), "secret");
  expect(() => connectionOf(kubeconfig, { contentOnly: true })).toThrow(
    `${field} is not allowed here: no files are read and no programs run for this kubeconfig`,
  );
});
