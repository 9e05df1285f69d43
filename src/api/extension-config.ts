import { defineKind, type ObjectOf, s } from "#machinery";
import { age, conditionColumn, paused } from "./columns.ts";
import { category, groups } from "./groups.ts";
import { conditions, deprecated } from "./shapes/condition.ts";
import { labelSelector } from "./shapes/metadata.ts";
import { name } from "./shapes/texts.ts";

const clientConfig = s
  .object(
    {
      url: name(512).describe("The https URL of the extension; either this or service.").optional(),
      service: s
        .object({
          namespace: name(63).describe("The namespace of the Service."),
          name: name(63).describe("The name of the Service."),
          path: name(512).describe("The path that all calls begin with.").optional(),
          port: s.integer().describe("The port of the Service; 443 if not set.").optional(),
        })
        .describe("The Service of the extension; either this or url.")
        .optional(),
      caBundle: s
        .string({ format: "byte", minLength: 1, maxLength: 51_200 })
        .describe("The certificate authorities to trust, PEM in base64; those of the system if not set.")
        .optional(),
    },
    { minProperties: 1 },
  )
  .describe("How the extension is reached.");

const handler = s.object({
  name: name(512).describe("The name of the handler, followed by a dot and the name of this object."),
  requestHook: s
    .object({
      apiVersion: name(512).describe("The group and version of the hook."),
      hook: name(256).describe("The name of the hook."),
    })
    .describe("The hook that it answers."),
  timeoutSeconds: s.integer({ minimum: 1 }).describe("How long a call may take.").optional(),
  failurePolicy: s
    .enumOf(["Ignore", "Fail"])
    .describe("Whether an extension that cannot be reached is ignored.")
    .optional(),
});

const extensionConfigStatus = s
  .object(
    {
      conditions,
      handlers: s
        .list(handler, { key: "name", maxItems: 512 })
        .describe("The handlers that the extension has said it has.")
        .optional(),
      deprecated,
    },
    { minProperties: 1 },
  )
  .describe("What the controller has found out.");

/** Registers a runtime extension. */
export const ExtensionConfig = defineKind({
  group: groups.runtime,
  version: "v1beta2",
  kind: "ExtensionConfig",
  plural: "extensionconfigs",
  scope: "Cluster",
  shortNames: ["ext"],
  categories: [category],
  description: "Registers a runtime extension, a server that is called at certain points of a cluster's life.",
  columns: [paused, conditionColumn("Discovered", "Discovered"), age],
  hasStatus: true,
  fields: {
    spec: s
      .object({
        clientConfig,
        namespaceSelector: labelSelector
          .describe("The namespaces whose objects the extension is called for; all if not set.")
          .optional(),
        settings: s.map(s.string()).describe("Passed on with every call; a ClusterClass can override them.").optional(),
      })
      .describe("What is wished."),
    status: extensionConfigStatus.optional(),
  },
});

export type ExtensionConfig = ObjectOf<typeof ExtensionConfig>;
