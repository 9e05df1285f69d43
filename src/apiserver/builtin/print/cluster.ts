import { type Json, type KubeObject } from "#machinery";
import { isSet, listAt, numberAt, objectAt, textAt, textsAt } from "../object-fields.ts";
import { type Cells, count, countAt, firstThree, flag, lengthOf, none, text, textOr } from "./cell.ts";
import { targetsText } from "./autoscaler.ts";

const unset = "<unset>";
const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: "RWO",
  ReadOnlyMany: "ROX",
  ReadWriteMany: "RWX",
  ReadWriteOncePod: "RWOP",
};

/** Kinds of storage, networks and scheduling, by resource. */
export const clusterCells: Readonly<Record<string, Cells>> = {
  persistentvolumes: {
    Capacity: text("spec", "capacity", "storage"),
    "Access Modes": (volume) => accessModes(textsAt(volume, "spec", "accessModes")),
    "Reclaim Policy": text("spec", "persistentVolumeReclaimPolicy"),
    Status: phase,
    Claim: (volume) =>
      isSet(volume, "spec", "claimRef")
        ? `${textAt(volume, "spec", "claimRef", "namespace")}/${textAt(volume, "spec", "claimRef", "name")}`
        : "",
    StorageClass: text("spec", "storageClassName"),
    VolumeAttributesClass: textOr(unset, "spec", "volumeAttributesClassName"),
    Reason: text("status", "reason"),
    VolumeMode: textOr(unset, "spec", "volumeMode"),
  },
  persistentvolumeclaims: {
    Status: phase,
    Volume: text("spec", "volumeName"),
    Capacity: (claim) => (isBound(claim) ? textAt(claim, "status", "capacity", "storage") || "0" : ""),
    "Access Modes": (claim) => (isBound(claim) ? accessModes(textsAt(claim, "status", "accessModes")) : ""),
    StorageClass: text("spec", "storageClassName"),
    VolumeAttributesClass: textOr(unset, "spec", "volumeAttributesClassName"),
    VolumeMode: textOr(unset, "spec", "volumeMode"),
  },
  "storageclasses.storage.k8s.io": {
    Name: (storage) => {
      const chosen = storage.metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true";
      return `${storage.metadata.name ?? ""}${chosen ? " (default)" : ""}`;
    },
    Provisioner: text("provisioner"),
    ReclaimPolicy: textOr("Delete", "reclaimPolicy"),
    VolumeBindingMode: textOr("Immediate", "volumeBindingMode"),
    AllowVolumeExpansion: flag("allowVolumeExpansion"),
  },
  "csidrivers.storage.k8s.io": {
    AttachRequired: flag("spec", "attachRequired"),
    PodInfoOnMount: flag("spec", "podInfoOnMount"),
    StorageCapacity: flag("spec", "storageCapacity"),
    TokenRequests: (driver) => listText(listAt(driver, "spec", "tokenRequests"), "audience") || unset,
    RequiresRepublish: flag("spec", "requiresRepublish"),
    Modes: (driver) => textsAt(driver, "spec", "volumeLifecycleModes").join(",") || none,
  },
  "csinodes.storage.k8s.io": { Drivers: lengthOf("spec", "drivers") },
  "volumeattachments.storage.k8s.io": {
    Attacher: text("spec", "attacher"),
    PV: text("spec", "source", "persistentVolumeName"),
    Node: text("spec", "nodeName"),
    Attached: flag("status", "attached"),
  },
  "volumeattributesclasses.storage.k8s.io": { DriverName: text("driverName") },
  "priorityclasses.scheduling.k8s.io": {
    Value: count("value"),
    "Global-Default": flag("globalDefault"),
    PreemptionPolicy: text("preemptionPolicy"),
  },
  "runtimeclasses.node.k8s.io": { Handler: text("handler") },
  "ingresses.networking.k8s.io": {
    Class: textOr(none, "spec", "ingressClassName"),
    Hosts: ingressHosts,
    Address: (ingress) =>
      listAt(ingress, "status", "loadBalancer", "ingress")
        .map((each) => textAt(each, "ip") || textAt(each, "hostname"))
        .join(","),
    Ports: (ingress) => (listAt(ingress, "spec", "tls").length > 0 ? "80, 443" : "80"),
  },
  "ingressclasses.networking.k8s.io": { Controller: text("spec", "controller"), Parameters: classParameters },
  "ipaddresses.networking.k8s.io": { ParentRef: parentText },
  "servicecidrs.networking.k8s.io": { CIDRs: (range) => textsAt(range, "spec", "cidrs").join(",") },
  "endpointslices.discovery.k8s.io": {
    AddressType: text("addressType"),
    Ports: slicePorts,
    Endpoints: (slice) => {
      const addresses = listAt(slice, "endpoints").flatMap((each) => textsAt(each, "addresses"));
      return addresses.length === 0 ? unset : firstThree(addresses, (more) => ` + ${more} more...`);
    },
  },
  "horizontalpodautoscalers.autoscaling": {
    Reference: (scaler) =>
      `${textAt(scaler, "spec", "scaleTargetRef", "kind")}/${textAt(scaler, "spec", "scaleTargetRef", "name")}`,
    Targets: targetsText,
    MinPods: (scaler) => String(numberAt(scaler, "spec", "minReplicas") ?? unset),
    MaxPods: count("spec", "maxReplicas"),
    Replicas: count("status", "currentReplicas"),
  },
  "resourceclaims.resource.k8s.io": { State: claimState },
  "resourceslices.resource.k8s.io": {
    Node: text("spec", "nodeName"),
    Driver: text("spec", "driver"),
    Pool: text("spec", "pool", "name"),
  },
};

