import { labels } from "#api";
import type { PassClient } from "#control";
import { fieldAt, isAlreadyExists, type KubeObject, type ObjectKey } from "#machinery";
import { type KeyPair, makeAuthority } from "./authority.ts";

const Secret = { group: "", version: "v1", kind: "Secret" } as const;

/** The authority of a cluster from the Secret NAME-ca; made where there is none. */
export async function ensureAuthority(
  client: PassClient,
  owner: KubeObject,
  cluster: ObjectKey,
  now: number,
): Promise<KeyPair> {
  const key = { namespace: cluster.namespace ?? "", name: `${cluster.name}-ca` };
  const found = await client.find(Secret, key);
  if (found !== undefined) return pairIn(found);
  try {
    return pairIn(await client.create(Secret, secretOf(owner, cluster, key, makeAuthority(now))));
  } catch (error) {
    // Its name was known before the call, so that there is never a second one.
    if (!isAlreadyExists(error)) throw error;
    return pairIn(await client.get(Secret, key));
  }
}

function secretOf(
  owner: KubeObject,
  cluster: ObjectKey,
  key: { readonly namespace: string; readonly name: string },
  { certificate, key: privateKey }: KeyPair,
): KubeObject {
  const { apiVersion, kind } = owner;
  const { name = "", uid = "" } = owner.metadata;
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      ...key,
      labels: { [labels.clusterName]: cluster.name },
      ownerReferences: [{ apiVersion, kind, name, uid }],
    },
    type: "cluster.x-k8s.io/secret",
    data: { "tls.crt": base64(certificate), "tls.key": base64(privateKey) },
  };
  return secret;
}

function pairIn(secret: KubeObject): KeyPair {
  const at = (name: string) => {
    const value = fieldAt(secret, "data", name);
    return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : "";
  };
  return { certificate: at("tls.crt"), key: at("tls.key") };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
