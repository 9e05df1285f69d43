import { describe, expect, expectTypeOf, test } from "vitest";
import type { Timestamp } from "#base";
import type { Json } from "../json.ts";
import type { KubeObject, ObjectMeta } from "../object.ts";
import { compileSchema } from "../schema/compile.ts";
import { defineKind, type Kind, type ObjectOf } from "./define-kind.ts";
import type { ValueOf } from "./field.ts";
import { s } from "./schema-builders.ts";

const sail = s.object({
  name: s.string({ maxLength: 20 }).describe("What the crew calls it."),
  area: s.integer({ minimum: 1 }).describe("Square metres.").optional(),
});

const Boat = defineKind({
  group: "sea.example.com",
  version: "v1",
  kind: "Boat",
  plural: "boats",
  shortNames: ["bt"],
  categories: ["sea"],
  labels: { fleet: "north" },
  description: "A boat.",
  columns: [{ name: "Rig", type: "string", jsonPath: ".spec.rig" }],
  hasStatus: true,
  scale: { specReplicasPath: ".spec.crew", statusReplicasPath: ".status.crew" },
  fields: {
    spec: s.object(
      {
        rig: s.enumOf(["Sloop", "Ketch"]).describe("How it is rigged."),
        crew: s.integer({ format: "int64", default: 2 }).optional(),
        sails: s.list(sail, { key: "name", maxItems: 5 }).describe("The sails, largest first.").optional(),
        load: s.map(s.quantity()).optional(),
        reef: s.intOrString().optional(),
        note: s.string().nullable().optional(),
        extra: s.anything().optional(),
        launched: s.time().optional(),
      },
      { rules: [{ rule: "self.crew > 0", message: "somebody has to steer" }] },
    ),
    status: s.object({ afloat: s.boolean() }, { minProperties: 1, atomic: true }).optional(),
  },
});
type Boat = ObjectOf<typeof Boat>;

describe("the schema of a declared kind", () => {
  test("holds limits, defaults, list types, rules and the sentences of its fields", () => {
    expect(Boat.schema()).toEqual({
      description: "A boat.",
      type: "object",
      required: ["spec"],
      properties: {
        apiVersion: { description: expect.any(String), type: "string" },
        kind: { description: expect.any(String), type: "string" },
        metadata: { type: "object" },
        spec: {
          type: "object",
          required: ["rig"],
          "x-kubernetes-validations": [{ rule: "self.crew > 0", message: "somebody has to steer" }],
          properties: {
            rig: { description: "How it is rigged.", type: "string", enum: ["Sloop", "Ketch"] },
            crew: { type: "integer", format: "int64", default: 2 },
            sails: {
              description: "The sails, largest first.",
              type: "array",
              maxItems: 5,
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["name"],
              items: {
                type: "object",
                required: ["name"],
                properties: {
                  name: { description: "What the crew calls it.", type: "string", maxLength: 20 },
                  area: { description: "Square metres.", type: "integer", format: "int32", minimum: 1 },
                },
              },
            },
            load: {
              type: "object",
              additionalProperties: {
                anyOf: [{ type: "integer" }, { type: "string" }],
                pattern: expect.stringContaining("KMGTPE"),
                "x-kubernetes-int-or-string": true,
              },
            },
            reef: { anyOf: [{ type: "integer" }, { type: "string" }], "x-kubernetes-int-or-string": true },
            note: { type: "string", nullable: true },
            extra: { "x-kubernetes-preserve-unknown-fields": true },
            launched: { type: "string", format: "date-time" },
          },
        },
        status: {
          type: "object",
          minProperties: 1,
          "x-kubernetes-map-type": "atomic",
          required: ["afloat"],
          properties: { afloat: { type: "boolean" } },
        },
      },
    });
  });

  test("is made once and compiles", () => {
    expect(Boat.schema()).toBe(Boat.schema());
    expect(() => compileSchema(Boat.schema())).not.toThrow();
  });

  test("a shape can be described anew without changing the one that it came from", () => {
    const described = sail.describe("The largest sail.");
    expect(described.schema()).toEqual({ ...sail.schema(), description: "The largest sail." });
    expect(described.describe("Another one.").schema().description).toBe("Another one.");
    expect(sail.schema().description).toBeUndefined();
  });
});

