import { Registry } from "prom-client";
import { describe, expect, expectTypeOf, test } from "vitest";
import { createFakeClock, describeError, minutes, parseTimestamp, seconds } from "#base";
import { type KubeObject, notFound } from "#machinery";
import { AfterControlPlaneInitialized, BeforeClusterUpgrade } from "../catalog/lifecycle-hooks.ts";
import { DiscoverVariables } from "../catalog/topology-hooks.ts";
import { ExtensionCallError } from "../errors.ts";
import { proceed, refuse, waitFor } from "../kit/answers.ts";
import { createExtension } from "../kit/create-extension.ts";
import { anExtensionConfig, recordedLog, type TestConfig } from "../test-extension-config.ts";
import { createExtensionMetrics } from "../wire/extension-metrics.ts";
import { createExtensionClient } from "./create-extension-client.ts";

const namespaces: Readonly<Record<string, KubeObject>> = {
  dev: { apiVersion: "v1", kind: "Namespace", metadata: { name: "dev", labels: { stage: "dev" } } },
  prod: { apiVersion: "v1", kind: "Namespace", metadata: { name: "prod", labels: { stage: "prod" } } },
};
const inDev = { namespace: "dev", name: "c1" };
const inProd = { namespace: "prod", name: "c1" };
const cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "c1", namespace: "dev" },
  spec: {},
} as const;
const upgrade = { cluster, fromKubernetesVersion: "v1.33.0", toKubernetesVersion: "v1.34.0" };

function world() {
  const asked: unknown[] = [];
  const { log, lines } = recordedLog();
  const extension = createExtension({ log })
    .on(DiscoverVariables, "variables", ({ settings }) => {
      asked.push(settings);
      return { message: `answer ${asked.length}` };
    })
    .on(BeforeClusterUpgrade, "quota", () => waitFor(seconds(30), "no quota"))
    .on(BeforeClusterUpgrade, "window", () => waitFor(seconds(10), "no window"))
    .on(BeforeClusterUpgrade, "fine", () => proceed)
    .on(AfterControlPlaneInitialized, "strict", () => refuse("the password is hunter2"));
  const clock = createFakeClock(parseTimestamp("2026-01-01T00:00:00Z"));
  const metrics = new Registry();
  const client = createExtensionClient({
    client: {
      get: async (_, { name }) => {
        const found = namespaces[name];
        if (found === undefined) throw notFound({ group: "", resource: "namespaces" }, name);
        return found;
      },
    },
    log,
    clock,
    metrics: createExtensionMetrics(metrics),
    inProcess: { "ext:9443": extension },
  });
  const config = (given: Partial<TestConfig> = {}) =>
    anExtensionConfig({ clientConfig: { url: "https://ext:9443" }, ...given });
  const register = async (given: Partial<TestConfig> = {}) => client.register(await client.discover(config(given)));
  client.warmUp([]);
  return { asked, client, clock, config, lines, metrics, register };
}

const failureOf = (call: Promise<unknown>) => call.then(String, describeError);

describe("an extension in the same process", () => {
  test("is discovered, registered and called", async () => {
    const { client, register } = world();
    await register();
    const answer = await client.call(DiscoverVariables, "variables.ext", { settings: { a: "1" } });
    expectTypeOf(answer.variables[0]?.name).toEqualTypeOf<string | undefined>();
    expect(answer).toEqual({ status: "Success", message: "answer 1", variables: [] });
  });

  test("gets the settings of its ExtensionConfig, over which those of the caller win", async () => {
    const { asked, client, register } = world();
    await register({ settings: { a: "config", b: "config" } });
    await client.call(DiscoverVariables, "variables.ext", { settings: { a: "caller" } });
    await client.call(DiscoverVariables, "variables.ext", {});
    expect(asked).toEqual([
      { a: "caller", b: "config" },
      { a: "config", b: "config" },
    ]);
  });

  test("is not asked again within ten minutes where the answer may be old", async () => {
    const { asked, client, clock, register } = world();
    await register();
    const ask = async (settings: { readonly [name: string]: string }, cache: boolean | readonly string[]) =>
      (await client.call(DiscoverVariables, "variables.ext", { settings }, { cache })).message;
    expect([await ask({ a: "1" }, true), await ask({ a: "1" }, true)]).toEqual(["answer 1", "answer 1"]);
    expect([await ask({ a: "2" }, true), await ask({ a: "1" }, ["v1.34"])]).toEqual(["answer 2", "answer 3"]);
    expect(await ask({ a: "1" }, false)).toBe("answer 4");
    await clock.advance(minutes(10));
    expect(await ask({ a: "1" }, true)).toBe("answer 5");
    expect(asked).toHaveLength(5);
  });

  test("is asked anew once its ExtensionConfig has changed", async () => {
    const { client, register } = world();
    const ask = async () => (await client.call(DiscoverVariables, "variables.ext", {}, { cache: true })).message;
    await register({ resourceVersion: "1" });
    await ask();
    await register({ resourceVersion: "2" });
    expect(await ask()).toBe("answer 2");
  });

  test("is called only for namespaces that it selects", async () => {
    const { client, register } = world();
    await register({ namespaceSelector: { matchLabels: { stage: "dev" } } });
    const ask = (object?: typeof inDev) =>
      failureOf(client.call(BeforeClusterUpgrade, "fine.ext", upgrade, object && { for: object }));
    expect(await ask(inDev)).toBe("[object Object]");
    expect(await ask(inProd)).toBe(
      'failed to call extension handler "fine.ext": namespaceSelector did not match object prod/c1',
    );
    expect(await ask({ namespace: "gone", name: "c1" })).toBe('failed to call extension handler "fine.ext"');
    expect(await ask()).toBe('failed to call extension handler "fine.ext"');
    expect(await client.handlersFor(BeforeClusterUpgrade, inProd)).toEqual([]);
    expect(await client.handlersFor(BeforeClusterUpgrade, inDev)).toEqual(["quota.ext", "window.ext", "fine.ext"]);
  });

  test("that does not answer with success is an error, whose message stands in the log alone", async () => {
    const { client, lines, register } = world();
    await register();
    const error: unknown = await client
      .call(AfterControlPlaneInitialized, "strict.ext", { cluster })
      .catch((thrown: unknown) => thrown);
    expect(describeError(error)).toBe(
      'failed to call extension handler "strict.ext": got failure response, please check controller logs for errors',
    );
    expect(error).toBeInstanceOf(ExtensionCallError);
    expect((error as ExtensionCallError).response?.message).toBe("the password is hunter2");
    expect(lines.filter((line) => line.includes("the call of strict.ext was not answered with success"))).toHaveLength(
      1,
    );
  });

  test("is counted under the names of the reference", async () => {
    const { client, metrics, register } = world();
    await register();
    await client.call(BeforeClusterUpgrade, "fine.ext", upgrade);
    const text = await metrics.metrics();
    const labels =
      'host="ext:9443",group="hooks.runtime.cluster.x-k8s.io",version="v1alpha1",hook="BeforeClusterUpgrade"';
    expect(text).toContain(`capi_runtime_sdk_requests_total{${labels},code="200",status="Success"} 1`);
    expect(text).toContain(`capi_runtime_sdk_request_duration_seconds_count{${labels}} 1`);
  });
});

