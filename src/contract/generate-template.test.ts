import { describe, expect, test } from "vitest";
import { deepFreeze, type Json, type KubeObject } from "#machinery";
import { generateTemplate, type GenerateTemplateInput } from "./generate-template.ts";

const template: KubeObject = {
  apiVersion: "infra.example.com/v1",
  kind: "FooTemplate",
  metadata: {
    name: "small",
    namespace: "default",
    labels: { of: "the template" },
    annotations: { of: "the template" },
  },
  spec: { template: { spec: { size: 1 } } },
};
const input: GenerateTemplateInput = {
  template,
  templateRef: { apiVersion: "infra.example.com/v1", kind: "FooTemplate", namespace: "default", name: "small" },
  namespace: "ns",
  name: "clone",
  clusterName: "c1",
};
const clonedFrom = {
  "cluster.x-k8s.io/cloned-from-name": "small",
  "cluster.x-k8s.io/cloned-from-groupkind": "FooTemplate.infra.example.com",
};
const inCluster = { "cluster.x-k8s.io/cluster-name": "c1" };
const owner = { apiVersion: "v1", kind: "Owner", name: "o", uid: "1" };

test("a clone is the body of the template with a name, a namespace, and where it comes from", () => {
  expect(generate({})).toEqual({
    apiVersion: "infra.example.com/v1",
    kind: "Foo",
    metadata: { name: "clone", namespace: "ns", annotations: clonedFrom, labels: inCluster },
    spec: { size: 1 },
  });
});

test("the template is left as it was, and the clone shares nothing with it", () => {
  const clone = generate({ template: deepFreeze(template) });
  expect(clone["spec"]).toEqual({ size: 1 });
  expect(Object.isFrozen(clone["spec"])).toBe(false);
});

describe("the name", () => {
  test("is generated from the name of the template where none is given", () => {
    expect(generate({ name: "" }).metadata.name).toBe("small-bbbbb");
  });

  test("never comes from the body of the template", () => {
    expect(generate({ template: withBody({ metadata: { name: "inner" } }), name: "" }).metadata.name).toBe(
      "small-bbbbb",
    );
    expect(generate({ template: withBody({ metadata: { name: "inner" } }) }).metadata.name).toBe("clone");
  });

  test("keeps within 63 bytes, and then loses its dash", () => {
    const long = { ...template, metadata: { name: "n".repeat(60) } };
    expect(generate({ template: long, name: "" }).metadata.name).toBe(`${"n".repeat(58)}bbbbb`);
  });
});

describe("labels and annotations", () => {
  test("those given win over those of the body, and the fixed ones over both", () => {
    const body = { metadata: { labels: { a: "body", b: "body" }, annotations: { a: "body", b: "body" } } };
    const clone = generate({
      template: withBody(body),
      labels: { b: "given", "cluster.x-k8s.io/cluster-name": "given" },
      annotations: { b: "given", "cluster.x-k8s.io/cloned-from-name": "given" },
    });
    expect(clone.metadata.labels).toEqual({ a: "body", b: "given", ...inCluster });
    expect(clone.metadata.annotations).toEqual({ a: "body", b: "given", ...clonedFrom });
  });

  test("a null value counts as empty", () => {
    const clone = generate({ template: withBody({ metadata: { labels: { a: null, b: "x" } } }) });
    expect(clone.metadata.labels).toEqual({ a: "", b: "x", ...inCluster });
  });

  test("labels that are numbers are all passed over", () => {
    const body = { metadata: { labels: { a: "x", b: 1 }, annotations: { b: 1 } } };
    const { metadata } = generate({ template: withBody(body) });
    expect(metadata).toEqual({ name: "clone", namespace: "ns", annotations: clonedFrom, labels: inCluster });
  });

  test.each<Json>([null, "x", 5, ["a"]])("labels that are %j are passed over", (labels) => {
    expect(generate({ template: withBody({ metadata: { labels } }) }).metadata.labels).toEqual(inCluster);
  });

  test("the name of the template comes from the reference", () => {
    const clone = generate({ templateRef: { apiVersion: "v1", kind: "FooTemplate", name: "other" } });
    expect(clone.metadata.annotations).toEqual({
      "cluster.x-k8s.io/cloned-from-name": "other",
      "cluster.x-k8s.io/cloned-from-groupkind": "FooTemplate",
    });
  });

  test("an apiVersion that cannot be read leaves the kind alone", () => {
    const clone = generate({ templateRef: { apiVersion: "a/b/c", kind: "FooTemplate", name: "small" } });
    expect(clone.metadata.annotations?.["cluster.x-k8s.io/cloned-from-groupkind"]).toBe("FooTemplate");
  });
});