describe("the definition of a declared kind", () => {
  test("names the kind, its versions, its columns and its subresources", () => {
    expect(Boat.crd()).toEqual({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: "boats.sea.example.com", labels: { fleet: "north" } },
      spec: {
        group: "sea.example.com",
        names: {
          kind: "Boat",
          listKind: "BoatList",
          plural: "boats",
          singular: "boat",
          shortNames: ["bt"],
          categories: ["sea"],
        },
        scope: "Namespaced",
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            additionalPrinterColumns: [{ name: "Rig", type: "string", jsonPath: ".spec.rig" }],
            schema: { openAPIV3Schema: Boat.schema() },
            subresources: {
              status: {},
              scale: { specReplicasPath: ".spec.crew", statusReplicasPath: ".status.crew" },
            },
          },
        ],
      },
    });
  });

  test("lists older versions before the stored one and says that they are deprecated", () => {
    const same = (object: KubeObject) => object;
    const Raft = defineKind({
      group: "sea.example.com",
      version: "v2",
      kind: "Raft",
      plural: "rafts",
      scope: "Cluster",
      description: "A raft.",
      requiresMetadata: true,
      fields: { spec: s.object({}) },
      olderVersions: [
        {
          version: "v1",
          served: true,
          deprecationWarning: "use v2",
          description: "A raft.",
          fields: {},
          toStored: same,
          fromStored: same,
        },
      ],
    });
    expect(Raft.namespaced).toBe(false);
    expect(Raft.crd().spec.versions).toEqual([
      {
        name: "v1",
        served: true,
        storage: false,
        deprecated: true,
        deprecationWarning: "use v2",
        schema: { openAPIV3Schema: expect.objectContaining({ description: "A raft." }) },
        subresources: {},
      },
      {
        name: "v2",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: expect.objectContaining({ required: ["metadata", "spec"] }) },
        subresources: {},
      },
    ]);
  });
});

test("a kind knows its objects by apiVersion and kind", () => {
  const object: KubeObject = { apiVersion: "sea.example.com/v1", kind: "Boat", metadata: {}, spec: { rig: "Ketch" } };
  expect(Boat.is(object) && object.spec.rig).toBe("Ketch");
  expect(Boat.is({ ...object, apiVersion: "sea.example.com/v2" })).toBe(false);
  expect(Boat.is({ ...object, kind: "Raft" })).toBe(false);
  expect(Boat.resource).toEqual({ group: "sea.example.com", version: "v1", resource: "boats" });
});

describe("the type of a declared kind", () => {
  test("has exactly the declared members, read-only", () => {
    expectTypeOf<Boat>().toEqualTypeOf<{
      readonly apiVersion: "sea.example.com/v1";
      readonly kind: "Boat";
      readonly metadata: ObjectMeta;
      readonly spec: {
        readonly rig: "Sloop" | "Ketch";
        readonly crew?: number;
        readonly sails?: readonly { readonly name: string; readonly area?: number }[];
        readonly load?: { readonly [key: string]: number | string };
        readonly reef?: number | string;
        readonly note?: string | null;
        readonly extra?: Json;
        readonly launched?: Timestamp;
      };
      readonly status?: { readonly afloat: boolean };
    }>();
    expectTypeOf<Boat>().toExtend<KubeObject>();
    expectTypeOf<typeof Boat>().toExtend<Kind>();
    expectTypeOf<ValueOf<typeof sail>>().toEqualTypeOf<{ readonly name: string; readonly area?: number }>();
  });

  test("refuses wrong fields, missing fields, wrong words and undefined", () => {
    const head = { apiVersion: "sea.example.com/v1", kind: "Boat", metadata: {} } as const;
    const boats: readonly Boat[] = [
      { ...head, spec: { rig: "Sloop" } },
      // @ts-expect-error -- no such field
      { ...head, spec: { rig: "Sloop", keel: 1 } },
      // @ts-expect-error -- rig is missing
      { ...head, spec: { crew: 1 } },
      // @ts-expect-error -- no such rig
      { ...head, spec: { rig: "Schooner" } },
      // @ts-expect-error -- absent is absent
      { ...head, spec: { rig: "Sloop", crew: undefined } },
      // @ts-expect-error -- another kind
      { ...head, kind: "Raft", spec: { rig: "Sloop" } },
      // @ts-expect-error -- spec is missing
      head,
    ];
    expect(boats).toHaveLength(7);
  });
});

test("a whole object of another kind is kept as it is", () => {
  expect(s.embedded().schema()).toEqual({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  });
});
