import type { Timestamp } from "#base";
import { createClient } from "#client";
import type { Transport } from "#machinery";
import type { WorkloadAccess } from "#reconcilers/machine";
import { ClusterNotConnectedError } from "#workload";
import type { ConnectionState } from "./known-facts.ts";
import { refusingAccess } from "./refusing-access.ts";
import type { NodeSight } from "./situation.ts";

/** What tables see of a connection, and which of it is not known. */
export interface ConnectionFacts {
  readonly facts: { readonly lastProbeSuccess?: Timestamp; readonly consecutiveFailures: number };
  readonly unknown: readonly string[];
}

/** What is known of a connection as facts. */
export function connectionFacts({ lastProbeSuccess, consecutiveFailures }: ConnectionState): ConnectionFacts {
  const isTime = lastProbeSuccess !== undefined && lastProbeSuccess !== "never";
  return {
    facts: { ...(isTime ? { lastProbeSuccess } : {}), consecutiveFailures: consecutiveFailures ?? 0 },
    unknown: [
      ...(lastProbeSuccess === undefined ? ["connection.lastProbeSuccess"] : []),
      ...(consecutiveFailures === undefined ? ["connection.consecutiveFailures"] : []),
    ],
  };
}

/** Observers only ask whether there is a client, and never use it. */
const refusingTransport: Transport = {
  get: refusingAccess,
  list: refusingAccess,
  watch: refusingAccess,
  create: refusingAccess,
  update: refusingAccess,
  patch: refusingAccess,
  apply: refusingAccess,
  delete: refusingAccess,
  deleteCollection: refusingAccess,
  discover: refusingAccess,
};
const refusingClient = createClient(refusingTransport);

/** Lets the reconciler of Machines look into a workload cluster, and at nothing else. */
export function workloadAccess(health: ConnectionFacts["facts"], sight: NodeSight): WorkloadAccess {
  return {
    healthOf: () => health,
    reader: () => {
      if (sight.kind !== "seen") throw new ClusterNotConnectedError();
      return sight.reader;
    },
    client: () => {
      if (sight.kind !== "seen") throw new ClusterNotConnectedError();
      return refusingClient;
    },
    watchNodes: refusingAccess,
  };
}
