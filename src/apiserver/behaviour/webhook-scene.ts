import type { Json, JsonObject, KubeObject } from "#machinery";
import { expect } from "vitest";
import type { Scene } from "./scene.ts";
import { configMap, configMaps } from "./widget.ts";
import { type Asked, type Answering, openWebhook, reviewed, type WebhookServer } from "./webhook-server.ts";

/** What a test says about a webhook; the rest is as most tests want it. */
export interface HookWish {
  /** The first part of its name, and its path. */
  readonly name: string;
  readonly more?: JsonObject;
}

/** Webhooks that are asked about the writes of one test. */
export interface HookScene {
  readonly hook: WebhookServer;
  /** What the webhooks were asked since the last time, without what changes in every run. */
  readonly taken: () => readonly JsonObject[];
}

const group = "admissionregistration.k8s.io";
const kinds = { mutating: "MutatingWebhookConfiguration", validating: "ValidatingWebhookConfiguration" } as const;

/** Configures webhooks for the namespace of a test, waits until they are asked, and takes them away in the end. */
export async function withHooks(
  scene: Scene,
  wishes: { readonly mutating?: readonly HookWish[]; readonly validating?: readonly HookWish[] },
  run: (hooks: HookScene) => Promise<void>,
  answer: Answering = (asked) => reviewed(asked, {}),
): Promise<void> {
  const { transport, word } = scene;
  const hook = await openWebhook((asked) => reviewed(asked, {}));
  const configured: [keyof typeof kinds, string][] = [];
  try {
    for (const kind of ["mutating", "validating"] as const) {
      const hooks = wishes[kind];
      if (hooks === undefined) continue;
      const name = `hooks-${word}`;
      await transport.create(resourceOf(kind), {
        apiVersion: `${group}/v1`,
        kind: kinds[kind],
        metadata: { name },
        webhooks: [sentinel(scene, hook), ...hooks.map((wish) => webhook(scene, hook, wish))],
      });
      configured.push([kind, name]);
      await untilAsked(scene, hook);
    }
    hook.answer(answer);
    await run({ hook, taken: () => hook.asked.splice(0).map(lasting) });
  } finally {
    for (const [kind, name] of configured) await transport.delete(resourceOf(kind), { name });
    await hook.close();
  }
}

/** A webhook on ConfigMaps of the test's namespace, unless told otherwise. */
export function webhook(scene: Scene, { url, caBundle }: WebhookServer, { name, more = {} }: HookWish): JsonObject {
  return {
    name: `${name}.example.com`,
    clientConfig: { url: `${url}/${name}`, caBundle },
    rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["*"] }],
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": scene.namespace } },
    objectSelector: { matchExpressions: [{ key: "sentinel", operator: "DoesNotExist" }] },
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    timeoutSeconds: 5,
    ...more,
  };
}

export function resourceOf(kind: keyof typeof kinds) {
  return { group, version: "v1", resource: `${kind}webhookconfigurations` };
}

/** A webhook that only hears of an object that shows whether a configuration is in force. */
function sentinel(scene: Scene, hook: WebhookServer): JsonObject {
  return webhook(scene, hook, { name: "sentinel", more: { objectSelector: { matchLabels: { sentinel: "yes" } } } });
}

async function untilAsked({ transport, namespace, eventually }: Scene, hook: WebhookServer): Promise<void> {
  const probe = configMap({ namespace, name: "probe", labels: { sentinel: "yes" } });
  hook.asked.splice(0);
  await eventually(async () => {
    await transport.create(configMaps, probe, { dryRun: true });
    expect(hook.asked).not.toEqual([]);
  });
  hook.asked.splice(0);
}

/** What is asked, without uids, versions, times and owners. */
function lasting({ path, request }: Asked): JsonObject {
  const { uid: _uid, userInfo: _userInfo, object = null, oldObject = null, ...rest } = request;
  return { path, ...rest, object: brief(object), oldObject: brief(oldObject) };
}

function brief(object: Json): Json {
  if (object === null) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what webhooks are sent are objects of the API
  const { metadata, ...content } = object as unknown as KubeObject;
  const { managedFields: _managers, uid, creationTimestamp: _time, resourceVersion, ...kept } = metadata;
  const known = {
    ...(uid === undefined ? {} : { uid: "known" }),
    ...(resourceVersion === undefined ? {} : { resourceVersion: "known" }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parts of JSON are JSON
  return { ...content, metadata: { ...kept, ...known } } as unknown as Json;
}
