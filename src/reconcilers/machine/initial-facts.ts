import type { Machine } from "#api";
import { hasCondition } from "#conditions";
import type { Given } from "#control";
import { keyOf } from "#machinery";
import { clusterKeyOf } from "./cluster-of-machine.ts";
import type { MachineFacts } from "./machine-facts.ts";
import type { MachinePorts } from "./ports.ts";

/** What is known of a Machine before anything else is looked at. */
export function initialFacts(machine: Machine, { now, ports }: Given<MachinePorts>): MachineFacts {
  const { metadata, spec, status } = machine;
  const deleting = metadata.deletionTimestamp !== undefined;
  const nodeName = status?.nodeRef?.name ?? "";
  const providerID = spec.providerID ?? "";
  return {
    now,
    gracePeriod: ports.remoteConditionsGracePeriod,
    cluster: { infrastructureProvisioned: false, controlPlaneInitialized: { kind: "pending" } },
    connection: ports.workload.healthOf(clusterKeyOf(machine)),
    machine: {
      deleting,
      infrastructureKind: spec.infrastructureRef.kind,
      nodeConditionsReported: hasCondition(machine, "NodeReady") && hasCondition(machine, "NodeHealthy"),
      ...(nodeName === "" ? {} : { nodeName }),
      ...(providerID === "" ? {} : { providerID }),
    },
    node: { kind: "failed", error: `the Node of Machine ${keyOf(machine).name} has not been looked for` },
    bootstrap: {
      config: { kind: "unreferenced" },
      dataSecretCreated: status?.initialization?.bootstrapDataSecretCreated ?? false,
    },
    infrastructure: {
      object: { kind: "unreferenced" },
      provisioned: status?.initialization?.infrastructureProvisioned ?? false,
    },
    update: { kind: "none" },
    deletion: deleting ? { kind: "not-looked" } : { kind: "not-deleting" },
  };
}
