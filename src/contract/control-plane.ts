import { fieldAt, metadataAt } from "./field-accessor.ts";
import { duration, flag, integer, listOf, oneOf, recordOf, text, time } from "./field-type.ts";
import { controlPlaneEndpoint, failureFields } from "./infrastructure.ts";

const machines = ["spec", "machineTemplate"] as const;

const reference = recordOf({ apiGroup: text, kind: text, name: text });
const versionedReference = recordOf({ apiVersion: text, kind: text, name: text, namespace: text });
const readinessGate = recordOf({ conditionType: text }, { polarity: oneOf(["Positive", "Negative"]) });
const taint = recordOf(
  {
    key: text,
    effect: oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
    propagation: oneOf(["Always", "OnInitialization"]),
  },
  { value: text },
);

/** The fields of a control plane. */
export const controlPlane = {
  version: fieldAt(["spec", "version"], text),
  statusVersion: fieldAt(["status", "version"], text),
  initialized: fieldAt(["status", "initialization", "controlPlaneInitialized"], flag, {
    path: ["status", "initialized"],
  }),
  controlPlaneEndpoint,
  rolloutAfter: fieldAt(["spec", "rollout", "after"], time),
  replicas: fieldAt(["spec", "replicas"], integer),
  statusReplicas: fieldAt(["status", "replicas"], integer),
  readyReplicas: fieldAt(["status", "readyReplicas"], integer),
  availableReplicas: fieldAt(["status", "availableReplicas"], integer),
  /** Contract v1beta1 counts those that are missing instead. */
  unavailableReplicas: fieldAt(["status", "unavailableReplicas"], integer),
  upToDateReplicas: fieldAt(["status", "upToDateReplicas"], integer, { path: ["status", "updatedReplicas"] }),
  selector: fieldAt(["status", "selector"], text),
  externalManagedControlPlane: fieldAt(["status", "externalManagedControlPlane"], flag),
  ...failureFields,
  machineTemplate: {
    metadata: metadataAt([...machines, "metadata"]),
    infrastructureRef: fieldAt([...machines, "spec", "infrastructureRef"], reference),
    /** Contract v1beta1 has a reference with a version of its own. */
    versionedInfrastructureRef: fieldAt([...machines, "infrastructureRef"], versionedReference),
    nodeDrainTimeoutSeconds: fieldAt([...machines, "spec", "deletion", "nodeDrainTimeoutSeconds"], integer),
    nodeVolumeDetachTimeoutSeconds: fieldAt(
      [...machines, "spec", "deletion", "nodeVolumeDetachTimeoutSeconds"],
      integer,
    ),
    nodeDeletionTimeoutSeconds: fieldAt([...machines, "spec", "deletion", "nodeDeletionTimeoutSeconds"], integer),
    /** Contract v1beta1 has lengths of time instead of seconds. */
    nodeDrainTimeout: fieldAt([...machines, "nodeDrainTimeout"], duration),
    nodeVolumeDetachTimeout: fieldAt([...machines, "nodeVolumeDetachTimeout"], duration),
    nodeDeletionTimeout: fieldAt([...machines, "nodeDeletionTimeout"], duration),
    readinessGates: fieldAt([...machines, "spec", "readinessGates"], listOf(readinessGate), {
      path: [...machines, "readinessGates"],
    }),
    taints: fieldAt([...machines, "spec", "taints"], listOf(taint), { path: [...machines, "taints"] }),
  },
} as const;

/** The fields of a template of control planes. */
export const controlPlaneTemplate = {
  metadata: metadataAt(["spec", "template", "metadata"]),
  machineTemplate: {
    metadata: metadataAt(["spec", "template", "spec", "machineTemplate", "metadata"]),
    nodeDrainTimeout: fieldAt(["spec", "template", "spec", "machineTemplate", "nodeDrainTimeout"], duration),
    nodeVolumeDetachTimeout: fieldAt(
      ["spec", "template", "spec", "machineTemplate", "nodeVolumeDetachTimeout"],
      duration,
    ),
    nodeDeletionTimeout: fieldAt(["spec", "template", "spec", "machineTemplate", "nodeDeletionTimeout"], duration),
  },
} as const;
