import { type GroupVersionResource, isJsonList, type Json, type JsonObject, type KubeObject } from "#machinery";
import { expect } from "vitest";
import type { Scene } from "./scene.ts";
import { type Answering, type Asked, openWebhook, type WebhookServer } from "./webhook-server.ts";

export const definitions = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };

/** A kind that a webhook converts. */
export interface Things {
  readonly newer: GroupVersionResource;
  readonly older: GroupVersionResource;
  /** Of the definition. */
  readonly name: string;
  readonly hook: WebhookServer;
  readonly thing: (version: "v1" | "v1beta1", name: string, spec: object) => KubeObject;
}

/** A kind with two versions, of which a webhook makes one of the other; the newer one may have fields of its own. */
export async function withThings(
  scene: Scene,
  extra: JsonObject,
  run: (things: Things) => Promise<void>,
): Promise<void> {
  const { transport, namespace, word, eventually } = scene;
  const hook = await openWebhook(converting);
  const group = `conv${word}.example.com`;
  const name = `things.${group}`;
  const [newer, older] = ["v1", "v1beta1"].map((version) => ({ group, version, resource: "things" })) as [
    GroupVersionResource,
    GroupVersionResource,
  ];
  await transport.create(definitions, definitionOf(group, hook, extra));
  try {
    await eventually(async () => {
      for (const resource of [newer, older]) await transport.list(resource, { namespace });
    });
    const thing = (version: string, of: string, spec: object): KubeObject => ({
      apiVersion: `${group}/${version}`,
      kind: "Thing",
      metadata: { namespace, name: of },
      spec,
    });
    await run({ newer, older, name, hook, thing });
  } finally {
    hook.answer(converting);
    await transport.delete(definitions, { name });
    await eventually(async () => {
      expect((await transport.list(definitions, { fieldSelector: `metadata.name=${name}` })).items).toEqual([]);
    });
    await hook.close();
  }
}

function definitionOf(group: string, { url, caBundle }: WebhookServer, extra: JsonObject): KubeObject {
  const version = (name: string, fields: JsonObject, storage: boolean): JsonObject => ({
    name,
    served: true,
    storage,
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: fields },
          status: { type: "object", properties: { phase: { type: "string" } } },
        },
      },
    },
  });
  const text = { type: "string" };
  const newer = { hostname: text, since: { ...text, default: "new" }, ...extra };
  const older = { host: text, since: { ...text, default: "old" } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: `${url}/convert`, caBundle } },
      },
      versions: [version("v1", newer, true), version("v1beta1", older, false)],
    },
  };
}

/** What every good answer begins with. */
export const head = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview" };

/** A good answer. */
export const converting: Answering = (asked) => ({ ...head, response: success(asked) });

/** A good answer whose objects are then changed. */
export function answering(change: (object: JsonObject) => JsonObject): Answering {
  return (asked) => ({ ...head, response: success(asked, change) });
}

/** An answer with these fields in its response. */
export function reviewAnswer(fields: JsonObject): Answering {
  return ({ uid }) => ({ ...head, response: { uid, ...fields } });
}

/** The response of a good answer. */
export function success(
  { request, uid }: Asked,
  change: (object: JsonObject) => JsonObject = (object) => object,
): JsonObject {
  const objects = request["objects"];
  const desired = request["desiredAPIVersion"];
  const convertedObjects = (isJsonList(objects) ? objects : []).map((object) =>
    change(renamed(object as JsonObject, typeof desired === "string" ? desired : "")),
  );
  return { uid, result: { status: "Success" }, convertedObjects };
}

/** The newer version says `hostname` where the older one says `host`. */
function renamed(object: JsonObject, apiVersion: string): JsonObject {
  const { host, hostname, ...rest } = (object["spec"] ?? {}) as JsonObject;
  const value: Json | undefined = host ?? hostname;
  const field = apiVersion.endsWith("/v1") ? "hostname" : "host";
  const spec = { ...rest, ...(value === undefined ? {} : { [field]: value }) };
  return { ...object, apiVersion, ...("spec" in object ? { spec } : {}) };
}
