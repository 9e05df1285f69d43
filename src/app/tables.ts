import { type ConditionTable, explain, type Explanation, type ReasonSpelling } from "#conditions";
import * as providers from "#providers";
import * as cluster from "#reconcilers/cluster";
import * as clusterClass from "#reconcilers/clusterclass";
import * as extensionConfig from "#reconcilers/extensionconfig";
import * as machine from "#reconcilers/machine";

/** A table that can be asked about facts from a file. */
export interface ExplainedTable {
  readonly table: ConditionTable<never>;
  readonly explain: (facts: unknown, spelling: ReasonSpelling) => Explanation;
}

/** Every condition that the program judges, with the reader of its facts. */
export const explainedTables: readonly ExplainedTable[] = [
  explained(cluster.RollingOut, cluster.readClusterFacts),
  explained(cluster.InfrastructureReady, cluster.readClusterFacts),
  explained(cluster.ControlPlaneInitialized, cluster.readClusterFacts),
  explained(cluster.ControlPlaneAvailable, cluster.readClusterFacts),
  explained(cluster.WorkersAvailable, cluster.readClusterFacts),
  explained(cluster.ControlPlaneMachinesReady, cluster.readClusterFacts),
  explained(cluster.WorkerMachinesReady, cluster.readClusterFacts),
  explained(cluster.ControlPlaneMachinesUpToDate, cluster.readClusterFacts),
  explained(cluster.WorkerMachinesUpToDate, cluster.readClusterFacts),
  explained(cluster.ScalingUp, cluster.readClusterFacts),
  explained(cluster.ScalingDown, cluster.readClusterFacts),
  explained(cluster.Remediating, cluster.readClusterFacts),
  explained(cluster.RemoteConnectionProbe, cluster.readClusterFacts),
  explained(cluster.Deleting, cluster.readClusterFacts),
  explained(cluster.Available, cluster.readAvailableFacts),
  explained(clusterClass.VariablesReady, clusterClass.readClassFacts),
  explained(clusterClass.RefVersionsUpToDate, clusterClass.readClassFacts),
  explained(providers.DevClusterReady, providers.readDevClusterFacts),
  explained(providers.VMProvisioned, providers.readDevMachineFacts),
  explained(providers.NodeProvisioned, providers.readDevMachineFacts),
  explained(providers.DevMachineReady, providers.readDevMachineSummary),
  explained(extensionConfig.Discovered, extensionConfig.readDiscoveryFacts),
  explained(machine.NodeReady, machine.readNodeFacts),
  explained(machine.NodeHealthy, machine.readNodeFacts),
  explained(machine.BootstrapConfigReady, machine.readMachineFacts),
  explained(machine.InfrastructureReady, machine.readMachineFacts),
  explained(machine.Updating, machine.readMachineFacts),
  explained(machine.Deleting, machine.readMachineFacts),
  explained(machine.Ready, machine.readReadyFacts),
  explained(machine.Available, machine.readAvailableFacts),
];

/** Every condition that the program judges. */
export const allTables: readonly ConditionTable<never>[] = explainedTables.map(({ table }) => table);

function explained<Facts, Reason extends string, Id extends string>(
  table: ConditionTable<Facts, Reason, Id>,
  readFacts: (value: unknown) => Facts,
): ExplainedTable {
  return { table, explain: (facts, spelling) => explain(table, readFacts(facts), spelling) };
}