function accessModes(given: readonly string[]): string {
  const present = new Set(given);
  return Object.keys(modes)
    .filter((mode) => present.has(mode))
    .map((mode) => modes[mode])
    .join(",");
}

function phase(object: KubeObject): string {
  return object.metadata.deletionTimestamp === undefined ? textAt(object, "status", "phase") : "Terminating";
}

function isBound(claim: KubeObject): boolean {
  return textAt(claim, "spec", "volumeName") !== "";
}

function listText(list: readonly Json[], field: string): string {
  return list.map((each) => textAt(each, field)).join(",");
}

function ingressHosts(ingress: KubeObject): string {
  const hosts = listAt(ingress, "spec", "rules")
    .map((rule) => textAt(rule, "host"))
    .filter((host) => host !== "");
  return hosts.length === 0 ? "*" : firstThree(hosts, (more) => ` + ${more} more...`);
}

function classParameters(ingressClass: KubeObject): string {
  if (!isSet(ingressClass, "spec", "parameters")) return none;
  const parameters = objectAt(ingressClass, "spec", "parameters");
  const group = textAt(parameters, "apiGroup");
  return `${textAt(parameters, "kind")}${group === "" ? "" : `.${group}`}/${textAt(parameters, "name")}`;
}

function parentText(address: KubeObject): string {
  const parent = objectAt(address, "spec", "parentRef");
  const [group, resource] = [textAt(parent, "group"), textAt(parent, "resource")];
  const parts = [group === "" ? resource : `${resource}.${group}`, textAt(parent, "namespace"), textAt(parent, "name")];
  return parts.filter((part) => part !== "").join("/");
}

function slicePorts(slice: KubeObject): string {
  const ports = listAt(slice, "ports");
  if (ports.length === 0) return unset;
  const shown = ports.map((port) => String(countAt(port, "port") || "*"));
  return firstThree(shown, (more) => ` + ${more} more...`);
}

function claimState(claim: KubeObject): string {
  const states = [
    claim.metadata.deletionTimestamp === undefined ? "" : "deleted",
    isSet(claim, "status", "allocation") ? "allocated" : "",
    listAt(claim, "status", "reservedFor").length > 0 ? "reserved" : "",
  ].filter((state) => state !== "");
  return states.length === 0 ? "pending" : states.join(",");
}
