import { annotations, ExtensionConfig } from "#api";
import { CapstanError, quote, wrap } from "#base";
import type { Index, Reader } from "#control";
import { fieldAt, isJsonObject, keyOf, type KubeObject, namespacedName, type ObjectKey } from "#machinery";
import { AuthoritySecretError } from "./errors.ts";

/** The kind of the objects that certificate authorities are taken from. */
export const Secret = { group: "", version: "v1", kind: "Secret" } as const;

const authorityKey = "ca.crt";

/** Reads Secrets as they are now, past every cache. */
export interface SecretReader {
  get(kind: typeof Secret, key: ObjectKey, options?: { readonly signal?: AbortSignal }): Promise<KubeObject>;
}

/**
 * The certificate authority that an ExtensionConfig is to trust, PEM in base64: that of the Secret that its annotation
 * names, or the one it has where it names none. Whether it holds any certificate is found out when it is used.
 */
export async function wishedAuthority(
  config: ExtensionConfig,
  { client, signal }: { readonly client: SecretReader; readonly signal: AbortSignal },
): Promise<string> {
  const named = config.metadata.annotations?.[annotations.injectCaFromSecret];
  if (named === undefined) return config.spec.clientConfig.caBundle ?? "";
  const context = "failed to reconcile caBundle";
  const key = splitNamespacedName(named);
  if (key.namespace === "" || key.name === "")
    throw new AuthoritySecretError(`${context}: secret name ${quote(named)} must be in the form <namespace>/<name>`);
  const secret = await client.get(Secret, key, { signal }).catch((error: unknown) => {
    throw error instanceof CapstanError ? wrap(error, `${context}: failed to get secret ${quote(named)}`) : error;
  });
  const data = fieldAt(secret, "data");
  const authority = isJsonObject(data) ? data[authorityKey] : undefined;
  if (typeof authority !== "string")
    throw new AuthoritySecretError(`${context}: secret ${named} does not contain a ${quote(authorityKey)} entry`);
  return authority;
}

/** Takes `<namespace>/<name>` apart at the first slash; without one it is a name alone. */
export function splitNamespacedName(text: string): { readonly namespace: string; readonly name: string } {
  const slash = text.indexOf("/");
  return slash < 0 ? { namespace: "", name: text } : { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/** Files ExtensionConfigs under the Secret that their annotation names. */
export const bySecret: Index<ExtensionConfig> = {
  name: `metadata.annotations[${annotations.injectCaFromSecret}]`,
  valuesOf({ metadata }) {
    const named = metadata.annotations?.[annotations.injectCaFromSecret];
    return named === undefined ? [] : [named];
  },
};

/** The ExtensionConfigs that take their certificate authority from a Secret; none where they cannot be read. */
export async function configsTrusting(
  secret: Pick<KubeObject, "metadata">,
  { reader, signal }: { readonly reader: Pick<Reader, "list">; readonly signal: AbortSignal },
): Promise<readonly ObjectKey[]> {
  const value = namespacedName(keyOf(secret));
  const configs = await reader.list(ExtensionConfig, { indexed: { by: bySecret, value }, signal });
  return configs.map(({ metadata: { name = "" } }) => ({ name }));
}
