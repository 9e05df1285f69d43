/** A change to a definition that is fine: members of its spec, or of its only version, replaced. */
export interface DefinitionCase {
  readonly name?: string;
  readonly spec?: object;
  readonly version?: object;
  readonly versions?: readonly object[];
  readonly annotations?: object;
}

const schema = {
  openAPIV3Schema: { type: "object", properties: { spec: { type: "object", properties: { a: { type: "string" } } } } },
};
const other = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const fields = {
  openAPIV3Schema: {
    type: "object",
    properties: {
      metadata: { type: "object", properties: { name: { type: "string" } } },
      spec: {
        type: "object",
        properties: {
          s: { type: "string" },
          o: { type: "object" },
          l: { type: "array", items: { type: "string" } },
          m: { type: "object", additionalProperties: { type: "string" } },
          ...Object.fromEntries(
            ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map((name) => [name, { type: "integer" }]),
          ),
        },
      },
    },
  },
};
const names = { plural: "things", kind: "Thing" };

/** Definitions that a real API server is asked to create. */
export const createCases: { readonly [name: string]: DefinitionCase } = {
  fine: {},
  "another name": { name: "others.example.com" },
  "no group": { spec: { group: "" } },
  "group without a dot": { spec: { group: "example" }, name: "things.example" },
  "odd group": { spec: { group: "Example_.com" } },
  "no scope": { spec: { scope: "" } },
  "unknown scope": { spec: { scope: "World" } },
  "no kind": { spec: { names: { plural: "things" } } },
  "odd names": {
    spec: {
      names: {
        plural: "things",
        singular: "Thing",
        kind: "Bad_Kind",
        listKind: "Bad Kind",
        shortNames: ["ok", "-"],
        categories: ["A", "all"],
      },
    },
  },
  "same kinds": { spec: { names: { ...names, listKind: "Thing" } } },
  "no versions": { spec: { versions: [] } },
  "no storage version": { version: { storage: false } },
  "two storage versions": {
    versions: [
      { name: "v1", served: true, storage: true, schema },
      { name: "v2", served: true, storage: true, schema: other },
    ],
  },
  "equal versions": {
    versions: [
      { name: "v1", served: true, storage: true, schema },
      { name: "v1", served: false, storage: false, schema },
    ],
  },
  "two fine versions": {
    versions: [
      { name: "v1", served: true, storage: true, schema },
      { name: "v2", served: true, storage: false, schema: other },
    ],
  },
  "odd version name": { version: { name: "V1" } },
  "no schema": { version: { schema: null } },
  "empty schema": { version: { schema: {} } },
  "one schema missing": {
    versions: [
      { name: "v1", served: true, storage: true, schema },
      { name: "v2", served: true, storage: false },
    ],
  },
  "broken schemas of two versions": {
    versions: [
      { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "string" } } },
      { name: "v2", served: true, storage: false, schema: { openAPIV3Schema: { type: "integer" } } },
    ],
  },
  "warning without deprecation": { version: { deprecationWarning: "gone" } },
  "odd warning": { version: { deprecated: true, deprecationWarning: "a\u0007b" } },
  "empty warning": { version: { deprecated: true, deprecationWarning: "" } },
  "long warning": { version: { deprecated: true, deprecationWarning: "x".repeat(257) } },
  "odd columns": {
    version: {
      additionalPrinterColumns: [
        { name: "", type: "", jsonPath: "" },
        { name: "A", type: "text", format: "odd", jsonPath: "spec.a" },
        { name: "B", type: "date", jsonPath: "." },
      ],
    },
  },
  "odd columns of two versions": {
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema,
        additionalPrinterColumns: [{ name: "A", type: "x", jsonPath: ".a" }],
      },
      { name: "v2", served: true, storage: false, schema },
    ],
  },
  "odd scale": {
    version: {
      subresources: { scale: { specReplicasPath: "spec.x", statusReplicasPath: "", labelSelectorPath: ".meta.x" } },
    },
  },
  "scale elsewhere": {
    version: { subresources: { scale: { specReplicasPath: ".status.x", statusReplicasPath: ".spec.x" } } },
  },
  "fine scale": {
    version: {
      subresources: {
        status: {},
        scale: { specReplicasPath: ".spec.x", statusReplicasPath: ".status.x", labelSelectorPath: ".status.s" },
      },
    },
  },
  "status with too much at the root": {
    version: {
      subresources: { status: {} },
      schema: { openAPIV3Schema: { ...schema.openAPIV3Schema, anyOf: [{ required: ["spec"] }] } },
    },
  },
  "status with another type": {
    version: {
      subresources: { status: {} },
      schema: { openAPIV3Schema: { type: "array", items: { type: "string" } } },
    },
  },
  "status in one version": {
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { ...schema.openAPIV3Schema, maxProperties: 9 } },
        subresources: { status: {} },
      },
      { name: "v2", served: true, storage: false, schema },
    ],
  },
  "fine selectable fields": {
    version: { schema: fields, selectableFields: [{ jsonPath: ".spec.s" }, { jsonPath: ".spec.m.x" }] },
  },
  "odd selectable fields": {
    version: {
      schema: fields,
      selectableFields: [
        { jsonPath: "" },
        { jsonPath: "spec" },
        { jsonPath: ".spec." },
        { jsonPath: ".spec.nothing" },
        { jsonPath: ".spec['s']" },
        { jsonPath: ".spec.o" },
        { jsonPath: ".spec.l" },
        { jsonPath: ".metadata.name" },
        { jsonPath: ".spec.s" },
        { jsonPath: ".spec.s" },
      ],
    },
  },
  "too many selectable fields": {
    version: {
      schema: fields,
      selectableFields: ["a", "b", "c", "d", "e", "f", "g", "h", "i"].map((name) => ({ jsonPath: `.spec.${name}` })),
    },
  },
  "unknown conversion": { spec: { conversion: { strategy: "Magic" } } },
  "no conversion strategy": { spec: { conversion: { strategy: "" } } },
  "webhook without strategy": {
    spec: {
      conversion: {
        strategy: "None",
        webhook: { clientConfig: { url: "https://a" }, conversionReviewVersions: ["v1"] },
      },
    },
  },
  "strategy without webhook": { spec: { conversion: { strategy: "Webhook" } } },
  "webhook with both": {
    spec: {
      conversion: {
        strategy: "Webhook",
        webhook: {
          clientConfig: { url: "https://a", service: { name: "a", namespace: "b" } },
          conversionReviewVersions: [],
        },
      },
    },
  },
  "webhook with odd url": {
    spec: {
      conversion: {
        strategy: "Webhook",
        webhook: { clientConfig: { url: "http://u:p@h/p?q=1#f" }, conversionReviewVersions: ["v2", "V", "v2"] },
      },
    },
  },
  "webhook without host": {
    spec: {
      conversion: {
        strategy: "Webhook",
        webhook: { clientConfig: { url: "https:///x" }, conversionReviewVersions: ["v1"] },
      },
    },
  },
  "webhook with odd service": {
    spec: {
      conversion: {
        strategy: "Webhook",
        webhook: {
          clientConfig: { service: { name: "", namespace: "n", port: 70_000, path: "a//B" } },
          conversionReviewVersions: ["v1"],
        },
      },
    },
  },
  "webhook with fine service": {
    spec: {
      conversion: {
        strategy: "Webhook",
        webhook: {
          clientConfig: { service: { name: "s", namespace: "n", path: "/convert" }, caBundle: "eA==" },
          conversionReviewVersions: ["v1", "v1beta1"],
        },
      },
    },
  },
  preserveUnknownFields: { spec: { preserveUnknownFields: true } },
  "protected group": { spec: { group: "a.k8s.io" }, name: "things.a.k8s.io" },
  "protected group with an odd annotation": {
    spec: { group: "a.k8s.io" },
    name: "things.a.k8s.io",
    annotations: { "api-approved.kubernetes.io": "please" },
  },
  "protected group with a link": {
    spec: { group: "a.k8s.io" },
    name: "things.a.k8s.io",
    annotations: { "api-approved.kubernetes.io": "https://x.y/1" },
  },
  "protected group without approval": {
    spec: { group: "a.k8s.io" },
    name: "things.a.k8s.io",
    annotations: { "api-approved.kubernetes.io": "unapproved, test" },
  },
};

/** What somebody writes over an established definition. */
export const updateDefinitionCases: { readonly [name: string]: DefinitionCase } = {
  nothing: {},
  "another scope": { spec: { scope: "Cluster" } },
  "another kind": { spec: { names: { ...names, kind: "Other" } } },
  "another group": { spec: { group: "other.com" } },
  "another plural": { spec: { names: { ...names, plural: "others" } } },
  "another short name": { spec: { names: { ...names, shortNames: ["th"] } } },
  "no storage version left": { versions: [{ name: "v2", served: true, storage: true, schema }] },
  "a second version": {
    versions: [
      { name: "v1", served: true, storage: false, schema },
      { name: "v2", served: true, storage: true, schema },
    ],
  },
  "a broken schema": { version: { schema: { openAPIV3Schema: { type: "string" } } } },
  "a broken bundle": {
    spec: {
      conversion: {
        strategy: "Webhook",
        webhook: { clientConfig: { url: "https://a", caBundle: "eA==" }, conversionReviewVersions: ["v1"] },
      },
    },
  },
};
