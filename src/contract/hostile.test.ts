import { describe, expect, test } from "vitest";
import { describeError } from "#base";
import { type Client, createClient } from "#client";
import { hasReason, isNotFound, type Json, type KubeObject } from "#machinery";
import { openEmbeddedServer } from "#testkit";
import { createFromTemplate } from "./create-from-template.ts";
import { getObjectFromContractVersionedRef } from "./external-object.ts";
import { aProviderKind, providerGroup } from "./test-provider.ts";
import { failureOf } from "./test-store.ts";

const apiVersion = `${providerGroup}/v1`;
const machines = { group: providerGroup, version: "v1", kind: "FooMachine" };
const templates = { ...machines, kind: "FooMachineTemplate" };
const input = {
  templateRef: { apiVersion, kind: "FooMachineTemplate", namespace: "default", name: "t" },
  namespace: "default",
  name: "m",
  clusterName: "c",
};
const options = { random: () => 0 };

describe("a real server and a template that", () => {
  test("has a megabyte is cloned whole", async () => {
    const spec = { userData: "x".repeat(1_000_000) };
    await using provider = await serve({ template: { spec } });
    const { object } = await createFromTemplate(provider.client, input, options);
    expect(object["spec"]).toEqual(spec);
    expect(await provider.machines()).toEqual([object]);
  });

  test("has a text for a body gives an empty machine", async () => {
    await using provider = await serve({ template: "a text" });
    const { object } = await createFromTemplate(provider.client, input, options);
    expect(object).toMatchObject({ apiVersion, kind: "FooMachine", metadata: { name: "m" } });
    expect(object["spec"]).toBeUndefined();
  });

  test("has a text for a body creates nothing where a machine needs more", async () => {
    await using provider = await serve({ template: "a text" }, { required: ["spec"] });
    const error = await failureOf(createFromTemplate(provider.client, input, options));
    expect(hasReason(error, "Invalid")).toBe(true);
    expect(describeError(error)).toBe('FooMachine.infra.example.com "m" is invalid: spec: Required value');
    expect(await provider.machines()).toEqual([]);
  });

  test("has numbers for labels gives a machine without them", async () => {
    await using provider = await serve({ template: { metadata: { labels: { a: 1 }, annotations: { b: 2 } } } });
    const { object } = await createFromTemplate(provider.client, input, options);
    expect(object.metadata.labels).toEqual({ "cluster.x-k8s.io/cluster-name": "c" });
    expect(object.metadata.annotations).toEqual({
      "cluster.x-k8s.io/cloned-from-name": "t",
      "cluster.x-k8s.io/cloned-from-groupkind": `FooMachineTemplate.${providerGroup}`,
    });
  });

  test.each<[Json, string]>([
    ["a text", "string"],
    [5, "number"],
    [[], "array"],
  ])("has %j for metadata creates nothing", async (metadata, type) => {
    await using provider = await serve({ template: { metadata } });
    const error = await failureOf(createFromTemplate(provider.client, input, options));
    expect(describeError(error)).toContain(`cannot unmarshal ${type} into`);
    expect(await provider.machines()).toEqual([]);
  });

  test("is of a kind that nobody serves creates nothing", async () => {
    await using provider = await serve({ template: {} });
    const templateRef = { ...input.templateRef, kind: "BarMachineTemplate" };
    const error = await failureOf(createFromTemplate(provider.client, { ...input, templateRef }, options));
    expect(describeError(error)).toBe(
      `failed to retrieve BarMachineTemplate default/t: the server serves no ${apiVersion}, Kind=BarMachineTemplate`,
    );
    expect(await provider.machines()).toEqual([]);
  });

  test("names a kind that nobody serves creates nothing", async () => {
    await using provider = await serve({ template: { kind: "BarMachine" } });
    const error = await failureOf(createFromTemplate(provider.client, input, options));
    expect(describeError(error)).toBe(`the server serves no ${apiVersion}, Kind=BarMachine`);
    expect(await provider.machines()).toEqual([]);
  });
});

describe("a real server and a reference to", () => {
  const ref = { apiGroup: providerGroup, kind: "FooMachine", name: "m" };

  test("a kind that does not exist is no missing object", async () => {
    await using provider = await serve({});
    const error = await failureOf(
      getObjectFromContractVersionedRef(provider.client, { ...ref, kind: "BarMachine" }, { namespace: "default" }),
    );
    expect(describeError(error)).toBe(
      "failed to get object from ref: failed to get CustomResourceDefinition metadata: " +
        'customresourcedefinitions.apiextensions.k8s.io "barmachines.infra.example.com" not found',
    );
    expect(isNotFound(error)).toBe(false);
  });

  test("a kind without contract labels has no version", async () => {
    await using provider = await serve({ template: {} }, { labels: {} });
    await createFromTemplate(provider.client, input, options);
    const error = await failureOf(getObjectFromContractVersionedRef(provider.client, ref, { namespace: "default" }));
    expect(describeError(error)).toMatch(
      /^failed to get object from ref: cannot find any versions matching contract versions \["v1beta2" "v1beta1"\] for CRD foomachines\./,
    );
  });

  test("an object that is not there is a missing object", async () => {
    await using provider = await serve({});
    const error = await failureOf(getObjectFromContractVersionedRef(provider.client, ref, { namespace: "default" }));
    expect(isNotFound(error)).toBe(true);
  });

  test("an object that is there finds it", async () => {
    await using provider = await serve({ template: { spec: { size: 1 } } });
    const { object, ref: made } = await createFromTemplate(provider.client, input, options);
    expect(await getObjectFromContractVersionedRef(provider.client, made, { namespace: "default" })).toEqual(object);
  });
});

interface Provider extends AsyncDisposable {
  readonly client: Client;
  machines(): Promise<readonly KubeObject[]>;
}

/** A server with a provider's kinds and a template of theirs. */
async function serve(spec: Json, machineKind: Parameters<typeof aProviderKind>[1] = {}): Promise<Provider> {
  const { server, transport, clock, ...rest } = await openEmbeddedServer();
  const client = createClient(transport, { clock });
  const definitions = [aProviderKind("FooMachine", machineKind), aProviderKind("FooMachineTemplate")];
  const kind = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
  for (const definition of definitions) await client.create(kind, definition);
  await server.settle();
  client.mapper.forget();
  await client.create(templates, {
    apiVersion,
    kind: "FooMachineTemplate",
    metadata: { name: "t", namespace: "default" },
    spec,
  });
  return { client, machines: async () => (await client.list(machines)).items, ...rest };
}
