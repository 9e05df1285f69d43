import { describe, expect, test } from "vitest";
import { deepFreeze } from "./clone.ts";
import type { Json, JsonObject } from "./json.ts";
import type { JsonSchema } from "./schema/json-schema.ts";
import { StrategicMergePatchError } from "./strategic-merge-list.ts";
import { applyStrategicMergePatch } from "./strategic-merge-patch.ts";

const [c1, c2, c3] = [
  { image: "i1", name: "c1" },
  {
    args: ["x", "y"],
    env: [
      { name: "E1", value: "1" },
      { name: "E2", value: "2" },
    ],
    image: "i2",
    name: "c2",
    ports: [{ containerPort: 80 }, { containerPort: 81 }],
  },
  { image: "i3", name: "c3" },
] as const;
const metadata: JsonObject = {
  finalizers: ["a.io/1", "a.io/2", "a.io/3"],
  labels: { l1: "a", l2: "b" },
  name: "s2",
  ownerReferences: [
    { apiVersion: "v1", kind: "A", name: "a", uid: "ua" },
    { apiVersion: "v1", kind: "B", name: "b", uid: "ub" },
  ],
};
const spec: JsonObject = {
  replicas: 0,
  strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 }, type: "RollingUpdate" },
};
const pod: JsonObject = {
  containers: [c1, c2, c3],
  imagePullSecrets: [{ name: "p1" }],
  nodeSelector: { n1: "a", n2: "b" },
  tolerations: [{ key: "t1", operator: "Exists" }],
  volumes: [
    { emptyDir: {}, name: "v1" },
    { configMap: { name: "cm" }, name: "v2" },
  ],
};
const original = deepFreeze({ metadata, spec: { ...spec, template: { spec: pod } } });

const schema: JsonSchema = {
  properties: {
    metadata: {
      properties: { finalizers: { "x-kubernetes-patch-strategy": "merge" }, ownerReferences: mergedBy("uid") },
    },
    spec: {
      properties: {
        strategy: { "x-kubernetes-patch-strategy": "retainKeys" },
        template: { properties: { spec: podSchema() } },
      },
    },
  },
};

type Part = "metadata" | "spec" | "pod";

