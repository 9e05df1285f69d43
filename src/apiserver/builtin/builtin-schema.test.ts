import { describe, expect, test } from "vitest";
import { ApiError, type KubeObject } from "#machinery";
import { builtinSchema } from "./builtin-schema.ts";

function read(type: string, fields: object): KubeObject {
  const kind = type.slice(type.lastIndexOf(".") + 1);
  return builtinSchema(type).prune({ apiVersion: "v1", kind, metadata: { name: "x" }, ...fields });
}

describe("reading an object as Go would", () => {
  test.each([
    ["nulls go", { data: { a: "1" }, binaryData: null }, { data: { a: "1" } }],
    ["a null in a map is an empty text", { data: { a: null } }, { data: { a: "" } }],
    ["empty maps go", { data: {}, immutable: false }, { immutable: false }],
    ["what was written is kept", { data: { a: "" } }, { data: { a: "" } }],
  ])("%s", (_, given, expected) => {
    expect(read("core/v1.ConfigMap", given)).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "x" },
      ...expected,
    });
  });

  test("unknown fields are told with their paths, however deep they lie", () => {
    const unknown: string[] = [];
    const pod = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "x" },
      spec: { containers: [{ name: "c", ports: [{ containerPort: 1, odd: 1 }], strange: {} }], more: 1 },
    };
    expect(builtinSchema("core/v1.Pod").prune(pod, { onUnknown: (path) => unknown.push(path) })).toMatchObject({
      spec: { containers: [{ name: "c", ports: [{ containerPort: 1 }], resources: {} }] },
    });
    expect(unknown).toEqual(["spec.containers[0].ports[0].odd", "spec.containers[0].strange", "spec.more"]);
  });

  test("a key called __proto__ is a key like any other", () => {
    const data: unknown = JSON.parse('{"__proto__":"1","a":null}');
    const { data: kept } = read("core/v1.ConfigMap", { data });
    expect(JSON.stringify(kept)).toBe('{"__proto__":"1","a":""}');
  });

  test.each([
    ["core/v1.ConfigMap", { data: { a: 1 } }, "data.a of type string"],
    ["core/v1.ConfigMap", { data: [] }, "cannot unmarshal array"],
    ["core/v1.Secret", { data: { a: "%" } }, "illegal base64 data at input byte 0"],
    ["core/v1.Secret", { data: { a: "YWJ" } }, "illegal base64 data at input byte"],
    ["apps/v1.Deployment", { spec: { replicas: "1" } }, "spec.replicas of type int32"],
    ["apps/v1.Deployment", { spec: { replicas: 1.5 } }, "cannot unmarshal number 1.5"],
    ["apps/v1.Deployment", { spec: { replicas: 2 ** 31 } }, "cannot unmarshal number 2147483648"],
    ["coordination/v1.Lease", { spec: { renewTime: "x" } }, 'parsing time "x"'],
    ["core/v1.ResourceQuota", { spec: { hard: { pods: "many" } } }, "quantities must match"],
    ["core/v1.ResourceQuota", { spec: { hard: { pods: [] } } }, "resource.Quantity"],
    ["core/v1.Pod", { spec: { containers: ["c"] } }, "spec.containers[0]"],
    ["apiextensions/v1.CustomResourceDefinition", { spec: { versions: [{ schema: [] }] } }, "spec.versions[0].schema"],
  ])("a %s with %j is a bad request", (type, given, message) => {
    const attempt = () => read(type, given);
    expect(attempt).toThrow(ApiError);
    expect(attempt).toThrow(/ in version "v1" cannot be handled as a \w+: /);
    expect(attempt).toThrow(message);
  });

  test("a schema may hold itself, to any depth", () => {
    let schema: object = { type: "string", odd: 1 };
    for (let depth = 0; depth < 100; depth++) schema = { type: "object", properties: { a: schema } };
    const unknown: string[] = [];
    const definition = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: {},
      spec: { versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }] },
    };
    builtinSchema("apiextensions/v1.CustomResourceDefinition").prune(definition, {
      onUnknown: (path) => unknown.push(path),
    });
    expect(unknown.filter((path) => path.endsWith(".odd"))).toHaveLength(1);
  });
});
