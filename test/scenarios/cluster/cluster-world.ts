import { Cluster, ClusterClass, defaultFeatureGates, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import { seconds } from "#base";
import { definitionsInMemory } from "#contract";
import { cluster, type ClusterPorts } from "#reconcilers/cluster";
import { scenario, type ScenarioOptions, type World } from "#testkit";
import type { TestContext } from "vitest";
import { TestCluster, TestControlPlane } from "./cluster-objects.ts";

/** Every kind that Clusters have to do with. */
export const clusterKinds = [
  Cluster,
  ClusterClass,
  Machine,
  MachineDeployment,
  MachineSet,
  MachinePool,
  TestCluster,
  TestControlPlane,
];

const grace = seconds(50);

/** A world in which Clusters are reconciled, and whose manager connects to their workload clusters. */
export async function clusterWorld(
  t: TestContext,
  ports: Partial<ClusterPorts> = {},
  options: Partial<ScenarioOptions> = {},
): Promise<World> {
  return await scenario(t, {
    kinds: clusterKinds,
    manager: { cacheKinds: [definitionsInMemory] },
    async controllers(manager, { clusterCache }) {
      const connections = await clusterCache();
      manager.add(cluster, {
        connectionTo: (key) => connections.healthOf(key),
        remoteConnectionGracePeriod: grace,
        machinePoolsRollOut: true,
        features: defaultFeatureGates,
        sources: [connections.source({ name: "cluster", probeFailures: [grace] })],
        ...ports,
      });
    },
    ...options,
  });
}

/** Which row decided on a condition of a Cluster, and what the API server has of it. */
export async function told(world: World, type: string, name = "c1") {
  const { status } = await world.get(Cluster, name);
  const condition = status?.conditions?.find((one) => one.type === type);
  const row = world.condition("Cluster", name, type)?.row;
  return [row, condition?.status, condition?.reason, condition?.message] as const;
}

/** The same for several conditions. */
export async function allTold(world: World, ...types: readonly string[]) {
  const all = await Promise.all(types.map((type) => told(world, type)));
  return Object.fromEntries(types.map((type, index) => [type, all[index]]));
}