describe("what kube-apiserver makes of a Deployment", () => {
  const cases: Record<
    string,
    [part: Part, patch: JsonObject, changes: { readonly [field: string]: Json | undefined }]
  > = {
    "a new item comes first": [
      "pod",
      { containers: [{ name: "c4", image: "i4" }] },
      { containers: [{ image: "i4", name: "c4" }, c1, c2, c3] },
    ],
    "a known item is merged in its place": [
      "pod",
      { containers: [{ name: "c2", image: "new" }] },
      {
        containers: [
          c1,
          {
            args: ["x", "y"],
            env: [
              { name: "E1", value: "1" },
              { name: "E2", value: "2" },
            ],
            image: "new",
            name: "c2",
            ports: [{ containerPort: 80 }, { containerPort: 81 }],
          },
          c3,
        ],
      },
    ],
    "known items take the order of the patch": [
      "pod",
      {
        containers: [
          { name: "c3", image: "n3" },
          { name: "c1", image: "n1" },
        ],
      },
      { containers: [c2, { image: "n3", name: "c3" }, { image: "n1", name: "c1" }] },
    ],
    "new and known items": [
      "pod",
      {
        containers: [
          { name: "c4", image: "i4" },
          { name: "c2", image: "n2" },
          { name: "c5", image: "i5" },
        ],
      },
      {
        containers: [
          { image: "i4", name: "c4" },
          c1,
          {
            args: ["x", "y"],
            env: [
              { name: "E1", value: "1" },
              { name: "E2", value: "2" },
            ],
            image: "n2",
            name: "c2",
            ports: [{ containerPort: 80 }, { containerPort: 81 }],
          },
          { image: "i5", name: "c5" },
          c3,
        ],
      },
    ],
    "an item is deleted": ["pod", { containers: [{ name: "c2", $patch: "delete" }] }, { containers: [c1, c3] }],
    "a list is replaced": [
      "pod",
      { containers: [{ $patch: "replace" }, { name: "z", image: "z" }] },
      { containers: [{ image: "z", name: "z" }] },
    ],
    "an order is set": [
      "pod",
      { "$setElementOrder/containers": [{ name: "c3" }, { name: "c1" }, { name: "c2" }] },
      { containers: [c3, c1, c2] },
    ],
    "an order of some items": [
      "pod",
      { "$setElementOrder/containers": [{ name: "c3" }, { name: "c1" }] },
      { containers: [c2, c3, c1] },
    ],
    "an order with a new item": [
      "pod",
      {
        "$setElementOrder/containers": [{ name: "c3" }, { name: "c4" }, { name: "c1" }],
        containers: [{ name: "c4", image: "i4" }],
      },
      { containers: [c2, c3, { image: "i4", name: "c4" }, c1] },
    ],
    "an order and a deletion": [
      "pod",
      {
        "$setElementOrder/containers": [{ name: "c3" }, { name: "c1" }],
        containers: [{ name: "c2", $patch: "delete" }],
      },
      { containers: [c3, c1] },
    ],
    "an order that names what is not there": [
      "pod",
      { "$setElementOrder/containers": [{ name: "zz" }, { name: "c1" }] },
      {},
    ],
    "a list inside an item is merged": [
      "pod",
      {
        containers: [
          {
            name: "c2",
            env: [
              { name: "E2", value: "22" },
              { name: "E3", value: "3" },
            ],
          },
        ],
      },
      {
        containers: [
          c1,
          {
            args: ["x", "y"],
            env: [
              { name: "E1", value: "1" },
              { name: "E2", value: "22" },
              { name: "E3", value: "3" },
            ],
            image: "i2",
            name: "c2",
            ports: [{ containerPort: 80 }, { containerPort: 81 }],
          },
          c3,
        ],
      },
    ],
    "an item inside an item is deleted, an atomic list replaced": [
      "pod",
      { containers: [{ name: "c2", env: [{ name: "E1", $patch: "delete" }], args: ["z"] }] },
      {
        containers: [
          c1,
          {
            args: ["z"],
            env: [{ name: "E2", value: "2" }],
            image: "i2",
            name: "c2",
            ports: [{ containerPort: 80 }, { containerPort: 81 }],
          },
          c3,
        ],
      },
    ],
    "a merge key that is a number": [
      "pod",
      { containers: [{ name: "c2", ports: [{ containerPort: 81, name: "p" }] }] },
      {
        containers: [
          c1,
          {
            args: ["x", "y"],
            env: [
              { name: "E1", value: "1" },
              { name: "E2", value: "2" },
            ],
            image: "i2",
            name: "c2",
            ports: [{ containerPort: 80 }, { containerPort: 81, name: "p" }],
          },
          c3,
        ],
      },
    ],
    "an atomic list is replaced": [
      "pod",
      { tolerations: [{ key: "t2", operator: "Exists" }] },
      { tolerations: [{ key: "t2", operator: "Exists" }] },
    ],
    "members of a map come and go": [
      "pod",
      { nodeSelector: { n1: null, n3: "c" } },
      { nodeSelector: { n2: "b", n3: "c" } },
    ],
    "a map is replaced": ["pod", { nodeSelector: { $patch: "replace", z: "z" } }, { nodeSelector: { z: "z" } }],
    "keys that are not retained go": [
      "pod",
      { volumes: [{ name: "v2", $retainKeys: ["name", "secret"], secret: { secretName: "s" } }] },
      {
        volumes: [
          { emptyDir: {}, name: "v1" },
          { name: "v2", secret: { secretName: "s" } },
        ],
      },
    ],
    "keys are retained in a map": [
      "spec",
      { strategy: { $retainKeys: ["type"], type: "Recreate" } },
      { strategy: { type: "Recreate" } },
    ],
    "null deletes": [
      "spec",
      { strategy: { type: "Recreate", rollingUpdate: null } },
      { strategy: { type: "Recreate" } },
    ],
    "a new scalar comes first": [
      "metadata",
      { finalizers: ["a.io/4"] },
      { finalizers: ["a.io/4", "a.io/1", "a.io/2", "a.io/3"] },
    ],
    "known and new scalars": [
      "metadata",
      { finalizers: ["a.io/2", "a.io/4"] },
      { finalizers: ["a.io/1", "a.io/2", "a.io/4", "a.io/3"] },
    ],
    "scalars are deleted": [
      "metadata",
      { "$deleteFromPrimitiveList/finalizers": ["a.io/2"] },
      { finalizers: ["a.io/1", "a.io/3"] },
    ],
    "scalars are deleted and ordered": [
      "metadata",
      { "$deleteFromPrimitiveList/finalizers": ["a.io/2"], "$setElementOrder/finalizers": ["a.io/3", "a.io/1"] },
      { finalizers: ["a.io/3", "a.io/1"] },
    ],
    "scalars are ordered": [
      "metadata",
      { "$setElementOrder/finalizers": ["a.io/3", "a.io/1", "a.io/2"] },
      { finalizers: ["a.io/3", "a.io/1", "a.io/2"] },
    ],
    "scalars are ordered, one of them new": [
      "metadata",
      { "$setElementOrder/finalizers": ["a.io/3", "a.io/9", "a.io/1"], finalizers: ["a.io/9"] },
      { finalizers: ["a.io/2", "a.io/3", "a.io/9", "a.io/1"] },
    ],
    "null deletes a list": ["metadata", { finalizers: null }, { finalizers: undefined }],
    "owners are merged by uid": [
      "metadata",
      {
        ownerReferences: [
          { uid: "ub", name: "bb" },
          { uid: "uc", apiVersion: "v1", kind: "C", name: "c" },
        ],
      },
      {
        ownerReferences: [
          { apiVersion: "v1", kind: "A", name: "a", uid: "ua" },
          { apiVersion: "v1", kind: "B", name: "bb", uid: "ub" },
          { apiVersion: "v1", kind: "C", name: "c", uid: "uc" },
        ],
      },
    ],
    "an owner is deleted": [
      "metadata",
      { ownerReferences: [{ uid: "ua", $patch: "delete" }] },
      { ownerReferences: [{ apiVersion: "v1", kind: "B", name: "b", uid: "ub" }] },
    ],
    "labels come and go": ["metadata", { labels: { l1: null, l3: "c", l4: null } }, { labels: { l2: "b", l3: "c" } }],
    "nulls of a new map vanish": ["metadata", { annotations: { a: null, b: "c" } }, { annotations: { b: "c" } }],
    "a directive for a map that is not there": ["pod", { affinity: { $patch: "replace", nodeAffinity: null } }, {}],
    "directives in a list that is not there": [
      "pod",
      {
        hostAliases: [
          { ip: "1.1.1.1", $patch: "delete" },
          { ip: "2.2.2.2", hostnames: ["x"] },
        ],
      },
      { hostAliases: [{ hostnames: ["x"], ip: "2.2.2.2" }] },
    ],
    "replacing a list that is not there": [
      "pod",
      { hostAliases: [{ $patch: "replace" }, { ip: "2.2.2.2", hostnames: ["x"] }] },
      { hostAliases: [{ hostnames: ["x"], ip: "2.2.2.2" }] },
    ],
    "nulls of a new item vanish": [
      "pod",
      { containers: [{ name: "c4", image: "i4", command: null, env: [{ name: "x", value: null }] }] },
      { containers: [{ env: [{ name: "x" }], image: "i4", name: "c4" }, c1, c2, c3] },
    ],
    "deleting from a list that is not there": ["metadata", { "$deleteFromPrimitiveList/foo": ["x"] }, {}],
    "scalars of an atomic list are deleted": [
      "pod",
      { containers: [{ name: "c2", "$deleteFromPrimitiveList/args": ["x"] }] },
      {
        containers: [
          c1,
          {
            args: ["y"],
            env: [
              { name: "E1", value: "1" },
              { name: "E2", value: "2" },
            ],
            image: "i2",
            name: "c2",
            ports: [{ containerPort: 80 }, { containerPort: 81 }],
          },
          c3,
        ],
      },
    ],
    "an empty list": ["pod", { containers: [] }, {}],
    "an empty order": ["pod", { "$setElementOrder/containers": [] }, {}],
    "an order with two new items": [
      "pod",
      {
        "$setElementOrder/containers": [{ name: "c4" }, { name: "c2" }, { name: "c5" }],
        containers: [
          { name: "c4", image: "i4" },
          { name: "c5", image: "i5" },
        ],
      },
      { containers: [{ image: "i4", name: "c4" }, c1, c2, { image: "i5", name: "c5" }, c3] },
    ],
    "one item goes, one comes, one changes": [
      "pod",
      {
        containers: [
          { name: "c1", $patch: "delete" },
          { name: "c9", image: "i9" },
          { name: "c3", image: "n3" },
        ],
      },
      { containers: [{ image: "i9", name: "c9" }, c2, { image: "n3", name: "c3" }] },
    ],
    "scalars come, go and are ordered": [
      "metadata",
      {
        "$deleteFromPrimitiveList/finalizers": ["a.io/1"],
        finalizers: ["a.io/5"],
        "$setElementOrder/finalizers": ["a.io/2", "a.io/5", "a.io/3"],
      },
      { finalizers: ["a.io/2", "a.io/5", "a.io/3"] },
    ],
    "an order inside an item": [
      "pod",
      { containers: [{ name: "c2", "$setElementOrder/env": [{ name: "E2" }, { name: "E1" }] }] },
      {
        containers: [
          c1,
          {
            args: ["x", "y"],
            env: [
              { name: "E2", value: "2" },
              { name: "E1", value: "1" },
            ],
            image: "i2",
            name: "c2",
            ports: [{ containerPort: 80 }, { containerPort: 81 }],
          },
          c3,
        ],
      },
    ],
    "a list inside an item is replaced": [
      "pod",
      { containers: [{ name: "c2", env: [{ $patch: "replace" }, { name: "X", value: "x" }] }] },
      {
        containers: [
          c1,
          {
            args: ["x", "y"],
            env: [{ name: "X", value: "x" }],
            image: "i2",
            name: "c2",
            ports: [{ containerPort: 80 }, { containerPort: 81 }],
          },
          c3,
        ],
      },
    ],
    "the same item twice": [
      "pod",
      {
        containers: [
          { name: "c1", image: "a" },
          { name: "c1", image: "b" },
        ],
      },
      { containers: [{ image: "b", name: "c1" }, c2, c3] },
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [part, patch, changes]) => {
    const result = applyStrategicMergePatch(original, deepFreeze(inPart(part, patch)), schema);
    expect(result).toEqual(changed(part, changes));
  });
});

