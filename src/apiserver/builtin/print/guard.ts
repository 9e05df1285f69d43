import { fieldAt, humanDuration, type Json, type KubeObject } from "#machinery";
import { isSet, listAt, numberAt, objectAt, textAt } from "../object-fields.ts";
import { type Cell, type Cells, count, countAt, lengthOf, none, selectorText, text, textOr } from "./cell.ts";

const unset = "<unset>";

/** Kinds that say who may do what, and what is to be kept to, by resource. */
export const guardCells: Readonly<Record<string, Cells>> = {
  "leases.coordination.k8s.io": { Holder: text("spec", "holderIdentity") },
  "rolebindings.rbac.authorization.k8s.io": bindingCells(),
  "clusterrolebindings.rbac.authorization.k8s.io": bindingCells(),
  "mutatingwebhookconfigurations.admissionregistration.k8s.io": { Webhooks: lengthOf("webhooks") },
  "validatingwebhookconfigurations.admissionregistration.k8s.io": { Webhooks: lengthOf("webhooks") },
  "validatingadmissionpolicies.admissionregistration.k8s.io": {
    Validations: lengthOf("spec", "validations"),
    ParamKind: (policy) => {
      const kind = textAt(policy, "spec", "paramKind", "kind");
      return kind === "" ? unset : `${textAt(policy, "spec", "paramKind", "apiVersion")}/${kind}`;
    },
  },
  "validatingadmissionpolicybindings.admissionregistration.k8s.io": {
    PolicyName: text("spec", "policyName"),
    ParamRef: parameterReference,
  },
  "apiservices.apiregistration.k8s.io": { Service: backingService, Available: availability },
  "certificatesigningrequests.certificates.k8s.io": {
    SignerName: textOr(none, "spec", "signerName"),
    Requestor: text("spec", "username"),
    RequestedDuration: (request) => {
      const seconds = numberAt(request, "spec", "expirationSeconds");
      return seconds === undefined ? none : humanDuration(seconds * 1000);
    },
    Condition: requestCondition,
  },
  "poddisruptionbudgets.policy": {
    "Min Available": amountOr("N/A", "minAvailable"),
    "Max Unavailable": amountOr("N/A", "maxUnavailable"),
    "Allowed Disruptions": count("status", "disruptionsAllowed"),
  },
  "networkpolicies.networking.k8s.io": {
    "Pod-Selector": (policy) => selectorText(objectAt(policy, "spec", "podSelector")),
  },
  "flowschemas.flowcontrol.apiserver.k8s.io": {
    PriorityLevel: textOr(none, "spec", "priorityLevelConfiguration", "name"),
    MatchingPrecedence: count("spec", "matchingPrecedence"),
    DistinguisherMethod: textOr(none, "spec", "distinguisherMethod", "type"),
    MissingPL: (schema) => conditionStatus(schema, "Dangling") || "?",
  },
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io": {
    Type: text("spec", "type"),
    NominalConcurrencyShares: (level) => {
      const part = textAt(level, "spec", "type") === "Exempt" ? "exempt" : "limited";
      return numberOrNone(level, "spec", part, "nominalConcurrencyShares");
    },
    Queues: (level) => numberOrNone(level, "spec", "limited", "limitResponse", "queuing", "queues"),
    HandSize: (level) => numberOrNone(level, "spec", "limited", "limitResponse", "queuing", "handSize"),
    QueueLengthLimit: (level) => numberOrNone(level, "spec", "limited", "limitResponse", "queuing", "queueLengthLimit"),
  },
};

function bindingCells(): Cells {
  return {
    Role: (binding) => `${textAt(binding, "roleRef", "kind")}/${textAt(binding, "roleRef", "name")}`,
    Users: subjects("User"),
    Groups: subjects("Group"),
    ServiceAccounts: subjects("ServiceAccount"),
  };
}

function subjects(kind: string): Cell {
  return (binding) =>
    listAt(binding, "subjects")
      .filter((subject) => textAt(subject, "kind") === kind)
      .map((subject) =>
        kind === "ServiceAccount"
          ? `${textAt(subject, "namespace")}/${textAt(subject, "name")}`
          : textAt(subject, "name"),
      )
      .join(", ");
}

function parameterReference(binding: KubeObject): string {
  if (!isSet(binding, "spec", "paramRef")) return unset;
  const reference = objectAt(binding, "spec", "paramRef");
  const name = textAt(reference, "name");
  if (name === "") return unset;
  const namespace = textAt(reference, "namespace");
  return namespace === "" ? `*/${name}` : `${namespace}/${name}`;
}

function backingService(service: KubeObject): string {
  if (!isSet(service, "spec", "service")) return "Local";
  return `${textAt(service, "spec", "service", "namespace")}/${textAt(service, "spec", "service", "name")}`;
}

function availability(service: KubeObject): string {
  const condition = listAt(service, "status", "conditions").find((each) => textAt(each, "type") === "Available");
  if (condition === undefined) return "Unknown";
  const status = textAt(condition, "status");
  return status === "True" ? status : `${status} (${textAt(condition, "reason")})`;
}

function requestCondition(request: KubeObject): string {
  const types = new Set(listAt(request, "status", "conditions").map((each) => textAt(each, "type")));
  const decision = types.has("Denied") ? "Denied" : types.has("Approved") ? "Approved" : "Pending";
  const failed = types.has("Failed") ? ",Failed" : "";
  return `${decision}${failed}${textAt(request, "status", "certificate") === "" ? "" : ",Issued"}`;
}

function amountOr(otherwise: string, field: string): Cell {
  return (budget) => {
    const amount = objectAt(budget, "spec")[field];
    return typeof amount === "string" || typeof amount === "number" ? String(amount) : otherwise;
  };
}

function conditionStatus(object: KubeObject, type: string): string {
  const condition = listAt(object, "status", "conditions").find((each) => textAt(each, "type") === type);
  return textAt(condition ?? null, "status");
}

function numberOrNone(object: KubeObject, ...path: readonly string[]): Json {
  return fieldAt(object, ...path) === undefined ? none : countAt(object, ...path);
}
