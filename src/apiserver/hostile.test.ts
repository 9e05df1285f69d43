import {
  ApiError,
  deepestJson,
  type Json,
  type JsonObject,
  type KubeObject,
  type Patch,
  type Transport,
} from "#machinery";
import { openMemoryStore } from "#apiserver/store";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestServer, type TestServer } from "./test-server.ts";

const configMaps = { group: "", version: "v1", resource: "configmaps" };
const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
const group = "hostile.example.com";
const loose = { group, version: "v1", resource: "looses" };
const strict = { group, version: "v1", resource: "stricts" };

let server: TestServer;
let transport: Transport;

beforeAll(async () => {
  server = await openTestServer(openMemoryStore());
  ({ transport } = server);
  await transport.create(definitions, definition("Loose", { "x-kubernetes-preserve-unknown-fields": true }));
  await transport.create(
    definitions,
    definition("Strict", {
      properties: {
        spec: {
          type: "object",
          properties: { size: { type: "integer" }, words: { type: "array", items: { type: "string" } } },
        },
      },
    }),
  );
  await server.server.settle();
});
afterAll(() => server.close());

describe("hostile objects", () => {
  test("ten thousand levels are a bad request", async () => {
    const spec = nested(10_000);
    expect(await codeOf(transport.create(loose, object("Loose", { spec })))).toBe(400);
    expect(await codeOf(transport.create(configMaps, { ...configMap(), data: spec }))).toBe(400);
    const patch: Patch = { kind: "merge", patch: { spec } };
    const { metadata } = await transport.create(loose, object("Loose", {}));
    const key = { namespace: "default", name: metadata.name ?? "" };
    expect([400, 422]).toContain(await codeOf(transport.patch(loose, key, patch)));
    const operations = [{ op: "add", path: "/spec", value: spec }];
    expect([400, 422]).toContain(await codeOf(transport.patch(loose, key, { kind: "json", operations })));
    expect([400, 500]).toContain(
      await codeOf(transport.apply(loose, object("Loose", { spec }, key.name), { fieldManager: "x" })),
    );
  });

  test("levels that may be are kept", async () => {
    const spec = nested(deepestJson - 5);
    const created = await transport.create(loose, object("Loose", { spec }));
    expect(created["spec"]).toEqual(spec);
  });

  test("three megabytes are taken where a kind has no limit of its own, and refused where it has", async () => {
    const text = "x".repeat(3 * 1024 * 1024);
    const big = await transport.create(loose, object("Loose", { spec: { text } }));
    expect(big["spec"]).toEqual({ text });
    await transport.delete(loose, { namespace: "default", name: big.metadata.name ?? "" });
    expect(await codeOf(transport.create(configMaps, { ...configMap(), data: { text } }))).toBe(422);
    expect(await codeOf(transport.create(loose, object("Loose", {}, undefined, { annotations: { text } })))).toBe(422);
  });

  test("keys that mean something to JavaScript are keys like any other", async () => {
    const spec: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
    const created = await transport.create(loose, object("Loose", { spec }));
    expect(JSON.stringify(created["spec"])).toBe(JSON.stringify(spec));
    const key = { namespace: "default", name: created.metadata.name ?? "" };
    const patch: unknown = JSON.parse('{"spec":{"__proto__":{"more":1},"constructor":null}}');
    const patched = await transport.patch(loose, key, { kind: "merge", patch: patch as Json });
    expect(JSON.stringify(patched["spec"])).toBe('{"__proto__":{"polluted":true,"more":1}}');
    const operations = [{ op: "add", path: "/spec/__proto__/polluted", value: 2 }];
    await transport.patch(loose, key, { kind: "json", operations });
    const pruned = await transport.create(strict, object("Strict", { spec }));
    expect(pruned["spec"]).toEqual({});
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    const labelled = object("Loose", {}, undefined, JSON.parse('{"labels":{"__proto__":"x"}}') as object);
    expect(await codeOf(transport.create(loose, labelled))).toBe(422);
    const annotated = object("Loose", {}, undefined, JSON.parse('{"annotations":{"constructor":"x"}}') as object);
    expect((await transport.create(loose, annotated)).metadata.annotations).toEqual({ constructor: "x" });
  });

  test("ten thousand labels are taken and found by", async () => {
    const labels = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`l${index}`, "v"]));
    const created = await transport.create(configMaps, {
      ...configMap(),
      metadata: { ...configMap().metadata, labels },
    });
    const { items } = await transport.list(configMaps, { labelSelector: "l9999=v" });
    expect(items.map(({ metadata }) => metadata.name)).toEqual([created.metadata.name]);
  });

  for (const name of [
    "../../etc/passwd",
    "..",
    ".",
    "a/b",
    "a%2fb",
    "a\u0000b",
    "a\nb",
    "",
    " ",
    "ü",
    "x".repeat(254),
  ]) {
    test(`the name ${JSON.stringify(name).slice(0, 40)} is refused, or not found`, async () => {
      expect(await codeOf(transport.create(loose, object("Loose", {}, name)))).toBe(422);
      expect(
        await codeOf(transport.create(configMaps, { ...configMap(), metadata: { namespace: "default", name } })),
      ).toBe(422);
      expect(await codeOf(transport.get(loose, { namespace: "default", name }))).toBe(404);
      expect(await codeOf(transport.get(loose, { namespace: name || "..", name: "a" }))).toBe(404);
      expect(
        await codeOf(
          transport.create(loose, { ...object("Loose", {}), metadata: { namespace: name || "..", name: "a" } }),
        ),
      ).toBe(404);
      expect(await codeOf(transport.delete(loose, { namespace: "default", name }))).toBe(404);
    });
  }

  const wrongBodies: Readonly<Record<string, unknown>> = {
    nothing: undefined,
    null: null,
    "a text": "x",
    "a number": 1,
    "a list": [],
    "no kind": { apiVersion: `${group}/v1`, metadata: {} },
    "metadata that is a list": { apiVersion: `${group}/v1`, kind: "Loose", metadata: [] },
    "a name that is a number": {
      apiVersion: `${group}/v1`,
      kind: "Loose",
      metadata: { namespace: "default", name: 1 },
    },
    "labels that are a list": object("Loose", {}, "a", { labels: ["x"] }),
    "owners that are texts": object("Loose", {}, "a", { ownerReferences: ["x"] }),
    "owners without anything": object("Loose", {}, "a", { ownerReferences: [{}, {}] }),
    "finalizers that are an object": object("Loose", {}, "a", { finalizers: {} }),
    "managedFields of nonsense": object("Loose", {}, "a", { managedFields: [{ fieldsV1: { "f:": 1 }, manager: 3 }] }),
    "a time that is none": object("Loose", {}, "a", { creationTimestamp: "yesterday" }),
    "a generation beyond all numbers": object("Loose", {}, "a", { generation: 1e300 }),
  };
  for (const [what, body] of Object.entries(wrongBodies)) {
    test(`${what} is refused with a Status`, async () => {
      for (const call of [
        () => transport.create(loose, body as KubeObject),
        () => transport.update(loose, body as KubeObject),
        () => transport.apply(loose, body as KubeObject, { fieldManager: "x" }),
      ]) {
        const code = await codeOf(calling(call));
        expect(code === 200 || (code >= 400 && code < 500) || code === 500).toBe(true);
      }
    });
  }
});

