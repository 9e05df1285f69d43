import { ApiError, type DefinitionConversion, type KubeObject } from "#machinery";
import type { Conversion } from "#apiserver/resources";

type ClientConfig = NonNullable<NonNullable<DefinitionConversion["webhook"]>["clientConfig"]>;

/**
 * How a definition wants its objects converted. Webhooks are not called yet, so that whoever asks for objects in another
 * version than theirs is refused, in the words for a webhook that cannot be reached: objects that only say that they are
 * of another version would be worse.
 */
export function conversionOf({ strategy, webhook }: DefinitionConversion): Conversion {
  if (strategy !== "Webhook") return { kind: "none" };
  const config = webhook?.clientConfig ?? {};
  return {
    kind: "by-call",
    convert(objects, apiVersion) {
      const foreign = objects.find((object) => object.apiVersion !== apiVersion);
      return foreign === undefined ? Promise.resolve(objects) : Promise.reject(unreachable(foreign, config));
    },
  };
}

function unreachable({ apiVersion, kind }: KubeObject, { url = "", service }: ClientConfig): ApiError {
  const why =
    service === undefined
      ? "webhooks are not called by this server"
      : `service ${JSON.stringify(service.name)} not found`;
  const { name = "", namespace = "", port = 443, path = "" } = service ?? {};
  const address = service === undefined ? url : `https://${name}.${namespace}.svc:${port}${path}`;
  const message = `conversion webhook for ${apiVersion}, Kind=${kind} failed: Post "${address}?timeout=30s": ${why}`;
  return new ApiError({ httpCode: 500, reason: "", message });
}
