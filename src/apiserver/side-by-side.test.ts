import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { HttpServer } from "#apiserver/http";
import { openMemoryStore } from "#apiserver/store";
import { openTestServer, type TestServer } from "./test-server.ts";
import { call, permissive, testTls, type WireAnswer } from "./test-wire.ts";

// What the comparison with a real server found; each answer is the real server's.
let subject: TestServer;
let http: HttpServer;

const configMaps = "/api/v1/namespaces/default/configmaps";
const widgets = "/apis/ex.io/v1/namespaces/default/widgets";
const deployments = "/apis/apps/v1/namespaces/default/deployments";

beforeAll(async () => {
  subject = await openTestServer(openMemoryStore());
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  http = await subject.server.listen({ security: permissive, tls: testTls, log, port: 0 });
  await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  await subject.server.settle();
  await send("POST", widgets, { apiVersion: "ex.io/v1", kind: "Widget", metadata: { name: "w" } });
});

afterAll(async () => {
  await http.close();
  await subject.close();
});

describe("owners of built-in objects", () => {
  test("nobody owns what the type always writes", async () => {
    const created = await send("POST", deployments, { ...deployment("made"), spec: deploymentSpec });
    const { spec } = ownedIn(created);
    expect(spec).not.toHaveProperty(["."]);
    expect(spec["f:strategy"]).not.toHaveProperty(["."]);
    expect(spec["f:template"]).toHaveProperty(["f:metadata", "f:labels", "."]);
    expect(spec["f:template"]).not.toHaveProperty(["f:spec", "f:containers", "."]);
  });

  test("a node of which nothing was said has no owners", async () => {
    const { body } = await send("POST", "/api/v1/nodes", { apiVersion: "v1", kind: "Node", metadata: { name: "n" } });
    expect(body).not.toHaveProperty(["metadata", "managedFields"]);
  });

  test("defaults reach what an applied object leaves out", async () => {
    const applied = await send("PATCH", `${deployments}/applied?fieldManager=m`, {
      ...deployment("applied"),
      spec: deploymentSpec,
    });
    expect(applied.code).toBe(201);
    expect(applied.body).toHaveProperty("spec.strategy.type", "RollingUpdate");
  });
});

describe("answers", () => {
  test("HEAD of an object is no method", async () => {
    expect((await call(http.port, `${configMaps}/a`, { method: "HEAD" })).code).toBe(405);
  });

  test("each item of a list of metadata says what it is", async () => {
    const headers = { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" };
    const { body } = parsed(await call(http.port, widgets, { headers }));
    expect(body).toMatchObject({ items: [{ kind: "PartialObjectMetadata", apiVersion: "meta.k8s.io/v1" }] });
  });

  test("a list of custom resources always has a continue", async () => {
    expect((await send("GET", widgets)).body).toHaveProperty("metadata.continue", "");
    expect((await send("GET", configMaps)).body).not.toHaveProperty("metadata.continue");
  });

  test("who takes the last finalizer sees the object as it was last", async () => {
    const held = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "held", finalizers: ["t.test/x"] } };
    await send("POST", configMaps, held);
    const marked = await send("DELETE", `${configMaps}/held`);
    const gone = await send("PUT", `${configMaps}/held`, { ...held, metadata: { name: "held" } });
    expect(versionOf(gone.body)).toBe(versionOf(marked.body));
  });

  test("some kinds are answered with when they are deleted", async () => {
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "sa" } };
    await send("POST", "/api/v1/namespaces/default/serviceaccounts", account);
    const { body } = await send("DELETE", "/api/v1/namespaces/default/serviceaccounts/sa");
    expect(body).toMatchObject({ kind: "ServiceAccount" });
  });

  test("a namespace that ends has no grace period", async () => {
    await send("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "ending" } });
    const { body } = await send("DELETE", "/api/v1/namespaces/ending");
    expect(body).toHaveProperty("metadata.deletionTimestamp");
    expect(body).not.toHaveProperty("metadata.deletionGracePeriodSeconds");
  });
});

describe("refusals", () => {
  const refusals: Readonly<Record<string, readonly [string, string, unknown, number, string]>> = {
    "another built-in kind": [
      "POST",
      configMaps,
      { apiVersion: "v1", kind: "Secret", metadata: { name: "x" } },
      400,
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    "a field that config maps cannot be selected by": [
      "GET",
      `${configMaps}?fieldSelector=spec.x%3Dy`,
      undefined,
      400,
      '"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    "one object at a revision that is no number": [
      "GET",
      `${configMaps}/a?resourceVersion=abc`,
      undefined,
      500,
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    "the scale of a custom resource without replicas": [
      "GET",
      `${widgets}/w/scale`,
      undefined,
      500,
      'Internal error occurred: the spec replicas field ".spec.replicas" does not exist',
    ],
    "an unknown field, applied without a namespace": [
      "PATCH",
      `${widgets}/w?fieldManager=m`,
      { apiVersion: "ex.io/v1", kind: "Widget", metadata: { name: "w" }, spec: { x: 1 } },
      500,
      "failed to create typed patch object (/w; ex.io/v1, Kind=Widget): .spec.x: field not declared in schema",
    ],
  };

  test.each(Object.entries(refusals))("%s", async (_, [method, path, body, code, message]) => {
    expect(await send(method, path, body)).toMatchObject({ code, body: { message } });
  });
});

interface Parsed {
  readonly code: number;
  readonly body: unknown;
}

async function send(method: string, path: string, body?: unknown): Promise<Parsed> {
  const type = method === "PATCH" ? "application/apply-patch+yaml" : "application/json";
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": type } };
  return parsed(await call(http.port, path, { method, ...sent }));
}

function parsed({ code, text }: WireAnswer): Parsed {
  return { code, body: JSON.parse(text) as unknown };
}

function versionOf(object: unknown): unknown {
  return (object as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

function ownedIn({ body }: Parsed): { readonly spec: Record<string, unknown> } {
  const { metadata } = body as { metadata: { managedFields: [{ fieldsV1: { "f:spec": Record<string, unknown> } }] } };
  return { spec: metadata.managedFields[0].fieldsV1["f:spec"] };
}

function deployment(name: string): object {
  return { apiVersion: "apps/v1", kind: "Deployment", metadata: { name } };
}

const deploymentSpec = {
  selector: { matchLabels: { a: "b" } },
  template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i" }] } },
};

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.ex.io" },
  spec: {
    group: "ex.io",
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", listKind: "WidgetList" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { replicas: { type: "integer" } } } },
          },
        },
        subresources: { scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" } },
      },
    ],
  },
};
