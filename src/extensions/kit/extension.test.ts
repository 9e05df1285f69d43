import { describe, expect, expectTypeOf, test } from "vitest";
import type { Cluster } from "#api";
import { createLogger, seconds, systemClock } from "#base";
import { s } from "#machinery";
import { AfterControlPlaneInitialized, BeforeClusterUpgrade } from "../catalog/lifecycle-hooks.ts";
import { Discovery } from "../catalog/runtime-hook.ts";
import { DiscoverVariables, GeneratePatches, ValidateTopology } from "../catalog/topology-hooks.ts";
import { proceed, refuse, waitFor } from "./answers.ts";
import { callHook } from "./call-hook.ts";
import { createExtension } from "./create-extension.ts";
import { patchTemplates, setField } from "./patch-templates.ts";
import { defineVariables } from "./variables.ts";

const lines: string[] = [];
const log = createLogger({
  format: "json",
  level: "info",
  clock: systemClock,
  destination: { write: (line) => lines.push(line) },
});
const aCluster: Cluster = {
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind: "Cluster",
  metadata: { name: "c1", namespace: "default" },
  spec: {},
};
const anUpgrade = { cluster: aCluster, fromKubernetesVersion: "v1.33.0", toKubernetesVersion: "v1.34.0" };

describe("an extension", () => {
  const extension = createExtension({ log })
    .on(BeforeClusterUpgrade, "quota", async ({ cluster, toKubernetesVersion, settings }) => {
      if (settings?.["quota"] === "none") return waitFor(seconds(30), `no quota for ${cluster.metadata.name}`);
      if (settings?.["quota"] === "lost") throw new Error(`nobody knows ${toKubernetesVersion}`);
      return proceed;
    })
    .on(AfterControlPlaneInitialized, "greet", () => {}, { timeoutSeconds: 5, failurePolicy: "Ignore" })
    .on(ValidateTopology, "strict", () => refuse("no"));

  test("says which handlers it has", async () => {
    const answer = await callHook(extension.fetch, Discovery, "", {});
    expect(answer).toEqual({
      status: "Success",
      message: "",
      handlers: [
        { name: "quota", requestHook: { apiVersion: BeforeClusterUpgrade.apiVersion, hook: "BeforeClusterUpgrade" } },
        {
          name: "greet",
          requestHook: { apiVersion: BeforeClusterUpgrade.apiVersion, hook: "AfterControlPlaneInitialized" },
          timeoutSeconds: 5,
          failurePolicy: "Ignore",
        },
        { name: "strict", requestHook: { apiVersion: BeforeClusterUpgrade.apiVersion, hook: "ValidateTopology" } },
      ],
    });
  });

  test("goes on, waits and refuses", async () => {
    const ask = (quota: string) =>
      callHook(extension.fetch, BeforeClusterUpgrade, "quota", { ...anUpgrade, settings: { quota } });
    expect(await ask("some")).toEqual(proceed);
    expect(await ask("none")).toEqual(waitFor(seconds(30), "no quota for c1"));
    expect(await callHook(extension.fetch, ValidateTopology, "strict", { items: [] })).toEqual(refuse("no"));
  });

  test("that says nothing went well", async () => {
    const answer = await callHook(extension.fetch, AfterControlPlaneInitialized, "greet", { cluster: aCluster });
    expect(answer).toEqual({ status: "Success", message: "" });
  });

  test("that throws has failed, and says so in its log", async () => {
    lines.length = 0;
    const request = { ...anUpgrade, settings: { quota: "lost" } };
    const answer = await callHook(extension.fetch, BeforeClusterUpgrade, "quota", request);
    expect(answer).toEqual({ status: "Failure", message: "nobody knows v1.34.0", retryAfterSeconds: 0 });
    expect(lines.join("")).toContain("a handler failed");
  });

  const path = "/hooks.runtime.cluster.x-k8s.io/v1alpha1/beforeclusterupgrade/quota";
  const post = (url: string, body: string) => extension.fetch(new Request(`https://x${url}`, { method: "POST", body }));

  test.each([
    ["a path of nobody", "/nowhere", "{}", 404, "there is no handler at /nowhere\n"],
    ["no JSON", path, "not json", 400, "invalid character 'o' in literal null (expecting 'u')\n"],
    [
      "another kind",
      path,
      '{"kind":"Other","apiVersion":"v1"}',
      400,
      "expected hooks.runtime.cluster.x-k8s.io/v1alpha1, Kind=BeforeClusterUpgradeRequest, got v1, Kind=Other\n",
    ],
    [
      "an incomplete question",
      path,
      "{}",
      400,
      "cannot read BeforeClusterUpgradeRequest: [cluster: Required value, fromKubernetesVersion: Required value, " +
        "toKubernetesVersion: Required value]\n",
    ],
    ["a time that is none", `${path}?timeout=soon`, "{}", 400, 'time: invalid duration "soon"\n'],
  ])("refuses %s", async (_, url, body, status, text) => {
    const response = await post(url, body);
    expect([response.status, await response.text()]).toEqual([status, text]);
  });

  test("is called with POST", async () => {
    const response = await extension.fetch(new Request(`https://x${path}`));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("may stand below a path of its own", async () => {
    const response = await post(`/my/extension${path}`, JSON.stringify(anUpgrade));
    expect(response.status).toBe(200);
  });

  test("tells its handlers when nobody waits any longer", async () => {
    const stop = new AbortController();
    const waiting = createExtension({ log }).on(AfterControlPlaneInitialized, "slow", async (_, { signal }) => {
      const told = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      stop.abort(new Error("left"));
      await told;
    });
    const url = `https://x${path.replace("beforeclusterupgrade/quota", "aftercontrolplaneinitialized/slow")}`;
    const body = JSON.stringify({ cluster: aCluster });
    const response = await waiting.fetch(new Request(url, { method: "POST", body, signal: stop.signal }));
    expect(response.status).toBe(200);
  });

  test.each([
    ["Quota", {}, "has no name that can be used: a lowercase RFC 1123 label"],
    ["quota", {}, "has a name that another handler has already"],
    ["other", { timeoutSeconds: 31 }, "may take between 1 and 30 seconds, not 31"],
  ])("does not take a handler %s with %j", (name, options, problem) => {
    expect(() => extension.on(BeforeClusterUpgrade, name, () => proceed, options)).toThrow(
      `handler ${name} of BeforeClusterUpgrade ${problem}`,
    );
  });
});

describe("variables", () => {
  const variables = defineVariables({
    httpProxy: s.string({ pattern: "^https?://" }).describe("The proxy.").optional(),
    replicas: s.integer({ minimum: 1 }).describe("How many."),
    users: s.list(s.object({ name: s.string() }), { key: "name" }).optional(),
  });

  test("are discovered as they are written", async () => {
    const extension = createExtension({ log }).on(DiscoverVariables, "variables", () => ({
      variables: variables.definitions,
    }));
    const answer = await callHook(extension.fetch, DiscoverVariables, "variables", {});
    expect(answer.variables).toEqual([
      {
        name: "httpProxy",
        required: false,
        schema: { openAPIV3Schema: { type: "string", pattern: "^https?://", description: "The proxy." } },
      },
      {
        name: "replicas",
        required: true,
        schema: { openAPIV3Schema: { type: "integer", format: "int32", minimum: 1, description: "How many." } },
      },
      {
        name: "users",
        required: false,
        schema: {
          openAPIV3Schema: {
            type: "array",
            items: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
          },
        },
      },
    ]);
  });

  test("are read with their types", () => {
    const values = variables.read([
      { name: "replicas", value: 3 },
      { name: "builtin", value: {} },
    ]);
    expectTypeOf(values).toEqualTypeOf<{
      readonly httpProxy?: string;
      readonly replicas: number;
      readonly users?: readonly { readonly name: string }[];
    }>();
    expect(values).toEqual({ replicas: 3 });
  });

  test.each([
    [[], "the variables do not fit: replicas: Required value"],
    [
      [{ name: "replicas", value: 0 }],
      "replicas: Invalid value: 0: replicas in body should be greater than or equal to 1",
    ],
  ])("%j do not fit", (values, message) => {
    expect(() => variables.read(values)).toThrow(message);
  });
});

describe("templates", () => {
  const machine = {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta2",
    kind: "DevMachineTemplate",
    metadata: { name: "worker" },
    spec: { template: { spec: { backend: { docker: {} } } } },
  };
  const other = { apiVersion: "x/v1", kind: "Other", metadata: { name: "other" }, spec: { keep: 1 } };
  const holderReference = { apiVersion: "v1", kind: "K", namespace: "n", name: "k", fieldPath: "spec.ref" };
  const item = (uid: string, object: typeof machine | typeof other, value?: string) => ({
    uid,
    holderReference,
    object,
    ...(value === undefined ? {} : { variables: [{ name: "image", value }] }),
  });
  const variables = defineVariables({ image: s.string().optional() });

  test("are changed by their kind, and what was changed becomes a patch", async () => {
    const extension = createExtension({ log }).on(GeneratePatches, "image", (request) =>
      patchTemplates(
        request,
        {
          DevMachineTemplate: (template, { image }) => {
            const { docker } = template.spec?.template.spec.backend ?? {};
            if (docker !== undefined && image !== undefined) docker.customImage = image;
          },
          "Other.x": (template, _, { holder }) => setField(template, ["spec", "inner", "holder"], holder.name),
        },
        { variables },
      ),
    );
    const { status, items } = await callHook(extension.fetch, GeneratePatches, "image", {
      variables: [{ name: "image", value: "a" }],
      items: [item("1", machine), item("2", machine, "b"), item("3", other), item("4", { ...other, kind: "Nobody" })],
    });
    expect(status).toBe("Success");
    const decoded = items.map(({ uid, patchType, patch }) => [
      uid,
      patchType,
      JSON.parse(Buffer.from(patch, "base64").toString()) as unknown,
    ]);
    const image = (customImage: string) => ({
      spec: { template: { spec: { backend: { docker: { customImage } } } } },
    });
    expect(decoded).toEqual([
      ["1", "JSONMergePatch", image("a")],
      ["2", "JSONMergePatch", image("b")],
      ["3", "JSONMergePatch", { spec: { inner: { holder: "k" } } }],
    ]);
  });

  test("that nothing changes need no patch", () => {
    expect(patchTemplates({ items: [item("1", machine)] }, { DevMachineTemplate: () => {} })).toEqual({ items: [] });
  });
});
