import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "#base";
import type { Connection } from "../connection.ts";
import { NoConnectionError } from "../errors.ts";
import { tokenFile } from "./credentials.ts";

/** The variables of a process, as `process.env` has them. */
export type Environment = { readonly [name: string]: string | undefined };

/** Where a pod finds what it needs. */
export interface InClusterOptions {
  readonly environment: Environment;
  readonly clock: Clock;
  /** Where the service account is mounted. */
  readonly directory?: string;
}

const mounted = "/var/run/secrets/kubernetes.io/serviceaccount";

/** True where the environment is that of a pod. */
export function isInCluster(environment: Environment): boolean {
  return (environment["KUBERNETES_SERVICE_HOST"] ?? "") !== "" && (environment["KUBERNETES_SERVICE_PORT"] ?? "") !== "";
}

/** The connection that a pod has to the cluster it runs in. */
export async function inClusterConnection(options: InClusterOptions): Promise<Connection> {
  const { environment, clock, directory = mounted } = options;
  if (!isInCluster(environment)) {
    const names = "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT";
    throw new NoConnectionError(`this process runs in no cluster: ${names} are not set`);
  }
  const host = environment["KUBERNETES_SERVICE_HOST"] ?? "";
  const credentials = tokenFile(join(directory, "token"), { clock });
  // A missing token is said at once, not with the first request.
  await credentials.current();
  const namespace = await namespaceIn(join(directory, "namespace"));
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${environment["KUBERNETES_SERVICE_PORT"]}`,
    tls: { authority: { file: join(directory, "ca.crt") } },
    credentials,
    ...(namespace === "" ? {} : { namespace }),
  };
}

/** The namespace is a convenience, so a pod that has no such file does without. */
async function namespaceIn(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch {
    return "";
  }
}