describe("random bodies and patches", () => {
  const anything = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 2 ** 53, "", "a", "v1", "Loose", "__proto__", "10Gi", "default"),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(keys(), tie("value"), { maxKeys: 4 }),
    ),
  })).value;

  test("a body is taken or refused, never a crash", async () => {
    await fc.assert(
      fc.asyncProperty(anything, anything, anything, async (metadata, spec, status) => {
        for (const [resource, kind] of [
          [loose, "Loose"],
          [strict, "Strict"],
        ] as const) {
          const body = { apiVersion: `${group}/v1`, kind, metadata: withHome(metadata), spec, status } as KubeObject;
          await settled(() => transport.create(resource, body));
          await settled(() => transport.update(resource, body));
          await settled(() => transport.apply(resource, body, { fieldManager: "fuzz", force: true }));
        }
        await settled(() =>
          transport.create(configMaps, {
            apiVersion: "v1",
            kind: "ConfigMap",
            metadata: withHome(metadata),
            data: spec,
          } as KubeObject),
        );
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  test("a patch is taken or refused, never a crash, and what is there stays whole", async () => {
    const target = await transport.create(strict, object("Strict", { spec: { size: 1, words: ["a", "b"] } }));
    const key = { namespace: "default", name: target.metadata.name ?? "" };
    const path = fc.constantFrom(
      "/spec",
      "/spec/size",
      "/spec/words/0",
      "/spec/words/-",
      "/metadata",
      "/metadata/labels",
      "/kind",
      "",
      "/x~",
      "/__proto__/a",
    );
    const operation = fc.record({
      op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test", "jump"),
      path,
      from: path,
      value: anything,
    });
    await fc.assert(
      fc.asyncProperty(anything, fc.array(operation, { maxLength: 4 }), async (patch, operations) => {
        await settled(() => transport.patch(strict, key, { kind: "merge", patch: patch as Json }));
        await settled(() => transport.patch(strict, key, { kind: "json", operations: operations as JsonObject[] }));
        await settled(() =>
          transport.patch(strict, key, { kind: "merge", patch: patch as Json }, { subresource: "status" }),
        );
        const now = await transport.get(strict, key);
        expect(now).toMatchObject({
          apiVersion: `${group}/v1`,
          kind: "Strict",
          metadata: { uid: target.metadata.uid },
        });
        // Finalizers and owners that a patch invented may end the object for good.
        expect(now.metadata.deletionTimestamp).toBeUndefined();
      }),
      { numRuns: 500, seed: 11 },
    );
  });
});

function keys(): fc.Arbitrary<string> {
  return fc.constantFrom(
    ..."name namespace labels annotations finalizers ownerReferences managedFields uid resourceVersion generateName".split(
      " ",
    ),
    ..."spec size words metadata kind apiVersion __proto__ constructor toString a b $patch".split(" "),
  );
}

function withHome(metadata: unknown): unknown {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return metadata;
  return { name: "fuzzed", ...metadata, namespace: "default" };
}

/** A call that answers or is refused with a Status; anything else is a crash. */
async function settled(call: () => Promise<unknown>): Promise<void> {
  await codeOf(calling(call));
}

async function calling(call: () => Promise<unknown>): Promise<unknown> {
  return await call();
}

async function codeOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 200;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status.status === "Failure" ? (error.status.code ?? 0) : 0;
  }
}

function nested(levels: number): JsonObject {
  let value: JsonObject = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}

let made = 0;

function object(kind: string, content: object, name = `o${++made}`, metadata: object = {}): KubeObject {
  return { apiVersion: `${group}/v1`, kind, metadata: { namespace: "default", name, ...metadata }, ...content };
}

function configMap(): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { namespace: "default", name: `c${++made}` } };
}

function definition(kind: string, schema: JsonObject): KubeObject {
  const plural = `${kind.toLowerCase()}s`;
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, kind },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", ...schema } },
          subresources: { status: {} },
        },
      ],
    },
  };
}
