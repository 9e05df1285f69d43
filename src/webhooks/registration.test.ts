import { Cluster, ExtensionConfig, Machine } from "#api";
import { fieldAt } from "#machinery";
import { describe, expect, test } from "vitest";
import { webhooks } from "./index.ts";
import { webhookConfigurations, webhookName, webhookPath } from "./registration.ts";

const authority = "-----BEGIN CERTIFICATE-----\n";
const atUrl = { at: { kind: "url", url: "https://10.0.0.7:9443" }, authority } as const;

describe("paths and names are Cluster API's", () => {
  test.each([
    ["mutate", Machine, "/mutate-cluster-x-k8s-io-v1beta2-machine", "default.machine.cluster.x-k8s.io"],
    ["validate", Cluster, "/validate-cluster-x-k8s-io-v1beta2-cluster", "validation.cluster.cluster.x-k8s.io"],
    [
      "mutate",
      ExtensionConfig,
      "/mutate-runtime-cluster-x-k8s-io-v1beta2-extensionconfig",
      "default.extensionconfig.runtime.addons.cluster.x-k8s.io",
    ],
    [
      "validate",
      ExtensionConfig,
      "/validate-runtime-cluster-x-k8s-io-v1beta2-extensionconfig",
      "validation.extensionconfig.runtime.cluster.x-k8s.io",
    ],
  ] as const)("%s %o", (act, kind, path, name) => {
    expect([webhookPath(act, kind), webhookName(act, kind)]).toEqual([path, name]);
  });
});

test("a webhook is registered as Cluster API registers it", () => {
  const [mutating] = webhookConfigurations([Machine].map(only), atUrl);
  expect(mutating).toEqual({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "capstan-mutating-webhook-configuration" },
    webhooks: [
      {
        name: "default.machine.cluster.x-k8s.io",
        admissionReviewVersions: ["v1"],
        clientConfig: {
          url: "https://10.0.0.7:9443/mutate-cluster-x-k8s-io-v1beta2-machine",
          caBundle: Buffer.from(authority).toString("base64"),
        },
        rules: [
          {
            apiGroups: ["cluster.x-k8s.io"],
            apiVersions: ["v1beta2"],
            resources: ["machines"],
            operations: ["CREATE", "UPDATE"],
          },
        ],
        failurePolicy: "Fail",
        matchPolicy: "Equivalent",
        sideEffects: "None",
        timeoutSeconds: 10,
      },
    ],
  });
});

test("a Service is named with its port and the path of the webhook", () => {
  const at = { kind: "service", namespace: "capstan-system", name: "webhooks", port: 443 } as const;
  const [, validating] = webhookConfigurations([Cluster].map(only), { at, authority });
  const service = {
    namespace: "capstan-system",
    name: "webhooks",
    port: 443,
    path: "/validate-cluster-x-k8s-io-v1beta2-cluster",
  };
  expect(validating).toMatchObject({ webhooks: [{ clientConfig: { service } }] });
});

test("all that fill something in mutate, all validate, and those with a say in deletes are asked about them", () => {
  const [mutating, validating] = webhookConfigurations(webhooks, atUrl);
  const registered = (configuration: object) => {
    const list = fieldAt(configuration, "webhooks");
    return Array.isArray(list) ? list : [];
  };
  expect(registered(mutating).map((one) => fieldAt(one, "name"))).toEqual([
    "default.cluster.cluster.x-k8s.io",
    "default.clusterresourceset.addons.cluster.x-k8s.io",
    "default.extensionconfig.runtime.addons.cluster.x-k8s.io",
    "default.machine.cluster.x-k8s.io",
    "default.machinedeployment.cluster.x-k8s.io",
    "default.machinehealthcheck.cluster.x-k8s.io",
    "default.machinepool.cluster.x-k8s.io",
    "default.machineset.cluster.x-k8s.io",
  ]);
  expect(registered(validating)).toHaveLength(webhooks.length);
  const asksAboutDeletes = (one: unknown) => JSON.stringify(fieldAt(one, "rules")).includes("DELETE");
  expect(
    registered(validating)
      .filter(asksAboutDeletes)
      .map((one) => fieldAt(one, "name")),
  ).toEqual(["validation.cluster.cluster.x-k8s.io", "validation.clusterclass.cluster.x-k8s.io"]);
});

function only(kind: object) {
  const found = webhooks.find((webhook) => webhook.kind === kind);
  if (found === undefined) throw new Error("there is no such webhook");
  return found;
}
