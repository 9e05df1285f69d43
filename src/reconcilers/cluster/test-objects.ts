import type { Cluster, Machine, MachineDeployment, MachinePool, MachineSet } from "#api";
import type { Timestamp } from "#base";
import type { Condition } from "#conditions";
import type { ObjectMeta } from "#machinery";
import type { Descendants } from "./descendant-facts.ts";
import { aMinuteAgo } from "./test-facts.ts";

const apiVersion = "cluster.x-k8s.io/v1beta2" as const;
const template = {
  spec: { clusterName: "c1", bootstrap: {}, infrastructureRef: { apiGroup: "g", kind: "K", name: "n" } },
};

/** The Cluster of these tests. */
export const cluster: Cluster = {
  apiVersion,
  kind: "Cluster",
  metadata: { namespace: "default", name: "c1", uid: "1" },
  spec: {},
};

/** For what the Cluster itself owns. */
export const ownedByCluster: ObjectMeta = {
  ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", name: "c1", uid: "1" }],
};

/** No objects but these. */
export function only(some: Partial<Descendants>): Descendants {
  return { machineDeployments: [], machineSets: [], machinePools: [], machines: [], ...some };
}

/** What an object says of itself besides its name. */
interface Saying extends ObjectMeta {
  readonly replicas?: number;
  readonly status?: object;
  readonly conditions?: readonly (Partial<Condition> & Pick<Condition, "type">)[];
}

/** A Machine of the workers. */
export function aMachine(name: string, { conditions = [], ...metadata }: Saying = {}): Machine {
  const status = { conditions: conditions.map(whole) };
  return { apiVersion, kind: "Machine", metadata: { name, ...metadata }, spec: template.spec, status };
}

/** A Machine of the control plane. */
export function aControlPlaneMachine(name: string, saying: Saying = {}): Machine {
  return aMachine(name, { ...saying, labels: { "cluster.x-k8s.io/control-plane": "" } });
}

/** A MachineSet. */
export function aMachineSet(name: string, saying: Saying = {}): MachineSet {
  return { ...aGroup(name, saying), kind: "MachineSet" };
}

/** A MachineDeployment. */
export function aMachineDeployment(name: string, saying: Saying = {}): MachineDeployment {
  return { ...aGroup(name, saying), kind: "MachineDeployment" };
}

/** A MachinePool. */
export function aMachinePool(name: string, saying: Saying = {}): MachinePool {
  return { ...aGroup(name, saying), kind: "MachinePool" };
}

function aGroup(name: string, { conditions = [], replicas, status = {}, ...metadata }: Saying) {
  return {
    apiVersion,
    metadata: { name, ...metadata },
    spec: { clusterName: "c1", selector: {}, template, ...(replicas === undefined ? {} : { replicas }) },
    status: { ...status, conditions: conditions.map(whole) },
  };
}

function whole(
  condition: Partial<Condition> & Pick<Condition, "type">,
): Condition & { readonly lastTransitionTime: Timestamp } {
  return { status: "True", reason: "Because", message: "", lastTransitionTime: aMinuteAgo, ...condition };
}
