import { get, type RequestOptions } from "node:https";
import type { AdmissionPlugin } from "#apiserver";
import type { Connection, Pem } from "#client";
import type { World } from "#testkit";

/** Counts on a server what it is asked to write, whether that changes anything or not. */
export interface WriteCounter extends AdmissionPlugin {
  readonly count: number;
}

/** Makes one for the management cluster of a world. */
export function createWriteCounter(): WriteCounter {
  let count = 0;
  return {
    name: "WriteCounter",
    handles: () => true,
    validate() {
      count++;
    },
    get count() {
      return count;
    },
  };
}

/** How often the API server of a workload cluster was asked to write something, by its own metrics. */
export async function writesAskedOf(cluster: string, { clusterCache, namespace }: World): Promise<number> {
  const connections = await clusterCache();
  const metrics = await textAt("/metrics", connections.connectionOf({ namespace, name: cluster }));
  return metrics
    .split("\n")
    .filter((line) => /^apiserver_request_total\{.*verb="(?:POST|PUT|PATCH|APPLY|DELETE|DELETECOLLECTION)"/.test(line))
    .reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

function textAt(path: string, { server, tls = {} }: Connection): Promise<string> {
  const options: RequestOptions = {
    agent: false,
    ca: contentOf(tls.authority),
    cert: contentOf(tls.certificate),
    key: contentOf(tls.key),
  };
  return new Promise((resolve, reject) => {
    get(`${server}${path}`, options, (answer) => {
      answer
        .setEncoding("utf8")
        .toArray()
        .then((parts) => resolve(parts.join("")), reject);
    }).on("error", reject);
  });
}

function contentOf(pem: Pem | undefined): string {
  if (pem === undefined || (typeof pem === "object" && "file" in pem))
    throw new Error("a kubeconfig holds its content");
  return typeof pem === "string" ? pem : Buffer.from(pem).toString("utf8");
}