describe("all handlers of a hook", () => {
  test("are asked one after the other, and the soonest time to ask again counts", async () => {
    const { client, register } = world();
    await register();
    expect(await client.callAll(BeforeClusterUpgrade, inDev, upgrade)).toEqual({
      status: "Success",
      message: "no quota, no window",
      retryAfterSeconds: 10,
    });
  });

  test("that there are not go well", async () => {
    const { client } = world();
    expect(await client.callAll(AfterControlPlaneInitialized, inDev, { cluster })).toEqual({
      status: "Success",
      message: "",
    });
  });

  test("stop at the first that fails", async () => {
    const { client, register } = world();
    await register();
    expect(await failureOf(client.callAll(AfterControlPlaneInitialized, inDev, { cluster }))).toBe(
      'failed to call extension handlers for hook "AfterControlPlaneInitialized.hooks.runtime.cluster.x-k8s.io": ' +
        'failed to call extension handler "strict.ext": got failure response, please check controller logs for errors',
    );
  });
});

describe("a handler that fails", () => {
  const unreachable = { url: "https://127.0.0.1:1" };
  const handler = {
    name: "fine.ext",
    requestHook: { apiVersion: BeforeClusterUpgrade.apiVersion, hook: "BeforeClusterUpgrade" },
    timeoutSeconds: 1,
  };
  const url = "https://127.0.0.1:1/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclusterupgrade/fine?timeout=1s";

  test("is an error by default", async () => {
    const { client, config } = world();
    client.register(config({ clientConfig: unreachable, handlers: [{ ...handler, failurePolicy: "Fail" }] }));
    expect(await failureOf(client.call(BeforeClusterUpgrade, "fine.ext", upgrade))).toBe(
      `failed to call extension handler "fine.ext": http call failed: Post "${url}": dial tcp 127.0.0.1:1: connect: connection refused`,
    );
  });

  test("is ignored where its policy says so, and is not kept", async () => {
    const { client, config } = world();
    client.register(config({ clientConfig: unreachable, handlers: [{ ...handler, failurePolicy: "Ignore" }] }));
    expect(await client.call(BeforeClusterUpgrade, "fine.ext", upgrade, { cache: true })).toEqual(proceed);
  });

  test("is not ignored where nobody to trust is named", async () => {
    const { client, config } = world();
    const caBundle = Buffer.from("no certificate").toString("base64");
    const clientConfig = { ...unreachable, caBundle };
    client.register(config({ clientConfig, handlers: [{ ...handler, failurePolicy: "Ignore" }] }));
    expect(await failureOf(client.call(BeforeClusterUpgrade, "fine.ext", upgrade))).toBe(
      'failed to call extension handler "fine.ext": failed to get http client: failed to create tls config: ' +
        "unable to load root certificates: unable to parse bytes as PEM block",
    );
  });

  test("is not ignored where the caller gave up", async () => {
    const { client, config } = world();
    client.register(config({ clientConfig: unreachable, handlers: [{ ...handler, failurePolicy: "Ignore" }] }));
    const reason = new Error("shutting down");
    const call = client.call(BeforeClusterUpgrade, "fine.ext", upgrade, { signal: AbortSignal.abort(reason) });
    await expect(call).rejects.toBe(reason);
  });

  test("is none at all where it was never registered", async () => {
    const { client } = world();
    expect(await failureOf(client.call(BeforeClusterUpgrade, "nope", upgrade))).toBe(
      'failed to call extension handler "nope": failed to get extension handler "nope" from registry: ' +
        'handler with name "nope" has not been registered',
    );
  });

  test("answers another hook", async () => {
    const { client, register } = world();
    await register();
    expect(await failureOf(client.call(DiscoverVariables, "fine.ext", {}))).toBe(
      'failed to call extension handler "fine.ext": handler does not match GroupHook "DiscoverVariables.hooks.runtime.cluster.x-k8s.io"',
    );
  });
});
