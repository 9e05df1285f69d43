import type { Json } from "../json.ts";

/** What a field of a definition may hold. Fields of structs come from a function, because schemas hold schemas. */
export type Shape =
  | { readonly kind: "text" | "flag" | "integer" | "number" | "json" }
  | { readonly kind: "list"; readonly items: Shape }
  | { readonly kind: "map"; readonly values: Shape }
  | { readonly kind: "either"; readonly choose: (value: Json) => Shape }
  | {
      readonly kind: "struct";
      readonly name: string;
      readonly fields: () => { readonly [name: string]: Shape };
      /** What stands where a field is missing that has to be there. */
      readonly zero?: { readonly [name: string]: Json };
    };

const text: Shape = { kind: "text" };
const flag: Shape = { kind: "flag" };
const integer: Shape = { kind: "integer" };
const number: Shape = { kind: "number" };
const json: Shape = { kind: "json" };
const texts: Shape = { kind: "list", items: text };

const rule = struct("v1.ValidationRule", {
  rule: text,
  message: text,
  messageExpression: text,
  reason: text,
  fieldPath: text,
  optionalOldSelf: flag,
});

const schema: Shape = {
  kind: "struct",
  name: "v1.JSONSchemaProps",
  fields: () => schemaFields,
};
const schemas: Shape = { kind: "list", items: schema };
const schemaMap: Shape = { kind: "map", values: schema };
const schemaOrFlag: Shape = { kind: "either", choose: (value) => (typeof value === "boolean" ? flag : schema) };

const schemaFields: { readonly [name: string]: Shape } = {
  id: text,
  $schema: text,
  $ref: text,
  description: text,
  type: text,
  format: text,
  title: text,
  default: json,
  example: json,
  nullable: flag,
  maximum: number,
  exclusiveMaximum: flag,
  minimum: number,
  exclusiveMinimum: flag,
  maxLength: integer,
  minLength: integer,
  pattern: text,
  maxItems: integer,
  minItems: integer,
  uniqueItems: flag,
  multipleOf: number,
  enum: { kind: "list", items: json },
  maxProperties: integer,
  minProperties: integer,
  required: texts,
  items: { kind: "either", choose: (value) => (Array.isArray(value) ? schemas : schema) },
  allOf: schemas,
  oneOf: schemas,
  anyOf: schemas,
  not: schema,
  properties: schemaMap,
  additionalProperties: schemaOrFlag,
  patternProperties: schemaMap,
  dependencies: { kind: "map", values: { kind: "either", choose: (value) => (Array.isArray(value) ? texts : schema) } },
  additionalItems: schemaOrFlag,
  definitions: schemaMap,
  externalDocs: struct("v1.ExternalDocumentation", { description: text, url: text }),
  "x-kubernetes-preserve-unknown-fields": flag,
  "x-kubernetes-embedded-resource": flag,
  "x-kubernetes-int-or-string": flag,
  "x-kubernetes-list-map-keys": texts,
  "x-kubernetes-list-type": text,
  "x-kubernetes-map-type": text,
  "x-kubernetes-validations": { kind: "list", items: rule },
};

const names = struct(
  "v1.CustomResourceDefinitionNames",
  { plural: text, singular: text, shortNames: texts, kind: text, listKind: text, categories: texts },
  { plural: "", kind: "" },
);

const scale = struct(
  "v1.CustomResourceSubresourceScale",
  { specReplicasPath: text, statusReplicasPath: text, labelSelectorPath: text },
  { specReplicasPath: "", statusReplicasPath: "" },
);

const column = struct(
  "v1.CustomResourceColumnDefinition",
  { name: text, type: text, format: text, description: text, priority: integer, jsonPath: text },
  { name: "", type: "", jsonPath: "" },
);

const version = struct(
  "v1.CustomResourceDefinitionVersion",
  {
    name: text,
    served: flag,
    storage: flag,
    deprecated: flag,
    deprecationWarning: text,
    schema: struct("v1.CustomResourceValidation", { openAPIV3Schema: schema }),
    subresources: struct("v1.CustomResourceSubresources", {
      status: struct("v1.CustomResourceSubresourceStatus", {}),
      scale,
    }),
    additionalPrinterColumns: { kind: "list", items: column },
    selectableFields: { kind: "list", items: struct("v1.SelectableField", { jsonPath: text }, { jsonPath: "" }) },
  },
  { name: "", served: false, storage: false },
);

const service = struct(
  "v1.ServiceReference",
  { namespace: text, name: text, path: text, port: integer },
  { namespace: "", name: "" },
);

const conversion = struct(
  "v1.CustomResourceConversion",
  {
    strategy: text,
    webhook: struct("v1.WebhookConversion", {
      clientConfig: struct("v1.WebhookClientConfig", { url: text, service, caBundle: text }),
      conversionReviewVersions: texts,
    }),
  },
  { strategy: "" },
);

const condition = struct(
  "v1.CustomResourceDefinitionCondition",
  { type: text, status: text, lastTransitionTime: text, reason: text, message: text, observedGeneration: integer },
  { type: "", status: "" },
);

/** The shape of a definition, its metadata apart. */
export const definitionShape = struct(
  "v1.CustomResourceDefinition",
  {
    spec: struct(
      "v1.CustomResourceDefinitionSpec",
      {
        group: text,
        names,
        scope: text,
        versions: { kind: "list", items: version },
        conversion,
        preserveUnknownFields: flag,
      },
      { group: "", names: { plural: "", kind: "" }, scope: "", versions: [] },
    ),
    status: struct("v1.CustomResourceDefinitionStatus", {
      conditions: { kind: "list", items: condition },
      acceptedNames: names,
      storedVersions: texts,
      observedGeneration: integer,
    }),
  },
  { spec: { group: "", names: { plural: "", kind: "" }, scope: "", versions: [] } },
);

function struct(
  name: string,
  fields: { readonly [name: string]: Shape },
  zero: { readonly [name: string]: Json } = {},
): Shape {
  return { kind: "struct", name, fields: () => fields, zero };
}
