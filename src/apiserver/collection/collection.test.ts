import type { KubeObject } from "#machinery";
import type { Change } from "#apiserver/watch";
import { describe, expect, test } from "vitest";
import { Collection } from "./collection.ts";

describe("a collection", () => {
  test("shows staged objects to writers alone, until they are published", () => {
    const collection = create();
    const object = configMap("a", 1);
    collection.stage("n", "a", { revision: 1, object });
    expect([collection.head("n", "a"), collection.get("n", "a"), collection.list()]).toEqual([object, undefined, []]);
    collection.publish(change("created", object));
    expect([collection.head("n", "a"), collection.get("n", "a"), collection.list()]).toEqual([
      object,
      object,
      [object],
    ]);
  });

  test("knows what the last of several writes on their way makes of an object", () => {
    const collection = create();
    const [first, second] = [configMap("a", 1), configMap("a", 3)];
    collection.stage("n", "a", { revision: 1, object: first });
    collection.publish(change("created", first));
    collection.stage("n", "a", { revision: 2, object: undefined });
    collection.stage("n", "a", { revision: 3, object: second });
    collection.stage("n", "a", { revision: 4, object: undefined });
    for (const each of [change("deleted", configMap("a", 2)), change("created", second)]) {
      collection.publish(each);
      expect(collection.head("n", "a")).toBeUndefined();
    }
    expect(collection.get("n", "a")).toBe(second);
    collection.publish(change("deleted", configMap("a", 4)));
    expect(collection.get("n", "a")).toBeUndefined();
  });

  test("lists objects as they were at an earlier revision", () => {
    const collection = create();
    const [a, b, changed] = [configMap("a", 1), configMap("b", 2), configMap("a", 3, "changed")];
    collection.publish(change("created", a));
    collection.publish(change("created", b));
    collection.publish(change("updated", changed, a));
    collection.publish(change("deleted", configMap("b", 4), b));
    expect([0, 1, 2, 3, 4].map((revision) => collection.listAt(revision))).toEqual([
      [],
      [a],
      [a, b],
      [changed, b],
      [changed],
    ]);
    expect(collection.listAt(2, "elsewhere")).toEqual([]);
  });

  test("forgets the oldest changes and says so", () => {
    const collection = create();
    for (let revision = 1; revision <= 3000; revision += 1) {
      collection.publish(change(revision === 1 ? "created" : "updated", configMap("a", revision)));
    }
    expect(collection.changesAfter(0)).toBeUndefined();
    expect(collection.listAt(0)).toBeUndefined();
    expect(collection.changesAfter(2_999)?.map(({ revision }) => revision)).toEqual([3000]);
  });

  test("is listed in the order of namespace, slash and name", () => {
    const collection = create();
    const keys = ["b/a", "a/b", "a-b/a", "a/a"];
    for (const [index, key] of keys.entries()) {
      const [namespace = "", name = ""] = key.split("/");
      const object = { ...configMap(name, index + 1), metadata: { namespace, name } };
      collection.publish({ kind: "created", revision: index + 1, namespace, name, object, previous: undefined });
    }
    expect(collection.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      "a-b/a",
      "a/a",
      "a/b",
      "b/a",
    ]);
  });
});

function create(): Collection {
  return new Collection({ group: "", resource: "configmaps", revision: 0 });
}

function configMap(name: string, revision: number, text = ""): KubeObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { namespace: "n", name, resourceVersion: String(revision) },
    data: { text },
  };
}

function change(kind: Change["kind"], object: KubeObject, previous?: KubeObject): Change {
  const { namespace = "", name = "", resourceVersion } = object.metadata;
  return { kind, revision: Number(resourceVersion), namespace, name, object, previous };
}
