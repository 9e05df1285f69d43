import { namespacedName, type ObjectKey } from "#machinery";
import {
  openWorkloadServer,
  type WorkloadServer,
  type WorkloadServerOpening,
  type WorkloadServerTools,
} from "./workload-server.ts";

/** The API servers of all simulated clusters of this process. */
export interface WorkloadServers extends AsyncDisposable {
  readonly host: string;
  find(cluster: ObjectKey): WorkloadServer | undefined;
  /** The server of a cluster; opened if there is none, once however many ask. */
  open(cluster: ObjectKey, opening: WorkloadServerOpening): Promise<WorkloadServer>;
  close(cluster: ObjectKey): Promise<void>;
}

/** Hosts the API servers of simulated clusters until it is disposed of. */
export function createWorkloadServers(tools: WorkloadServerTools): WorkloadServers {
  const servers = new Map<string, WorkloadServer>();
  const opening = new Map<string, Promise<WorkloadServer>>();
  return {
    host: tools.host,
    find: (cluster) => servers.get(namespacedName(cluster)),
    async open(cluster, options) {
      const name = namespacedName(cluster);
      const known = servers.get(name) ?? opening.get(name);
      if (known !== undefined) return await known;
      const made = openWorkloadServer(tools, options);
      opening.set(name, made);
      try {
        const server = await made;
        servers.set(name, server);
        return server;
      } finally {
        opening.delete(name);
      }
    },
    async close(cluster) {
      const name = namespacedName(cluster);
      const server = servers.get(name);
      servers.delete(name);
      await server?.close();
    },
    async [Symbol.asyncDispose]() {
      const all = [...servers.values()];
      servers.clear();
      await Promise.all(all.map((server) => server.close()));
    },
  };
}