describe("other metadata of the body", () => {
  test("what belongs to one object goes, the rest stays", () => {
    const gone = { resourceVersion: "1", uid: "u", selfLink: "/x", finalizers: ["f"], namespace: "inner" };
    const kept = { generateName: "g-", generation: 3, creationTimestamp: "2026-01-01T00:00:00Z", managedFields: [] };
    const { metadata } = generate({ template: withBody({ metadata: { ...gone, ...kept } }) });
    expect(metadata).toEqual({ ...kept, name: "clone", namespace: "ns", annotations: clonedFrom, labels: inCluster });
  });

  test("an empty namespace leaves the clone without one", () => {
    const clone = generate({ template: withBody({ metadata: { namespace: "inner" } }), namespace: "" });
    expect(clone.metadata).not.toHaveProperty("namespace");
  });

  test("owners are replaced where one is given", () => {
    const owners = { template: withBody({ metadata: { ownerReferences: [{ ...owner, uid: "2" }] } }) };
    expect(generate({ ...owners, ownerRef: owner }).metadata.ownerReferences).toEqual([owner]);
    expect(generate(owners).metadata.ownerReferences).toEqual([{ ...owner, uid: "2" }]);
  });

  test.each<Json>([null, "odd", 5, []])("metadata that is %j stays as it is", (metadata) => {
    expect(generate({ template: withBody({ metadata }) })).toEqual({
      apiVersion: "infra.example.com/v1",
      kind: "Foo",
      metadata,
    });
  });
});

describe("apiVersion and kind", () => {
  test("those of the body win, and keep their suffix", () => {
    const clone = generate({ template: withBody({ apiVersion: "bar.io/v2", kind: "BarTemplate" }) });
    expect([clone.apiVersion, clone.kind]).toEqual(["bar.io/v2", "BarTemplate"]);
  });

  test.each([
    ["FooTemplate", "Foo"],
    ["FooTemplateTemplate", "FooTemplate"],
    ["FooTemplateBar", "FooTemplateBar"],
    ["Foo", "Foo"],
    ["Template", ""],
  ])("a clone of %j is a %j", (kind, cloned) => {
    expect(generate({ template: { ...template, kind } }).kind).toBe(cloned);
  });
});

describe("a template without a usable body", () => {
  const empty = {
    apiVersion: "infra.example.com/v1",
    kind: "Foo",
    metadata: { name: "clone", namespace: "ns", annotations: clonedFrom, labels: inCluster },
  };
  const { spec: _, ...bare } = template;

  test("without a spec an empty clone is made", () => {
    expect(generate({ template: bare })).toEqual(empty);
  });

  test.each<Json>([null, "x", 5, [], {}])("a spec that is %j gives an empty clone", (spec) => {
    expect(generate({ template: { ...bare, spec } })).toEqual(empty);
  });

  test.each<Json>([null, "x", 5, []])("a spec.template that is %j gives an empty clone", (body) => {
    expect(generate({ template: withBody(body) })).toEqual(empty);
  });
});

function withBody(body: Json): KubeObject {
  return { ...template, spec: { template: body } };
}

function generate(different: Partial<GenerateTemplateInput>): KubeObject {
  return generateTemplate({ ...input, ...different }, { random: () => 0 });
}
