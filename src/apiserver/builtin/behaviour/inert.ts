import { type FieldError, FieldPath, invalid, type KubeObject } from "#machinery";
import { isSet, listAt, numberAt, objectAt, textAt } from "../object-fields.ts";
import { among, checked, closed, fixed, needs, spelled } from "./checks.ts";
import type { KindRules } from "./kind-rules.ts";
import { labelNames, pathNames } from "./names.ts";
import { podSpecProblems } from "./pod.ts";

const counted = { countsGenerations: true } as const;
const guarded = { unconditionalUpdate: false } as const;
const noItems = "validations or auditAnnotations must contain at least one item";

/** Kinds that are kept for others to read: what sets them apart is a few lines each. */
export const inertRules: Readonly<Record<string, KindRules>> = {
  nodes: {
    selectableFields: ["spec.unschedulable"],
    behaviour: {
      selectableValue: (node, field) =>
        field === "spec.unschedulable" ? String(objectAt(node, "spec")["unschedulable"] === true) : undefined,
    },
  },
  endpoints: {
    behaviour: { createOnUpdate: true },
    deprecationWarning: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
  },
  limitranges: { behaviour: { createOnUpdate: true } },
  podtemplates: {
    behaviour: {
      ...counted,
      ...checked([(object) => podSpecProblems(objectAt(object, "template", "spec"), FieldPath.of("template", "spec"))]),
    },
  },
  replicationcontrollers: {
    behaviour: { ...counted, ...checked([needs("spec.selector"), needs("spec.template")]) },
    scale: {
      specReplicasPath: ".spec.replicas",
      statusReplicasPath: ".status.replicas",
      labelSelectorPath: ".spec.selector",
    },
    selectableFields: ["status.replicas"],
  },
  "controllerrevisions.apps": { behaviour: checked([needs("data", "data is mandatory")], [fixed("data")]) },
  "horizontalpodautoscalers.autoscaling": { behaviour: checked([boundsProblems, targetProblems]) },
  "certificatesigningrequests.certificates.k8s.io": {
    behaviour: {
      nameProblems: pathNames,
      ...checked(
        [requestProblems, needs("spec.usages"), needs("spec.signerName")],
        [fixed("spec.request"), fixed("spec.usages"), fixed("spec.signerName")],
      ),
    },
    selectableFields: ["spec.signerName"],
  },
  "endpointslices.discovery.k8s.io": {
    behaviour: { ...counted, ...checked([needs("addressType")], [fixed("addressType")]) },
  },
  "flowschemas.flowcontrol.apiserver.k8s.io": {
    behaviour: {
      ...counted,
      ...checked([needs("spec.priorityLevelConfiguration.name", "must reference a priority level")]),
    },
  },
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": {
    behaviour: { ...counted, ...checked([among("spec.type", ["Exempt", "Limited"])]) },
  },
  "ingresses.networking.k8s.io": { behaviour: { ...counted, ...checked([backendProblems]) } },
  "ingressclasses.networking.k8s.io": {
    behaviour: { ...counted, ...checked([needs("spec.controller")], [fixed("spec.controller")]) },
  },
  "networkpolicies.networking.k8s.io": { behaviour: counted },
  "priorityclasses.scheduling.k8s.io": {
    behaviour: {
      ...counted,
      ...checked([], [closed("value", "may not be changed in an update."), fixed("preemptionPolicy")]),
    },
  },
  "runtimeclasses.node.k8s.io": {
    behaviour: {
      createOnUpdate: true,
      ...guarded,
      ...checked([spelled("handler", (text) => labelNames(text, false))], [fixed("handler")]),
    },
  },
  "deviceclasses.resource.k8s.io": { behaviour: counted },
  "resourceslices.resource.k8s.io": { behaviour: counted, selectableFields: ["spec.nodeName", "spec.driver"] },
  "validatingadmissionpolicies.admissionregistration.k8s.io": {
    behaviour: { ...counted, ...guarded, ...checked([needs("spec.matchConstraints"), judgingProblems]) },
  },
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": {
    behaviour: {
      ...counted,
      ...guarded,
      ...checked([
        needs("spec.policyName"),
        needs("spec.validationActions", "at least one validation action is required"),
      ]),
    },
  },
  "apiservices.apiregistration.k8s.io": { behaviour: guarded },
};

function boundsProblems(scaler: KubeObject): readonly FieldError[] {
  const at = FieldPath.of("spec", "maxReplicas");
  const most = numberAt(scaler, "spec", "maxReplicas") ?? 0;
  const least = numberAt(scaler, "spec", "minReplicas") ?? 0;
  return [
    ...(most < 1 ? [invalid(at, most, "must be greater than 0")] : []),
    ...(most < least ? [invalid(at, most, "must be greater than or equal to `minReplicas`")] : []),
  ];
}

function targetProblems(scaler: KubeObject): readonly FieldError[] {
  const version = textAt(scaler, "spec", "scaleTargetRef", "apiVersion");
  const grouped = version !== "" || textAt(scaler, "spec", "scaleTargetRef", "kind") === "ReplicationController";
  const at = FieldPath.of("spec", "scaleTargetRef", "apiVersion");
  return [
    ...needs("spec.scaleTargetRef.kind")(scaler),
    ...needs("spec.scaleTargetRef.name")(scaler),
    ...(grouped ? [] : [invalid(at, version, "apiVersion must specify API group")]),
  ];
}

function requestProblems(request: KubeObject): readonly FieldError[] {
  const given = textAt(request, "spec", "request");
  const text = Buffer.from(given, "base64").toString("latin1");
  if (text.includes("-----BEGIN CERTIFICATE REQUEST-----")) return [];
  const shown = given === "" ? null : given;
  return [invalid(FieldPath.of("spec", "request"), shown, "PEM block type must be CERTIFICATE REQUEST")];
}

function backendProblems(ingress: KubeObject): readonly FieldError[] {
  const reachable = isSet(ingress, "spec", "defaultBackend") || listAt(ingress, "spec", "rules").length > 0;
  if (reachable) return [];
  return [invalid(FieldPath.of("spec"), null, "either `defaultBackend` or `rules` must be specified")];
}

function judgingProblems(policy: KubeObject): readonly FieldError[] {
  const judges = ["validations", "auditAnnotations"].some((name) => listAt(policy, "spec", name).length > 0);
  return judges
    ? []
    : [...needs("spec.validations", noItems)(policy), ...needs("spec.auditAnnotations", noItems)(policy)];
}
