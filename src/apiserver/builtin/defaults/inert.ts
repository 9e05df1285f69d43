import { listAt } from "../object-fields.ts";
import type { TypeDefaults } from "./defaults-by-type.ts";
import { filled } from "./filled.ts";

/** Defaults of kinds that are kept for others to read. */
export const inertDefaults: Readonly<Record<string, TypeDefaults>> = {
  "networking/v1.NetworkPolicySpec": (spec) =>
    listAt(spec, "policyTypes").length > 0
      ? spec
      : { ...spec, policyTypes: ["Ingress", ...(listAt(spec, "egress").length > 0 ? ["Egress"] : [])] },
  "networking/v1.NetworkPolicyPort": { protocol: "TCP" },
  "networking/v1.IngressClassParametersReference": { scope: "Cluster" },
  "discovery/v1.EndpointPort": (port) =>
    filled(Object.hasOwn(port, "name") ? port : { ...port, name: "" }, { protocol: "TCP" }),
  "scheduling/v1.PriorityClass": { preemptionPolicy: "PreemptLowerPriority" },
  "storage/v1.StorageClass": { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" },
  "storage/v1.CSIDriverSpec": {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    requiresRepublish: false,
    seLinuxMount: false,
    fsGroupPolicy: "ReadWriteOnceWithFSType",
    volumeLifecycleModes: ["Persistent"],
  },
  "flowcontrol/v1.FlowSchemaSpec": (spec) => ({ ...spec, matchingPrecedence: spec["matchingPrecedence"] || 1000 }),
  "flowcontrol/v1.ExemptPriorityLevelConfiguration": { nominalConcurrencyShares: 0, lendablePercent: 0 },
  "flowcontrol/v1.LimitedPriorityLevelConfiguration": { nominalConcurrencyShares: 30, lendablePercent: 0 },
  "flowcontrol/v1.QueuingConfiguration": (queuing) => ({
    queues: queuing["queues"] || 64,
    handSize: queuing["handSize"] || 8,
    queueLengthLimit: queuing["queueLengthLimit"] || 50,
  }),
};
