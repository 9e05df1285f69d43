import { afterAll, beforeAll, expect, test } from "vitest";
import { hasReason, isAlreadyExists, isConflict, isNotFound, type KubeObject, type Transport } from "#machinery";
import type { Subject } from "#apiserver/behaviour";
import { createClient, type KindEvent, type ServedKind } from "#client";

interface ConfigMap extends KubeObject {
  readonly data?: { readonly [key: string]: string };
}

const ConfigMap: ServedKind<ConfigMap> = {
  group: "",
  version: "v1",
  kind: "ConfigMap",
  resource: { group: "", version: "v1", resource: "configmaps" },
  namespaced: true,
  is: (object): object is ConfigMap => object.apiVersion === "v1" && object.kind === "ConfigMap",
};
const deployment = { group: "apps", version: "v1", kind: "Deployment" };
const namespaces = { group: "", version: "v1", kind: "Namespace" };
const definitions = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };

/** What a client by kind does on any server, however it is reached. */
export function clientSuite(open: () => Promise<Subject>): void {
  let subject: Subject;
  let count = 0;
  beforeAll(async () => {
    subject = await open();
  });
  afterAll(() => subject.close());

  /** A client, and a namespace of its own. */
  async function scene() {
    const client = createClient(subject.transport, { fieldOwner: "conformance" });
    const namespace = `client-${subject.run}${++count}`;
    await client.create(namespaces, { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    return { client, namespace, word: `${subject.run}${count}` };
  }

  test("objects are created, read, updated, patched and deleted, typed and untyped", async () => {
    const { client, namespace } = await scene();
    const key = { namespace, name: "a" };
    const created = await client.create(ConfigMap, configMap(key, { size: "1" }));
    expect(created.data).toEqual({ size: "1" });
    expect(await client.get({ group: "", version: "v1", kind: "ConfigMap" }, key)).toEqual(created);
    const updated = await client.update(ConfigMap, { ...created, data: { size: "2" } });
    const patched = await client.patch(ConfigMap, key, { kind: "merge", patch: { data: { color: "red" } } });
    expect([updated.data, patched.data]).toEqual([{ size: "2" }, { size: "2", color: "red" }]);
    const operations = [{ op: "remove", path: "/data/color" }];
    expect((await client.patch(ConfigMap, key, { kind: "json", operations })).data).toEqual({ size: "2" });
    expect(await client.delete(ConfigMap, key)).toMatchObject({ kind: "Status", status: "Success" });
    expect(await client.find(ConfigMap, key)).toBeUndefined();
  });

  test("what cannot be is refused for its reason", async () => {
    const { client, namespace } = await scene();
    const key = { namespace, name: "a" };
    const stale = await client.create(ConfigMap, configMap(key));
    await client.update(ConfigMap, { ...stale, data: { a: "1" } });
    const refusal = async (call: Promise<unknown>) => await call.catch((error: unknown) => error);
    expect(isAlreadyExists(await refusal(client.create(ConfigMap, configMap(key))))).toBe(true);
    expect(isConflict(await refusal(client.update(ConfigMap, { ...stale, data: { a: "2" } })))).toBe(true);
    expect(isNotFound(await refusal(client.get(ConfigMap, { namespace, name: "b" })))).toBe(true);
    expect(hasReason(await refusal(client.list(ConfigMap, { labelSelector: "!!" })), "BadRequest")).toBe(true);
    const badName = configMap({ namespace, name: "Bad_Name" });
    expect(hasReason(await refusal(client.create(ConfigMap, badName)), "Invalid")).toBe(true);
  });

  test("what is applied is owned, and taken from another only by force", async () => {
    const { client, namespace } = await scene();
    const wanted = configMap({ namespace, name: "a" }, { size: "1" });
    await client.apply(ConfigMap, wanted);
    const other = client.withFieldOwner("other");
    const contested = { ...wanted, data: { size: "2" } };
    const refused = await other.apply(ConfigMap, contested).catch((error: unknown) => error);
    expect(isConflict(refused)).toBe(true);
    const taken = await other.apply(ConfigMap, contested, { force: true });
    expect(taken.data).toEqual({ size: "2" });
    expect(taken.metadata.managedFields?.map(({ manager }) => manager)).toEqual(["other"]);
  });

  test("pages and selectors find what they should", async () => {
    const { client, namespace } = await scene();
    for (const name of ["a", "b", "c", "d", "e"]) {
      const { metadata, ...rest } = configMap({ namespace, name });
      await client.create(ConfigMap, {
        ...rest,
        metadata: { ...metadata, labels: { even: String("bd".includes(name)) } },
      });
    }
    const pages: string[][] = [];
    const mine = { namespace, fieldSelector: "metadata.name!=kube-root-ca.crt" };
    for await (const page of client.pages(ConfigMap, { ...mine, limit: 2 })) pages.push(names(page.items));
    expect(pages.flat()).toEqual(["a", "b", "c", "d", "e"]);
    expect(pages.every((page) => page.length <= 2)).toBe(true);
    expect(names((await client.listAll(ConfigMap, { ...mine, limit: 2 })).items)).toEqual(["a", "b", "c", "d", "e"]);
    expect(names((await client.list(ConfigMap, { namespace, labelSelector: "even=true" })).items)).toEqual(["b", "d"]);
    await client.deleteAll(ConfigMap, { namespace, labelSelector: "even=false" });
    expect(names((await client.list(ConfigMap, mine)).items)).toEqual(["b", "d"]);
  });

  test("status and scale are written through parts of their own", async () => {
    const { client, namespace } = await scene();
    const key = { namespace, name: "a" };
    const created = await client.create(deployment, deploymentOf(key));
    const status = { kind: "merge", patch: { spec: { replicas: 9 }, status: { replicas: 1 } } } as const;
    const patched = await client.patchStatus(deployment, key, status);
    expect(patched).toMatchObject({ spec: { replicas: 1 }, status: { replicas: 1 } });
    const updated = await client.updateStatus(deployment, { ...patched, status: { replicas: 2 } });
    expect(updated).toMatchObject({ status: { replicas: 2 }, metadata: { uid: created.metadata.uid } });
    expect(await client.scale(deployment, key)).toMatchObject({ kind: "Scale", spec: { replicas: 1 } });
    expect(await client.setReplicas(deployment, key, 3)).toMatchObject({ spec: { replicas: 3 } });
    expect(await client.get(deployment, key)).toMatchObject({ spec: { replicas: 3 } });
  });

  test("a kind that comes to be is found", async () => {
    const { client, word } = await scene();
    const group = `${word}.conformance.example.com`;
    const gizmo = { group, version: "v1", kind: "Gizmo" };
    await expect(client.list(gizmo)).rejects.toMatchObject({ code: "NO_KIND_MATCH" });
    await client.create(definitions, definitionOf(group));
    await subject.eventually(async () => {
      client.mapper.forget();
      expect((await client.list(gizmo)).items).toEqual([]);
    });
  });

  test("a watch tells what is there and what changes, and goes on after every end", async () => {
    const { client, namespace } = await scene();
    await client.create(ConfigMap, configMap({ namespace, name: "a" }));
    const cut = cuttable(subject.transport);
    const stop = new AbortController();
    const options = { namespace, fieldSelector: "metadata.name!=kube-root-ca.crt", signal: stop.signal };
    const watch = createClient(cut.transport).watch(ConfigMap, options);
    const events = watch[Symbol.asyncIterator]();
    expect(brief(await events.next())).toBe("listed a");
    await client.create(ConfigMap, configMap({ namespace, name: "b" }));
    expect(brief(await events.next())).toBe("changed b");
    cut.now();
    await client.create(ConfigMap, configMap({ namespace, name: "c" }));
    await client.delete(ConfigMap, { namespace, name: "a" });
    expect([brief(await events.next()), brief(await events.next())]).toEqual(["changed c", "deleted a"]);
    expect(cut.watches()).toBeGreaterThan(1);
    stop.abort();
    expect((await events.next()).done).toBe(true);
  });
}

/** A transport whose watches a test can cut off. */
function cuttable(transport: Transport) {
  let current = new AbortController();
  let watches = 0;
  const cutting: Transport = {
    ...transport,
    watch(resource, { signal, ...options } = {}) {
      watches++;
      const own = (current = new AbortController());
      signal?.addEventListener("abort", () => own.abort());
      return transport.watch(resource, { ...options, signal: own.signal });
    },
  };
  return { transport: cutting, now: () => current.abort(), watches: () => watches };
}

function brief({ value, done }: IteratorResult<KindEvent<ConfigMap>>): string {
  if (done === true) return "end";
  return value.kind === "listed"
    ? `listed ${names(value.objects).join(" ")}`
    : `${value.kind} ${names([value.object])[0]}`;
}

function names(objects: readonly KubeObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name ?? "");
}

function configMap(key: { namespace: string; name: string }, data: ConfigMap["data"] = {}): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: key, data };
}

function deploymentOf(key: { namespace: string; name: string }): KubeObject {
  const labels = { app: "a" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "a", image: "a" }] } };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: key,
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  };
}

function definitionOf(group: string): KubeObject {
  const schema = { openAPIV3Schema: { type: "object" } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `gizmos.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "gizmos", kind: "Gizmo" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  };
}