describe("what it refuses", () => {
  const cases: Record<string, [patch: JsonObject, message: string]> = {
    "an item without its key": [
      { containers: [{ image: "z" }] },
      'map: {"image":"z"} does not contain declared merge key: name',
    ],
    "a deletion without a key": [
      { containers: [{ $patch: "delete" }] },
      'map: {"$patch":"delete"} does not contain declared merge key: name',
    ],
    "merge as a directive in a list": [
      { containers: [{ $patch: "merge" }] },
      "merging lists cannot yet be specified in the patch",
    ],
    "merge as a directive in a map": [
      { nodeSelector: { $patch: "merge", z: "z" } },
      'unknown patch type: merge in map: {"$patch":"merge","z":"z"}',
    ],
    "an unknown directive in a list": [
      { containers: [{ $patch: "foo", name: "c1" }] },
      'unknown patch type: foo in map: {"$patch":"foo","name":"c1"}',
    ],
    "an order that the list of the patch does not keep": [
      { "$setElementOrder/containers": [{ name: "c3" }, { name: "c1" }], containers: [{ name: "c1" }, { name: "c3" }] },
      'The order in patch list:\n[{"name":"c1"},{"name":"c3"}]\n doesn\'t match $setElementOrder list:\n[{"name":"c3"},{"name":"c1"}]\n',
    ],
    "an order that lacks an item of the patch": [
      { "$setElementOrder/containers": [{ name: "c3" }], containers: [{ name: "c4" }] },
      'The order in patch list:\n[{"name":"c4"}]\n doesn\'t match $setElementOrder list:\n[{"name":"c3"}]\n',
    ],
    "an order that is no list": [{ "$setElementOrder/containers": {} }, "$setElementOrder/containers must be a list"],
    "a deletion that is no list": [{ "$deleteFromPrimitiveList/x": {} }, "$deleteFromPrimitiveList/x must be a list"],
    "retained keys that are no list": [{ $retainKeys: "x" }, "invalid patch format of retainKeys"],
    "retained keys that lack one of the patch": [{ $retainKeys: ["a"], b: 1 }, "invalid patch format of retainKeys"],
    "items of another type": [{ imagePullSecrets: ["x"] }, 'list element types are not identical: [{"name":"p1"},"x"]'],
  };
  test.each(Object.entries(cases))("%s", (_, [patch, message]) => {
    const run = () => applyStrategicMergePatch(original, inPart("pod", patch), schema);
    expect(run).toThrow(StrategicMergePatchError);
    expect(run).toThrow(expect.objectContaining({ message }));
  });
});

