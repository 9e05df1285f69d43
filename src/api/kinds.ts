import type { Kind } from "#machinery";
import { ClusterClass } from "./cluster-class/cluster-class.ts";
import { ClusterResourceSet, ClusterResourceSetBinding } from "./cluster-resource-set.ts";
import { Cluster } from "./cluster/cluster.ts";
import { DevCluster, DevClusterTemplate } from "./dev-cluster.ts";
import { DevMachine, DevMachineTemplate } from "./dev-machine.ts";
import { ExtensionConfig } from "./extension-config.ts";
import { IPAddress, IPAddressClaim } from "./ip-address.ts";
import { MachineDeployment } from "./machine-deployment.ts";
import { MachineDrainRule } from "./machine-drain-rule.ts";
import { MachineHealthCheck } from "./machine-health-check.ts";
import { MachinePool } from "./machine-pool.ts";
import { MachineSet } from "./machine-set.ts";
import { Machine } from "./machine.ts";

/** All kinds that are declared here. */
export const kinds: readonly Kind[] = [
  Cluster,
  ClusterClass,
  Machine,
  MachineSet,
  MachineDeployment,
  MachinePool,
  MachineHealthCheck,
  MachineDrainRule,
  ExtensionConfig,
  ClusterResourceSet,
  ClusterResourceSetBinding,
  IPAddress,
  IPAddressClaim,
  DevCluster,
  DevClusterTemplate,
  DevMachine,
  DevMachineTemplate,
];
