import { describe, expect, test } from "vitest";
import { encodeJson } from "./json-encode.ts";
import type { Json } from "./json.ts";
import type { ObjectMeta } from "./object.ts";
import { decodeMetadata } from "./metadata-decode.ts";

describe("what is read", () => {
  const cases: Record<string, [json: Json, metadata: object]> = {
    "nothing at all": [null, {}],
    "every field": [
      {
        name: "a",
        generateName: "a-",
        namespace: "b",
        uid: "u",
        resourceVersion: "1",
        generation: 2,
        creationTimestamp: "2026-01-01T01:00:00.5+01:00",
        deletionTimestamp: "2026-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 0,
        labels: { a: "b" },
        annotations: { a: "b" },
        ownerReferences: [
          { apiVersion: "v1", kind: "A", name: "a", uid: "u", controller: true, blockOwnerDeletion: false },
        ],
        finalizers: ["a/b"],
        managedFields: [{ manager: "m", operation: "Apply", time: "2026-01-01T00:00:00Z", fieldsV1: { "f:a": {} } }],
      },
      {
        name: "a",
        generateName: "a-",
        namespace: "b",
        uid: "u",
        resourceVersion: "1",
        generation: 2,
        creationTimestamp: "2026-01-01T00:00:00Z",
        deletionTimestamp: "2026-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 0,
        labels: { a: "b" },
        annotations: { a: "b" },
        ownerReferences: [
          { apiVersion: "v1", kind: "A", name: "a", uid: "u", controller: true, blockOwnerDeletion: false },
        ],
        finalizers: ["a/b"],
        managedFields: [{ manager: "m", operation: "Apply", time: "2026-01-01T00:00:00Z", fieldsV1: { "f:a": {} } }],
      },
    ],
    "what is empty is not there": [
      {
        name: "a",
        labels: {},
        annotations: null,
        finalizers: [],
        ownerReferences: [],
        generateName: "",
        generation: null,
      },
      { name: "a" },
    ],
    "the first moment of the calendar is no time": [{ creationTimestamp: "0001-01-01T00:00:00Z" }, {}],
    "a link is forgotten": [{ selfLink: "/x" }, {}],
    "null inside is empty": [
      { labels: { a: null }, finalizers: [null], ownerReferences: [null] },
      { labels: { a: "" }, finalizers: [""], ownerReferences: [{ apiVersion: "", kind: "", name: "", uid: "" }] },
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [json, metadata]) => {
    expect(decodeMetadata(json)).toEqual({ metadata, unknownFields: [] });
  });
});

test("unknown fields are left out and named", () => {
  const json = {
    Name: "x",
    name: "a",
    ownerReferences: [{ foo: 2, apiVersion: "v1", kind: "A", name: "a", uid: "u" }],
    managedFields: [{ foo: 3 }],
    constructor: 1,
  };
  expect(decodeMetadata(json)).toEqual({
    metadata: {
      name: "a",
      ownerReferences: [{ apiVersion: "v1", kind: "A", name: "a", uid: "u" }],
      managedFields: [{}],
    },
    unknownFields: [
      "metadata.Name",
      "metadata.ownerReferences[0].foo",
      "metadata.managedFields[0].foo",
      "metadata.constructor",
    ],
  });
});

test("what needs no change comes back as it is, beside older metadata too", () => {
  const owner = { apiVersion: "v1", kind: "A", name: "a", uid: "u" };
  const older = { name: "a", labels: { x: "y" }, ownerReferences: [owner], creationTimestamp: "2026-01-01T00:00:00Z" };
  expect(decodeMetadata(older).metadata).toBe(older);
  const { metadata, unknownFields } = decodeMetadata({ ...older, name: "", typo: 1 }, older as unknown as ObjectMeta);
  const { name: _, ...rest } = older;
  expect([metadata, unknownFields]).toEqual([rest, ["metadata.typo"]]);
});

test("__proto__ is a label like any other", () => {
  const { metadata } = decodeMetadata(JSON.parse('{"labels":{"__proto__":"x","a":null}}') as Json);
  expect(encodeJson(metadata as unknown as Json)).toBe('{"labels":{"__proto__":"x","a":""}}');
});

describe("wrong types, in the words of kube-apiserver", () => {
  const cases: Record<string, [json: Json, message: string]> = {
    "no object": [5, "json: cannot unmarshal number into Go value of type v1.ObjectMeta"],
    "a name": [{ name: 5 }, "json: cannot unmarshal number into Go struct field ObjectMeta.name of type string"],
    labels: [
      { labels: "x" },
      "json: cannot unmarshal string into Go struct field ObjectMeta.labels of type map[string]string",
    ],
    "labels as a list": [
      { labels: [] },
      "json: cannot unmarshal array into Go struct field ObjectMeta.labels of type map[string]string",
    ],
    "a label": [
      { labels: { a: 1 } },
      "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
    ],
    finalizers: [
      { finalizers: {} },
      "json: cannot unmarshal object into Go struct field ObjectMeta.finalizers of type []string",
    ],
    "a finalizer": [
      { finalizers: [1] },
      "json: cannot unmarshal number into Go struct field ObjectMeta.finalizers of type string",
    ],
    "an owner": [
      { ownerReferences: [5] },
      "json: cannot unmarshal number into Go struct field ObjectMeta.ownerReferences of type v1.OwnerReference",
    ],
    "a flag": [
      { ownerReferences: [{ controller: "x" }] },
      "json: cannot unmarshal string into Go struct field OwnerReference.ownerReferences.controller of type bool",
    ],
    "managed fields": [
      { managedFields: {} },
      "json: cannot unmarshal object into Go struct field ObjectMeta.managedFields of type []v1.ManagedFieldsEntry",
    ],
    "a generation": [
      { generation: "x" },
      "json: cannot unmarshal string into Go struct field ObjectMeta.generation of type int64",
    ],
    "half a generation": [
      { generation: 1.5 },
      "json: cannot unmarshal number 1.5 into Go struct field ObjectMeta.generation of type int64",
    ],
    "a number as time": [
      { creationTimestamp: 5 },
      "json: cannot unmarshal number into Go struct field ObjectMeta.creationTimestamp of type string",
    ],
    "no time": [
      { managedFields: [{ time: "x" }] },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": not an RFC 3339 time',
    ],
  };
  test.each(Object.entries(cases))("%s", (_, [json, message]) => {
    expect(() => decodeMetadata(json)).toThrow(expect.objectContaining({ code: "INVALID_METADATA", message }));
  });
});
