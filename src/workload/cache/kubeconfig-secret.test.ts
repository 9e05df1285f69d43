import { expect, test } from "vitest";
import { describeError } from "#base";
import { dumpReader } from "#control";
import type { KubeObject } from "#machinery";
import { readWorkloadSettings } from "./kubeconfig-secret.ts";

const cluster = { namespace: "default", name: "c" };
const labels = { "cluster.x-k8s.io/cluster-name": "c" };
const kubeconfig = `
kind: Config
current-context: c
contexts: [{ name: c, context: { cluster: c, user: u } }]
clusters: [{ name: c, cluster: { server: "https://10.0.0.1:6443" } }]
users: [{ name: u, user: { token: t } }]
`;

function aSecret(parts: {
  readonly labels?: Record<string, string>;
  readonly data?: Record<string, string>;
}): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { namespace: "default", name: "c-kubeconfig", labels: parts.labels ?? labels },
    data: Object.fromEntries(
      Object.entries(parts.data ?? { value: kubeconfig }).map(([key, text]) => [
        key,
        Buffer.from(text).toString("base64"),
      ]),
    ),
  };
}

test("a Cluster is reached as its Secret says", async () => {
  const settings = await readWorkloadSettings(dumpReader([aSecret({})]), cluster);
  expect(settings).toMatchObject({ server: "https://10.0.0.1:6443" });
  expect(await settings.credentials?.current()).toMatchObject({ authorization: "Bearer t" });
});

const prefix = "error creating REST config:";

test.each<{ readonly what: string; readonly secrets: readonly KubeObject[]; readonly said: string }>([
  {
    what: "no Secret",
    secrets: [],
    said: `${prefix} error getting kubeconfig secret: secrets "c-kubeconfig" not found`,
  },
  {
    what: "a Secret without a kubeconfig",
    secrets: [aSecret({ data: { other: "x" } })],
    said: `${prefix} error getting kubeconfig secret: missing key "value" in secret data`,
  },
  {
    what: "a Secret that is not said to belong to a Cluster",
    secrets: [aSecret({ labels: {} })],
    said: `${prefix} error getting kubeconfig secret: Secret default/c-kubeconfig has no label cluster.x-k8s.io/cluster-name`,
  },
  {
    what: "a kubeconfig that runs a program",
    secrets: [aSecret({ data: { value: kubeconfig.replace("token: t", "exec: { command: rm }") } })],
    said: `${prefix} error parsing kubeconfig: kubeconfig of Secret default/c-kubeconfig: users[u].user.exec is not allowed here: no files are read and no programs run for this kubeconfig`,
  },
])("$what is said", async ({ secrets, said }) => {
  const error = await readWorkloadSettings(dumpReader(secrets), cluster).catch((thrown: unknown) => thrown);
  expect(describeError(error)).toBe(said);
});
