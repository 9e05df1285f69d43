import {
  ApiError,
  describeFieldError,
  forbiddenRequest,
  type GroupVersionResource,
  invalidObject,
  type Kind,
  type KubeObject,
} from "#machinery";
import { hasRightTypes } from "./fit.ts";
import type { Lookups } from "./lookups.ts";
import type { Webhook } from "./webhook.ts";

/** What an API server tells about a write. */
export interface Write {
  readonly operation: "CREATE" | "UPDATE" | "DELETE";
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly name: string;
  /** The object as it is to be; none for a delete. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** Has a say in writes; an API server's own admission plugins look like this. */
export interface Admission {
  readonly name: string;
  readonly handles: (write: Pick<Write, "operation" | "resource" | "subresource">) => boolean;
  readonly mutate: (object: KubeObject, write: Write) => Promise<KubeObject>;
  readonly validate: (write: Write, context: { readonly warn: (text: string) => void }) => Promise<void>;
}

/** The webhooks as something that an API server can ask in its own process. */
export function admissionFor(webhooks: readonly Webhook[], lookups: Lookups): readonly Admission[] {
  return webhooks.map((webhook) => admissionOf(webhook, lookups));
}

/** One of them. */
export function admissionOf(webhook: Webhook, lookups: Lookups): Admission {
  const { kind } = webhook;
  const { group, resource } = kind.resource;
  return {
    name: `${kind.kind}.${group}`,
    handles: (write) =>
      write.subresource === "" &&
      write.resource.group === group &&
      write.resource.resource === resource &&
      (write.operation !== "DELETE" || webhook.refuseDelete !== undefined),

    async mutate(object, { oldObject }) {
      // What has wrong types is refused by the schema in the next step, and says so better.
      if (webhook.fillIn === undefined || !kind.is(object) || !hasRightTypes(kind, object)) return object;
      const defaulted = await webhook.fillIn(objectOf(kind, oldObject), object, lookups);
      if (defaulted.errors.length > 0) throw invalidObject(kind, nameOf(object), defaulted.errors);
      return defaulted.object;
    },

    async validate({ object, oldObject, operation, name }, { warn }) {
      const old = objectOf(kind, oldObject);
      if (operation === "DELETE") {
        const why = old === undefined ? undefined : await webhook.refuseDelete?.(old, lookups);
        if (why !== undefined) throw forbiddenRequest({ group, resource: kind.kind }, name, why);
        return;
      }
      if (object === undefined || !kind.is(object)) return;
      const refusal = webhook.refuseAll?.(lookups);
      if (refusal !== undefined)
        throw new ApiError({ httpCode: 403, reason: "Forbidden", message: describeFieldError(refusal) });
      const errors = await webhook.validate(old, object, lookups);
      for (const text of (await webhook.warn?.(old, object, lookups)) ?? []) warn(text);
      if (errors.length > 0) throw invalidObject(kind, nameOf(object), errors);
    },
  };
}

function objectOf(kind: Kind, object: KubeObject | undefined): KubeObject | undefined {
  return object !== undefined && kind.is(object) ? object : undefined;
}

function nameOf({ metadata: { name = "", generateName = "" } }: KubeObject): string {
  return name === "" ? generateName : name;
}
