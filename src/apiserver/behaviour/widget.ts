import type { GroupVersionResource, JsonObject, KubeObject } from "#machinery";

/** The group of everything that the suite defines. */
export const group = "suite.example.com";

export const widgets: GroupVersionResource = { group, version: "v1", resource: "widgets" };
/** The same objects in an older version. */
export const deprecatedWidgets: GroupVersionResource = { group, version: "v1beta1", resource: "widgets" };
/** Cluster-scoped, without subresources. */
export const gadgets: GroupVersionResource = { group, version: "v1", resource: "gadgets" };
export const configMaps: GroupVersionResource = { group: "", version: "v1", resource: "configmaps" };
export const secrets: GroupVersionResource = { group: "", version: "v1", resource: "secrets" };
export const leases: GroupVersionResource = { group: "coordination.k8s.io", version: "v1", resource: "leases" };
export const deployments: GroupVersionResource = { group: "apps", version: "v1", resource: "deployments" };

const schema: JsonObject = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        size: { type: "integer", minimum: 0, maximum: 100 },
        color: { type: "string", default: "red", enum: ["red", "green", "blue"] },
        note: { type: "string", maxLength: 5 },
        maybe: { type: "string", nullable: true },
        maybeDefaulted: { type: "string", nullable: true, default: "x" },
        replicas: { type: "integer" },
        port: { "x-kubernetes-int-or-string": true },
        labels: { type: "object", additionalProperties: { type: "string" } },
        tags: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, number: { type: "integer", default: 80 } },
          },
        },
        limits: {
          type: "object",
          additionalProperties: {
            type: "object",
            properties: { most: { type: "integer", default: 7 }, least: { type: "integer" } },
          },
        },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        template: {
          type: "object",
          "x-kubernetes-embedded-resource": true,
          "x-kubernetes-preserve-unknown-fields": true,
        },
      },
    },
    status: {
      type: "object",
      properties: {
        phase: { type: "string" },
        replicas: { type: "integer" },
        selector: { type: "string" },
      },
    },
  },
};

const subresources: JsonObject = {
  status: {},
  scale: {
    specReplicasPath: ".spec.replicas",
    statusReplicasPath: ".status.replicas",
    labelSelectorPath: ".status.selector",
  },
};

/** A definition with nearly everything that one can have. */
export const widgetDefinition: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "widgets", singular: "widget", kind: "Widget", shortNames: ["wi"], categories: ["all"] },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources,
        selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }],
        additionalPrinterColumns: [{ name: "Size", type: "integer", jsonPath: ".spec.size" }],
      },
      {
        name: "v1beta1",
        served: true,
        storage: false,
        deprecated: true,
        // Selectable fields of one version alone need schemas that differ.
        schema: { openAPIV3Schema: { ...schema, description: "As it once was." } },
        subresources,
      },
    ],
  },
};

/** A plain definition: cluster-scoped, any content, no subresources. */
export const gadgetDefinition: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `gadgets.${group}` },
  spec: {
    group,
    scope: "Cluster",
    names: { plural: "gadgets", kind: "Gadget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

/** A Widget. */
export function widget(
  metadata: KubeObject["metadata"],
  content: { readonly spec?: unknown; readonly status?: unknown } = {},
): KubeObject {
  return { apiVersion: `${group}/v1`, kind: "Widget", metadata, ...content };
}

/** A Gadget. */
export function gadget(metadata: KubeObject["metadata"], content: object = {}): KubeObject {
  return { apiVersion: `${group}/v1`, kind: "Gadget", metadata, ...content };
}

/** A ConfigMap. */
export function configMap(metadata: KubeObject["metadata"], data?: unknown): KubeObject {
  return { apiVersion: "v1", kind: "ConfigMap", metadata, ...(data === undefined ? {} : { data }) };
}
