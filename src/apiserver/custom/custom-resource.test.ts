import { describe, expect, test } from "vitest";
import { type CustomResourceDefinition, deepFreeze, describeFieldError, type KubeObject, sharing } from "#machinery";
import { customResource } from "./custom-resource.ts";

const item = { type: "object", properties: { size: { type: "integer", maximum: 5 } } };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.ex.io", resourceVersion: "1" },
  spec: {
    group: "ex.io",
    scope: "Namespaced",
    names: { plural: "widgets", kind: "Widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { items: { type: "array", items: item }, note: { type: "string" } } },
              status: { type: "object", properties: { size: { type: "integer", maximum: 5 } } },
            },
          },
        },
      },
    ],
  },
} as unknown as CustomResourceDefinition;

const nobody = { ask: () => Promise.reject(new Error("nobody is called")), close: () => undefined };

function schema() {
  const [version] = customResource(definition, {
    isTerminating: () => false,
    callout: nobody,
    uuid: () => "",
  }).versions;
  if (version === undefined) throw new Error("there is no version");
  return version.schema;
}

function widget(spec: object, status?: object): KubeObject {
  const metadata = { name: "w", namespace: "default" };
  return { apiVersion: "ex.io/v1", kind: "Widget", metadata, spec, ...(status === undefined ? {} : { status }) };
}

describe("a custom resource that changes", () => {
  const validate = (checks: ReturnType<typeof schema>, next: KubeObject, old: KubeObject) =>
    checks.validate(next, old).map(describeFieldError);

  test("is checked where it differs from what was found sound", () => {
    const checks = schema();
    const old = deepFreeze(widget({ items: [{ size: 1 }, { size: 2 }] }));
    expect(checks.validate(old)).toEqual([]);
    const next = sharing(widget({ items: [{ size: 1 }, { size: 9 }] }), old);
    expect(validate(checks, next, old)).toEqual([
      "spec.items[1].size: Invalid value: 9: spec.items[1].size in body should be less than or equal to 5",
    ]);
  });

  test("is checked whole where what is stored was never found sound", () => {
    const checks = schema();
    const old = deepFreeze(widget({ items: [{ size: 9 }, { size: 2 }] }));
    const next = sharing(widget({ items: [{ size: 9 }, { size: 3 }] }), old);
    expect(validate(checks, next, old)).toEqual([
      "spec.items[0].size: Invalid value: 9: spec.items[0].size in body should be less than or equal to 5",
    ]);
  });

  test("may keep what is wrong and did not change, which does not make it sound", () => {
    const checks = schema();
    const old = deepFreeze(widget({ items: [{ size: 9 }], note: "a" }));
    const noted = deepFreeze(sharing(widget({ items: [{ size: 9 }], note: "b" }), old), old);
    expect(validate(checks, noted, old)).toEqual([]);
    const next = sharing(widget({ items: [{ size: 9 }, { size: 1 }], note: "b" }), noted);
    expect(validate(checks, next, noted)).toHaveLength(1);
  });

  test("loses unknown fields wherever they are, also beside parts that were found sound", () => {
    const checks = schema();
    const older = deepFreeze(widget({ items: [{ size: 1 }] }));
    checks.validate(older);
    const unknown: string[] = [];
    const sent = sharing(widget({ items: [{ size: 1 }, { typo: 1 }] }), older);
    const pruned = checks.prune(sent, { older, onUnknown: (path) => unknown.push(path) });
    expect([pruned["spec"], unknown]).toEqual([{ items: [{ size: 1 }, {}] }, ["spec.items[1].typo"]]);
  });

  test("has its status checked by itself", () => {
    const checks = schema();
    const old = deepFreeze(widget({ items: [{ size: 9 }] }, { size: 1 }));
    const problems = (size: number) => checks.validateStatus?.(widget({ items: [{ size: 9 }] }, { size }), old);
    expect(problems(2)).toEqual([]);
    expect(problems(6)?.map(describeFieldError)).toEqual([
      "status.size: Invalid value: 6: size in body should be less than or equal to 5",
    ]);
  });
});