test("without a schema maps are merged and lists replaced", () => {
  const result = applyStrategicMergePatch({ a: { b: [1], c: 1 } }, { a: { b: [2], d: 2 } }, undefined);
  expect(result).toEqual({ a: { b: [2], c: 1, d: 2 } });
});

test("keys that begin with a dollar are data unless they are directives", () => {
  const result = applyStrategicMergePatch(
    { data: { a: "1" } },
    { data: { $b: "2" }, more: { $c: { $d: 3 } } },
    undefined,
  );
  expect(result).toEqual({ data: { a: "1", $b: "2" }, more: { $c: { $d: 3 } } });
});

test("__proto__ is a key like any other", () => {
  const patch = JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":{"x":1}}}') as JsonObject;
  const result = applyStrategicMergePatch({ a: {} }, patch, undefined);
  expect(JSON.stringify(result)).toBe('{"a":{"__proto__":{"x":1}},"__proto__":{"polluted":1}}');
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
});

test.each([{}, { a: 1 }])("a patch nested too deeply is refused, not an overflow", (object) => {
  let patch: JsonObject = {};
  for (let level = 0; level < 100_000; level++) patch = { a: patch };
  expect(() => applyStrategicMergePatch(object as JsonObject, { a: patch, b: patch }, undefined)).toThrow(
    "exceeded max depth",
  );
});

function mergedBy(mergeKey: string, properties: JsonSchema["properties"] = {}): JsonSchema {
  return {
    type: "array",
    items: { type: "object", properties },
    "x-kubernetes-patch-strategy": "merge",
    "x-kubernetes-patch-merge-key": mergeKey,
  };
}

function podSchema(): JsonSchema {
  const containers = mergedBy("name", { env: mergedBy("name"), ports: mergedBy("containerPort") });
  const volumes = { ...mergedBy("name"), "x-kubernetes-patch-strategy": "merge,retainKeys" };
  return { properties: { containers, volumes, hostAliases: mergedBy("ip"), imagePullSecrets: mergedBy("name") } };
}

function inPart(part: Part, value: JsonObject): JsonObject {
  return part === "pod" ? { spec: { template: { spec: value } } } : { [part]: value };
}

/** The original with other fields in one of its parts; undefined stands for a field that is gone. */
function changed(part: Part, changes: { readonly [field: string]: Json | undefined }): unknown {
  const parts = { metadata, spec, pod };
  const after = { ...parts, [part]: { ...parts[part], ...changes } };
  return { metadata: after.metadata, spec: { ...after.spec, template: { spec: after.pod } } };
}
