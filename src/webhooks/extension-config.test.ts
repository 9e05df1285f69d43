import { describe, expect, test } from "vitest";
import type { ExtensionConfig } from "#api";
import { extensionConfigWebhook } from "./extension-config.ts";
import { errorsOf, type ReviewCase, reviewCase } from "./test-review.ts";

const config: ExtensionConfig = {
  apiVersion: "runtime.cluster.x-k8s.io/v1beta2",
  kind: "ExtensionConfig",
  metadata: { name: "ext" },
  spec: { clientConfig: { url: "https://example.com" } },
};
const gates = ["RuntimeSDK"] as const;
const url = (text: string) => ({ spec: { clientConfig: { url: text } } });
const service = (change: object = {}) => ({
  spec: { clientConfig: { url: null, service: { name: "svc", namespace: "default", ...change } } },
});
const labelText =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an " +
  "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";

describe("an ExtensionConfig is taken", () => {
  test.each<[string, ReviewCase]>([
    ["with a URL", { gates, errors: [] }],
    ["with a URL that has a port and a path", { gates, change: url("https://[::1]:8443/a%20b?c=d"), errors: [] }],
    ["with a Service", { gates, change: service(), errors: [] }],
    ["with the path of a Service", { gates, change: service({ path: "/a/b", port: 65535 }), errors: [] }],
    ["with a selector", { gates, change: { spec: { namespaceSelector: { matchLabels: { a: "b" } } } }, errors: [] }],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(extensionConfigWebhook, config, testCase))).toEqual([]);
  });
});

describe("an ExtensionConfig is refused", () => {
  test.each<[string, ReviewCase]>([
    [
      "while extensions are switched off",
      {
        change: url("nonsense"),
        errors: ["spec: Forbidden: can be set only if the RuntimeSDK feature flag is enabled"],
      },
    ],
    [
      "with a name that has a dot",
      {
        gates,
        change: { metadata: { name: "a.b" } },
        errors: [
          'metadata.name: Invalid value: "a.b": ExtensionConfig name should be a valid DNS1123 label name: [must not contain dots]',
        ],
      },
    ],
    [
      "with a name that is none",
      {
        gates,
        change: { metadata: { name: "A_" } },
        errors: [
          `metadata.name: Invalid value: "A_": ExtensionConfig name should be a valid DNS1123 label name: [${labelText}]`,
        ],
      },
    ],
    [
      "with no way to reach it",
      {
        gates,
        change: { spec: { clientConfig: { url: null, caBundle: "Y2E=" } } },
        errors: ["spec.clientConfig: Required value: either url or service must be defined"],
      },
    ],
    [
      "with two ways to reach it",
      {
        gates,
        change: { spec: { clientConfig: { service: { name: "svc", namespace: "default" } } } },
        errors: ["spec.clientConfig: Forbidden: only one of url or service can be defined"],
      },
    ],
    [
      "with a URL that is none",
      {
        gates,
        change: url("example.com"),
        errors: [
          'spec.clientConfig.url: Invalid value: "example.com": must be a valid URL, e.g. https://example.com: ' +
            'parse "example.com": invalid URI for request',
        ],
      },
    ],
    [
      "with a URL that is not safe",
      {
        gates,
        change: url("http://example.com"),
        errors: [
          "spec.clientConfig.url: Invalid value: \"http://example.com\": 'https' is the only allowed URL scheme, e.g. https://example.com",
        ],
      },
    ],
    [
      "with a Service that has impossible names",
      {
        gates,
        change: service({ name: "1svc", namespace: "Default" }),
        errors: [
          expect.stringMatching(
            /^spec\.clientConfig\.service\.name: Invalid value: "1svc": a DNS-1035 label must consist of .*'\[a-z\]\(\[-a-z0-9\]\*\[a-z0-9\]\)\?'\)$/,
          ),
          `spec.clientConfig.service.namespace: Invalid value: "Default": ${labelText}`,
        ],
      },
    ],
    [
      "with the path of a Service that is none",
      {
        gates,
        change: service({ path: "a%" }),
        errors: [
          'spec.clientConfig.service.path: Invalid value: "a%": must be a valid URL path e.g. /path/to/hook: ' +
            'parse "a%": invalid URI for request',
          'spec.clientConfig.service.path: Invalid value: "a%": must start with "/" to be a valid URL path',
        ],
      },
    ],
    [
      "with a port that is none",
      {
        gates,
        change: service({ port: 65536 }),
        errors: ["spec.clientConfig.service.port: Invalid value: 65536: must be between 1 and 65535, inclusive"],
      },
    ],
    [
      "with a selector that cannot be read",
      {
        gates,
        change: { spec: { namespaceSelector: { matchExpressions: [{ key: "a", operator: "Bogus" }] } } },
        errors: [
          'spec.namespaceSelector: Invalid value: {"matchExpressions":[{"key":"a","operator":"Bogus"}]}: ' +
            '"Bogus" is not a valid label selector operator',
        ],
      },
    ],
  ])("%s", async (_name, testCase) => {
    expect(errorsOf(await reviewCase(extensionConfigWebhook, config, testCase))).toEqual(testCase.errors);
  });
});

test("an ExtensionConfig is for all namespaces and its Service listens on 443", async () => {
  expect(await reviewCase(extensionConfigWebhook, config, { gates, change: service(), errors: [] })).toMatchObject({
    kind: "taken",
    object: { spec: { namespaceSelector: {}, clientConfig: { service: { port: 443 } } } },
  });
});
