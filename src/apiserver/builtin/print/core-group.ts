import { type Json, type KubeObject } from "#machinery";
import { isSet, listAt, numberAt, objectAt, textAt, textsAt } from "../object-fields.ts";
import {
  ageOf,
  type Cell,
  type Cells,
  countAt,
  firstThree,
  instantOf,
  labelsText,
  none,
  text,
  textOr,
} from "./cell.ts";
import { podCells } from "./pod.ts";

const unknown = "<unknown>";

/** Kinds of the core group, by resource. */
export const coreCells: Readonly<Record<string, Cells>> = {
  pods: podCells,
  namespaces: { Status: text("status", "phase") },
  secrets: { Type: text("type"), Data: (object) => sizeOf(object, "data") },
  configmaps: { Data: (object) => sizeOf(object, "data") + sizeOf(object, "binaryData") },
  services: {
    Type: text("spec", "type"),
    "Cluster-IP": (object) => textsAt(object, "spec", "clusterIPs")[0] ?? none,
    "External-IP": externalAddress,
    "Port(s)": servicePorts,
    Selector: (object) => labelsText(objectAt(object, "spec", "selector")),
  },
  endpoints: { Endpoints: endpointsText },
  nodes: {
    Status: nodeStatus,
    Roles: nodeRoles,
    Version: text("status", "nodeInfo", "kubeletVersion"),
    "Internal-IP": nodeAddress("InternalIP"),
    "External-IP": nodeAddress("ExternalIP"),
    "OS-Image": textOr(unknown, "status", "nodeInfo", "osImage"),
    "Kernel-Version": textOr(unknown, "status", "nodeInfo", "kernelVersion"),
    "Container-Runtime": textOr(unknown, "status", "nodeInfo", "containerRuntimeVersion"),
  },
  resourcequotas: { Request: (quota) => usage(quota, "requests"), Limit: (quota) => usage(quota, "limits") },
  events: eventCells(),
  "events.events.k8s.io": eventCells(),
};

function sizeOf(object: KubeObject, field: string): number {
  return Object.keys(objectAt(object, field)).length;
}

function externalAddress(service: KubeObject): string {
  const given = textsAt(service, "spec", "externalIPs");
  switch (textAt(service, "spec", "type")) {
    case "ClusterIP":
    case "NodePort":
      return given.length === 0 ? none : given.join(",");
    case "LoadBalancer": {
      const balancers = listAt(service, "status", "loadBalancer", "ingress").map(
        (each) => textAt(each, "ip") || textAt(each, "hostname"),
      );
      const all = [...new Set(balancers.toSorted()), ...given];
      return all.length === 0 ? "<pending>" : all.join(",");
    }
    case "ExternalName":
      return textAt(service, "spec", "externalName");
    default:
      return unknown;
  }
}

function servicePorts(service: KubeObject): string {
  const ports = listAt(service, "spec", "ports").map((port) => {
    const outside = countAt(port, "nodePort");
    return `${countAt(port, "port")}${outside === 0 ? "" : `:${outside}`}/${textAt(port, "protocol")}`;
  });
  return ports.length === 0 ? none : ports.join(",");
}

function endpointsText(endpoints: KubeObject): string {
  const found = listAt(endpoints, "subsets").flatMap((subset) => {
    const addresses = listAt(subset, "addresses").map((each) => textAt(each, "ip"));
    const ports = listAt(subset, "ports").map((each) => countAt(each, "port"));
    if (ports.length === 0) return addresses;
    return ports.flatMap((port) => addresses.map((ip) => (ip.includes(":") ? `[${ip}]:${port}` : `${ip}:${port}`)));
  });
  return found.length === 0 ? none : firstThree(found, (more) => ` + ${more} more...`);
}

function nodeStatus(node: KubeObject): string {
  const ready = listAt(node, "status", "conditions").find((each) => textAt(each, "type") === "Ready");
  const state = ready === undefined ? "Unknown" : textAt(ready, "status") === "True" ? "Ready" : "NotReady";
  return objectAt(node, "spec")["unschedulable"] === true ? `${state},SchedulingDisabled` : state;
}

function nodeRoles({ metadata }: KubeObject): string {
  const prefix = "node-role.kubernetes.io/";
  const roles = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(prefix) && key.length > prefix.length) return [key.slice(prefix.length)];
    return key === "kubernetes.io/role" && value !== "" ? [value] : [];
  });
  return roles.length === 0 ? none : [...new Set(roles)].toSorted().join(",");
}

function nodeAddress(type: string): Cell {
  return (node) => {
    const found = listAt(node, "status", "addresses").find((each) => textAt(each, "type") === type);
    return textAt(found ?? null, "address") || none;
  };
}

function usage(quota: KubeObject, side: "requests" | "limits"): string {
  const hard = objectAt(quota, "status", "hard");
  return Object.keys(hard)
    .toSorted()
    .filter((name) => name.startsWith("limits.") === (side === "limits"))
    .map((name) => `${name}: ${textAt(quota, "status", "used", name) || "0"}/${textAt(hard, name)}`)
    .join(", ");
}

function eventCells(): Cells {
  return {
    "Last Seen": lastSeen,
    Type: text("type"),
    Reason: text("reason"),
    Object: eventObject,
    Subobject: (event) => textAt(involved(event), "fieldPath"),
    Source: eventSource,
    Message: (event) => (textAt(event, "message") || textAt(event, "note")).trim(),
    "First Seen": firstSeen,
    Count: eventCount,
  };
}

function involved(event: KubeObject): Json {
  return isSet(event, "regarding") ? objectAt(event, "regarding") : objectAt(event, "involvedObject");
}

function firstSeen(event: KubeObject, now: number): string {
  const first = textAt(event, "firstTimestamp") || textAt(event, "deprecatedFirstTimestamp");
  return ageOf(first || textAt(event, "eventTime"), now);
}

function lastSeen(event: KubeObject, now: number): string {
  if (isSet(event, "series")) return ageOf(textAt(event, "series", "lastObservedTime"), now);
  const last = textAt(event, "lastTimestamp") || textAt(event, "deprecatedLastTimestamp");
  return instantOf(last) === undefined ? firstSeen(event, now) : ageOf(last, now);
}

function eventObject(event: KubeObject): string {
  const kind = textAt(involved(event), "kind").toLowerCase();
  const name = textAt(involved(event), "name");
  return name === "" ? kind : `${kind}/${name}`;
}

function eventSource(event: KubeObject): string {
  const source = isSet(event, "deprecatedSource") ? objectAt(event, "deprecatedSource") : objectAt(event, "source");
  const reporter = textAt(event, "reportingComponent") || textAt(event, "reportingController");
  const component = textAt(source, "component") || reporter;
  const host = textAt(source, "host") || textAt(event, "reportingInstance");
  return [component, host].filter((part) => part !== "").join(", ");
}

function eventCount(event: KubeObject): number {
  if (isSet(event, "series")) return countAt(event, "series", "count");
  return numberAt(event, "count") ?? numberAt(event, "deprecatedCount") ?? 1;
}
