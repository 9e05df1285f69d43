import { casesOf } from "./case.ts";

const thing = {
  metadata: { name: "things.record.example.com" },
  spec: {
    group: "record.example.com",
    scope: "Namespaced",
    names: { plural: "things", kind: "Thing" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
};

const [version] = thing.spec.versions;

/** Only what is accepted: the rules of definitions themselves have their own place. */
export const definitionCases = casesOf("customresourcedefinitions.apiextensions.k8s.io", thing, {
  "the least there is": {},
  "names given": {
    metadata: { name: "robots.record.example.com" },
    spec: { names: { plural: "robots", singular: "robo", listKind: "Robots", kind: "Robot", shortNames: ["rb"] } },
  },
  "a schema with all kinds of parts": {
    metadata: { name: "parts.record.example.com" },
    spec: {
      names: { plural: "parts", kind: "Part" },
      versions: [
        {
          ...version,
          schema: {
            openAPIV3Schema: {
              type: "object",
              unknown: true,
              properties: {
                spec: {
                  type: "object",
                  required: [],
                  properties: {
                    a: { type: "array", items: { type: "string", enum: ["x", "y"], default: "x" } },
                    b: { type: "object", additionalProperties: { type: "integer", minimum: 0, format: "int32" } },
                    c: { "x-kubernetes-int-or-string": true, nullable: false, description: "" },
                    d: { type: "object", "x-kubernetes-preserve-unknown-fields": true, default: {} },
                    e: { type: "number", maximum: 1.5, exclusiveMaximum: false },
                  },
                  "x-kubernetes-validations": [{ rule: "true" }],
                },
              },
            },
          },
          subresources: { status: {}, scale: { specReplicasPath: ".spec.e", statusReplicasPath: ".status.e" } },
          additionalPrinterColumns: [{ name: "E", type: "number", jsonPath: ".spec.e" }],
        },
      ],
    },
  },
  "a conversion webhook": {
    metadata: { name: "webs.record.example.com" },
    spec: {
      names: { plural: "webs", kind: "Web" },
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1"], clientConfig: { service: { name: "s", namespace: "n" } } },
      },
    },
  },
  "another storage version": {
    from: { metadata: { name: "olds.record.example.com" }, spec: { names: { plural: "olds", kind: "Old" } } },
    to: {
      spec: {
        versions: [
          { ...version, storage: false },
          { ...version, name: "v2" },
        ],
      },
    },
  },
  "rules that do not compile": {
    spec: {
      versions: [
        {
          ...version,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: { a: { type: "string" } },
                  "x-kubernetes-validations": [{ rule: "self.b == 1" }, { rule: "self.a" }],
                },
              },
            },
          },
        },
      ],
    },
  },
  "a schema that is not structural": {
    spec: { versions: [{ ...version, schema: { openAPIV3Schema: { type: "object", properties: { a: {} } } } }] },
  },
  "names that do not fit": { metadata: { name: "others.record.example.com" } },
  "no versions": { spec: { versions: [] } },
});
