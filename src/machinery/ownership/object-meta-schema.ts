import type { JsonSchema } from "../schema/json-schema.ts";

const text: JsonSchema = { type: "string" };
const integer: JsonSchema = { type: "integer" };
const flag: JsonSchema = { type: "boolean" };
const time: JsonSchema = { type: "string", format: "date-time" };
const texts: JsonSchema = { type: "object", additionalProperties: text };

const ownerReference: JsonSchema = {
  type: "object",
  properties: { apiVersion: text, kind: text, name: text, uid: text, controller: flag, blockOwnerDeletion: flag },
  "x-kubernetes-map-type": "atomic",
};

const managedFieldsEntry: JsonSchema = {
  type: "object",
  properties: {
    apiVersion: text,
    fieldsType: text,
    fieldsV1: { type: "object" },
    manager: text,
    operation: text,
    subresource: text,
    time,
  },
};

/** `metadata` as every kind has it, in what ownership needs to know. */
export const objectMetaSchema: JsonSchema = {
  type: "object",
  properties: {
    annotations: texts,
    creationTimestamp: time,
    deletionGracePeriodSeconds: integer,
    deletionTimestamp: time,
    finalizers: { type: "array", items: text, "x-kubernetes-list-type": "set" },
    generateName: text,
    generation: integer,
    labels: texts,
    managedFields: { type: "array", items: managedFieldsEntry, "x-kubernetes-list-type": "atomic" },
    name: text,
    namespace: text,
    ownerReferences: {
      type: "array",
      items: ownerReference,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["uid"],
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};
