import { numberAt, objectAt } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";
import { pathNames } from "./names.ts";

const counted: KindRules = { behaviour: { countsGenerations: true } };
const guarded: KindRules = { behaviour: { unconditionalUpdate: false } };
const countedAndGuarded: KindRules = { behaviour: { countsGenerations: true, unconditionalUpdate: false } };
const createdByUpdate: KindRules = { behaviour: { createOnUpdate: true } };

const replicas = {
  specReplicasPath: ".spec.replicas",
  statusReplicasPath: ".status.replicas",
  labelSelectorPath: ".spec.selector",
};

/** Kinds that are kept for others to read: what sets them apart is a line each. */
export const inertRules: Readonly<Record<string, KindRules>> = {
  nodes: {
    selectableFields: ["spec.unschedulable"],
    behaviour: {
      selectableValue: (node, field) =>
        field === "spec.unschedulable" ? String(objectAt(node, "spec")["unschedulable"] === true) : undefined,
    },
  },
  endpoints: {
    ...createdByUpdate,
    deprecationWarning: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  },
  limitranges: createdByUpdate,
  podtemplates: counted,
  replicationcontrollers: { ...counted, scale: replicas, selectableFields: ["status.replicas"] },
  "jobs.batch": {
    selectableFields: ["status.successful"],
    behaviour: {
      countsGenerations: true,
      // The field is called otherwise than what it selects by.
      selectableValue: (job, field) =>
        field === "status.successful" ? String(numberAt(job, "status", "succeeded") ?? 0) : undefined,
    },
  },
  "cronjobs.batch": counted,
  "certificatesigningrequests.certificates.k8s.io": {
    behaviour: { nameProblems: pathNames },
    selectableFields: ["spec.signerName"],
  },
  "endpointslices.discovery.k8s.io": counted,
  "flowschemas.flowcontrol.apiserver.k8s.io": counted,
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": counted,
  "ingresses.networking.k8s.io": counted,
  "ingressclasses.networking.k8s.io": counted,
  "networkpolicies.networking.k8s.io": counted,
  "priorityclasses.scheduling.k8s.io": counted,
  "runtimeclasses.node.k8s.io": { behaviour: { createOnUpdate: true, unconditionalUpdate: false } },
  "deviceclasses.resource.k8s.io": counted,
  "resourceslices.resource.k8s.io": { ...counted, selectableFields: ["spec.nodeName", "spec.driver"] },
  "csidrivers.storage.k8s.io": guarded,
  "csinodes.storage.k8s.io": guarded,
  "csistoragecapacities.storage.k8s.io": guarded,
  "volumeattachments.storage.k8s.io": guarded,
  "validatingadmissionpolicies.admissionregistration.k8s.io": countedAndGuarded,
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": countedAndGuarded,
  "apiservices.apiregistration.k8s.io": guarded,
};
