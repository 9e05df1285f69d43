import { Cluster, Machine } from "#api";
import type { AdmissionRequest, AdmissionVerdict } from "#control";
import { describeError } from "#base";
import { fieldAt } from "#machinery";
import { expect, test } from "vitest";
import { webhooks } from "./index.ts";
import { servedWebhooks } from "./served.ts";
import { lookupsWith } from "./test-review.ts";

const machine = {
  apiVersion: Machine.apiVersion,
  kind: "Machine",
  metadata: { namespace: "default", name: "m1" },
  spec: {
    clusterName: "c1",
    version: "1.34.1",
    bootstrap: { dataSecretName: "data" },
    infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name: "m1" },
  },
};

const served = new Map(servedWebhooks(webhooks, lookupsWith()).map((one) => [one.path, one]));

async function ask(path: string, asked: Partial<AdmissionRequest>): Promise<AdmissionVerdict> {
  const request = {
    uid: "u",
    operation: "CREATE",
    resource: Machine.resource,
    subresource: "",
    name: "m1",
    object: machine,
    oldObject: undefined,
    ...asked,
  } as const;
  const webhook = served.get(path);
  if (webhook === undefined) throw new Error(`nothing is served under ${path}`);
  return await webhook.review(request);
}

test("every kind that fills something in has two paths, every other one", () => {
  expect(served.size).toBe(webhooks.length + webhooks.filter((webhook) => webhook.fillIn !== undefined).length);
});

test("a Machine is filled in under the one path and judged under the other", async () => {
  const verdict = await ask("/mutate-cluster-x-k8s-io-v1beta2-machine", {});
  const object = verdict.kind === "allowed" ? verdict.object : undefined;
  expect(fieldAt(object, "spec")).toEqual({
    ...machine.spec,
    version: "v1.34.1",
    deletion: { nodeDeletionTimeoutSeconds: 10 },
  });
  expect(object?.metadata.labels).toEqual({ "cluster.x-k8s.io/cluster-name": "c1" });

  const { bootstrap: _, ...spec } = machine.spec;
  const refused = await ask("/validate-cluster-x-k8s-io-v1beta2-machine", {
    object: { ...machine, spec: { ...spec, version: "v1.34.1", bootstrap: {} } },
  });
  expect(refused.kind === "denied" ? describeError(refused.error) : "").toBe(
    'Machine.cluster.x-k8s.io "m1" is invalid: spec.bootstrap: Required value: ' +
      "expected either spec.bootstrap.dataSecretName or spec.bootstrap.configRef to be populated",
  );
});

test("what the writer should know comes along whether it is allowed or not", async () => {
  const spec = { topology: { classRef: { name: "none" }, version: "v1.34.1" } };
  const gates = { ...lookupsWith().gates, ClusterTopology: true };
  const [cluster] = servedWebhooks(webhooks, lookupsWith({ gates }))
    .filter(({ path }) => path.endsWith("-cluster"))
    .slice(-1);
  const verdict = await cluster?.review({
    uid: "u",
    operation: "CREATE",
    resource: Cluster.resource,
    subresource: "",
    name: "c1",
    object: {
      apiVersion: Cluster.apiVersion,
      kind: "Cluster",
      metadata: { namespace: "n", name: "c1" },
      spec,
    },
    oldObject: undefined,
  });
  expect(verdict).toEqual({
    kind: "allowed",
    warnings: [expect.stringContaining("Cluster refers to ClusterClass n/none")],
  });
});

test("what a webhook has no say in is allowed", async () => {
  const path = "/validate-cluster-x-k8s-io-v1beta2-machine";
  const bad = { ...machine, spec: { ...machine.spec, version: "no version" } };
  expect(await ask(path, { operation: "DELETE", object: undefined, oldObject: bad })).toEqual({ kind: "allowed" });
  expect(await ask(path, { operation: "CONNECT", object: bad })).toEqual({ kind: "allowed" });
  expect(await ask(path, { subresource: "status", object: bad })).toEqual({ kind: "allowed" });
  expect(await ask(path, { resource: Cluster.resource, object: bad })).toEqual({ kind: "allowed" });
});
