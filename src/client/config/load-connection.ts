import { systemClock } from "#base";
import type { Connection } from "../connection.ts";
import { NoConnectionError } from "../errors.ts";
import { inClusterConnection, isInCluster } from "./in-cluster.ts";
import { type ContextOptions, connectionOf } from "./kubeconfig-connection.ts";
import { type KubeconfigPlaces, loadKubeconfig } from "./kubeconfig.ts";

/** Where to look for a server, and what to look with. */
export interface LoadOptions extends KubeconfigPlaces, ContextOptions {
  /** Where the service account of a pod is mounted. */
  readonly serviceAccountDirectory?: string;
}

/**
 * Finds the server to talk to: the kubeconfig of `path`, else those of KUBECONFIG, else the cluster around this pod, else
 * the kubeconfig in the home directory. The environment is handed in, usually as `process.env`.
 */
export async function loadConnection(options: LoadOptions): Promise<Connection> {
  const { path, environment = {}, home, clock = systemClock, serviceAccountDirectory } = options;
  const named = await loadKubeconfig({ environment, ...(path === undefined ? {} : { path }) });
  if (named !== undefined) return connectionOf(named, options);
  if (isInCluster(environment)) {
    const directory = serviceAccountDirectory === undefined ? {} : { directory: serviceAccountDirectory };
    return await inClusterConnection({ environment, clock, ...directory });
  }
  const own = await loadKubeconfig(home === undefined ? {} : { home });
  if (own !== undefined) return connectionOf(own, options);
  throw new NoConnectionError(
    "there is no kubeconfig: name one, set KUBECONFIG, write .kube/config in the home directory, or run in a cluster",
  );
}
