import { labels } from "#api";
import { quote, wrap } from "#base";
import { type Connection, connectionOf, parseKubeconfig } from "#client";
import type { Reader, ReadOptions } from "#control";
import { describeKey, type ObjectKey } from "#machinery";
import { Secret } from "../core-kinds.ts";
import { KubeconfigSecretError } from "../errors.ts";

/** The Secret that holds the kubeconfig of a Cluster. */
export function kubeconfigSecretOf({ namespace, name }: ObjectKey): ObjectKey {
  const secret = { name: `${name}-kubeconfig` };
  return namespace === undefined ? secret : { namespace, ...secret };
}

/** How the workload cluster of a Cluster is reached, as its kubeconfig says now. */
export async function readWorkloadSettings(
  secrets: Pick<Reader, "get">,
  cluster: ObjectKey,
  options: ReadOptions = {},
): Promise<Connection> {
  const key = kubeconfigSecretOf(cluster);
  const text = await readKubeconfig(secrets, key, options).catch((error: unknown) => {
    throw wrap(error, "error creating REST config: error getting kubeconfig secret");
  });
  try {
    // Whoever may write the Secret of one Cluster must not get at the files of this machine with it.
    return connectionOf(parseKubeconfig(text, `of Secret ${describeKey(key)}`), { contentOnly: true });
  } catch (error) {
    throw wrap(error, "error creating REST config: error parsing kubeconfig");
  }
}

async function readKubeconfig(secrets: Pick<Reader, "get">, key: ObjectKey, options: ReadOptions): Promise<string> {
  const { metadata, data = {} } = await secrets.get(Secret, key, options);
  if (metadata.labels?.[labels.clusterName] === undefined)
    throw new KubeconfigSecretError(`Secret ${describeKey(key)} has no label ${labels.clusterName}`);
  const { value } = data;
  if (value === undefined) throw new KubeconfigSecretError(`missing key ${quote("value")} in secret data`);
  return Buffer.from(value, "base64").toString("utf8");
}
