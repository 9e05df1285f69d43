import {
  type KubernetesObject,
  KubeConfig,
  KubernetesObjectApi,
  type Informer,
  makeInformer,
  PatchStrategy,
} from "@kubernetes/client-node";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base";
import { type ApiServer, type HttpServer, openApiServer, openMemoryStore, openPki, writeKubeconfig } from "#apiserver";

interface Widget extends KubernetesObject {
  spec?: { size?: number };
}

const apiVersion = "ex.io/v1";
const kind = "Widget";

let folder: string;
let server: ApiServer;
let http: HttpServer;
let client: KubernetesObjectApi;
let config: KubeConfig;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "capstan-javascript-client-"));
  const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
  const pki = await openPki({ folder: join(folder, "pki"), clock: systemClock });
  const { authority, tokenKey, serving } = pki;
  server = await openApiServer({
    store: openMemoryStore(),
    clock: systemClock,
    log,
    random: () => 0.5,
    uuid: randomUUID,
    security: { authority, tokenKey, issuer: "https://issuer.test" },
    onFatal: (error) => {
      throw error;
    },
  });
  const { security } = server;
  if (security === undefined) throw new Error("the server has no security");
  const tls = { cert: serving.certificate, key: serving.key, clientCa: authority };
  http = await server.listen({ security, answered: server.answered, tls, log, port: 0 });
  const kubeconfig = join(folder, "kubeconfig");
  await writeKubeconfig(kubeconfig, { server: `https://127.0.0.1:${http.port}`, pki });
  config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  client = KubernetesObjectApi.makeApiClient(config);
  await client.create(definition);
  await server.settle();
});

afterEach(async () => {
  await http.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

test("the official JavaScript client lists what it applied, and is told of conflicts", async () => {
  await apply("one", 1, "first");
  await apply("two", 2, "first");
  const { items } = await client.list<Widget>(apiVersion, kind, "default");
  expect(items.map(({ metadata, spec }) => [metadata?.name, spec?.size])).toEqual([
    ["one", 1],
    ["two", 2],
  ]);
  await expect(apply("one", 3, "second")).rejects.toMatchObject({
    code: 409,
    body: expect.stringContaining('conflict with \\"first\\": .spec.size'),
  });
  const labelled = await client.list(apiVersion, kind, "default", undefined, undefined, undefined, undefined, "a=b");
  expect(labelled.items).toEqual([]);
});

test("its informer lists, and sees every change", async () => {
  await apply("there", 1, "first");
  const informer = makeInformer<Widget>(config, "/apis/ex.io/v1/namespaces/default/widgets", () =>
    client.list<Widget>(apiVersion, kind, "default"),
  );
  const seen = sightingsOf(informer);
  await informer.start();
  expect(await seen.next()).toBe("add there 1");
  await apply("new", 1, "first");
  expect(await seen.next()).toBe("add new 1");
  await apply("new", 2, "first");
  expect(await seen.next()).toBe("update new 2");
  await client.delete(widget("there"));
  expect(await seen.next()).toBe("delete there 1");
  expect(informer.list("default").map(({ metadata }) => metadata?.name)).toEqual(["new"]);
  await informer.stop();
});

function apply(name: string, size: number, manager: string): Promise<Widget> {
  const body = { ...widget(name), spec: { size } };
  return client.patch(body, undefined, undefined, manager, false, PatchStrategy.ServerSideApply);
}

function widget(name: string): Widget & { metadata: { name: string; namespace: string } } {
  return { apiVersion, kind, metadata: { name, namespace: "default" } };
}

/** What an informer tells, one after the other. */
function sightingsOf(informer: Informer<Widget>): { readonly next: () => Promise<string> } {
  const told: string[] = [];
  let wake = () => {};
  for (const verb of ["add", "update", "delete"] as const) {
    informer.on(verb, ({ metadata, spec }: Widget) => {
      told.push(`${verb} ${metadata?.name} ${spec?.size}`);
      wake();
    });
  }
  return {
    async next() {
      while (told.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      return told.shift() ?? "";
    },
  };
}

const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.ex.io" },
  spec: {
    group: "ex.io",
    scope: "Namespaced",
    names: { plural: "widgets", kind },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
          },
        },
      },
    ],
  },
};
