import { isJsonObject, type Json, type JsonObject } from "#machinery";
import { listAt, objectAt, textAt, textsAt, without } from "../object-fields.ts";
import type { TypeDefaults } from "./defaults-by-type.ts";
import { filled, isLacking } from "./filled.ts";

const readable = 0o644;
const clientAffinitySeconds = 10_800;

/** Defaults of the core group. */
export const coreDefaults: Readonly<Record<string, TypeDefaults>> = {
  "core/v1.Namespace": namedByLabel,
  "core/v1.NamespaceStatus": { phase: "Active" },
  "core/v1.Secret": (secret) => filled(foldedStringData(secret), { type: "Opaque" }),

  "core/v1.Pod": pod,
  "core/v1.PodSpec": podSpec,
  "core/v1.PodStatus": (status) => withAddress(withAddress(status, "podIP"), "hostIP"),
  "core/v1.Container": container,
  "core/v1.EphemeralContainer": container,
  "core/v1.Probe": { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 },
  "core/v1.HTTPGetAction": { path: "/", scheme: "HTTP" },
  "core/v1.ObjectFieldSelector": { apiVersion: "v1" },
  "core/v1.Volume": volume,
  "core/v1.SecretVolumeSource": { defaultMode: readable },
  "core/v1.ConfigMapVolumeSource": { defaultMode: readable },
  "core/v1.DownwardAPIVolumeSource": { defaultMode: readable },
  "core/v1.ProjectedVolumeSource": { defaultMode: readable },
  "core/v1.ServiceAccountTokenProjection": { expirationSeconds: 3600 },
  "core/v1.HostPathVolumeSource": (source) => (Object.hasOwn(source, "type") ? source : { ...source, type: "" }),

  "core/v1.Service": service,
  "core/v1.ServicePort": (port) => (isUnset(port["targetPort"]) ? { ...port, targetPort: port["port"] ?? 0 } : port),
  "core/v1.EndpointPort": { protocol: "TCP" },

  "core/v1.NodeSpec": podRanges,
  "core/v1.NodeStatus": (status) => {
    const { capacity } = status;
    return capacity === undefined ? status : filled(status, { allocatable: capacity });
  },
  "core/v1.PersistentVolumeSpec": { persistentVolumeReclaimPolicy: "Retain", volumeMode: "Filesystem" },
  "core/v1.PersistentVolumeStatus": { phase: "Pending" },
  "core/v1.PersistentVolumeClaimSpec": { volumeMode: "Filesystem" },
  "core/v1.PersistentVolumeClaimStatus": { phase: "Pending" },
  "core/v1.LimitRangeItem": limitRangeItem,
  "core/v1.ReplicationController": replicationController,
};

/** The label by which selectors can pick a namespace by its name; a name that is yet to be generated gets it later. */
function namedByLabel(namespace: JsonObject): JsonObject {
  const metadata = objectAt(namespace, "metadata");
  const name = textAt(metadata, "name");
  const labels = objectAt(metadata, "labels");
  if (name === "" || labels["kubernetes.io/metadata.name"] === name) return namespace;
  return { ...namespace, metadata: { ...metadata, labels: { ...labels, "kubernetes.io/metadata.name": name } } };
}

/** stringData is a convenience for writers: it is never kept. */
function foldedStringData(secret: JsonObject): JsonObject {
  const given = objectAt(secret, "stringData");
  const rest = without(secret, "stringData");
  const keys = Object.keys(given);
  if (keys.length === 0) return rest;
  const encoded = keys.map((key) => [key, Buffer.from(textAt(given, key)).toString("base64")] as const);
  return { ...rest, data: { ...objectAt(secret, "data"), ...Object.fromEntries(encoded) } };
}

function pod(object: JsonObject): JsonObject {
  const spec = filled(objectAt(object, "spec"), { enableServiceLinks: true });
  const requested = withContainers(spec, requestsFromLimits);
  return { ...object, spec: spec["hostNetwork"] === true ? withContainers(requested, hostPorts) : requested };
}

function podSpec(spec: JsonObject): JsonObject {
  const account = textAt(spec, "serviceAccountName") || textAt(spec, "serviceAccount");
  // Its old name says the same, for those who still read it.
  const named = account === "" ? spec : { ...spec, serviceAccountName: account, serviceAccount: account };
  return filled(named, {
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: "default-scheduler",
  });
}

function withContainers(spec: JsonObject, change: (container: JsonObject) => JsonObject): JsonObject {
  const lists = ["containers", "initContainers"].filter((name) => listAt(spec, name).length > 0);
  const changed = lists.map((name) => [name, listAt(spec, name).map((each) => ifObject(each, change))] as const);
  return { ...spec, ...Object.fromEntries(changed) };
}

function requestsFromLimits(object: JsonObject): JsonObject {
  const resources = objectAt(object, "resources");
  if (Object.keys(objectAt(resources, "limits")).length === 0) return object;
  const requests = { ...objectAt(resources, "limits"), ...objectAt(resources, "requests") };
  return { ...object, resources: { ...resources, requests } };
}

function hostPorts(object: JsonObject): JsonObject {
  const ports = listAt(object, "ports");
  if (ports.length === 0) return object;
  return { ...object, ports: ports.map((port) => ifObject(port, hostPort)) };
}

function hostPort(port: JsonObject): JsonObject {
  return filled(port, { hostPort: port["containerPort"] ?? 0 });
}

function container(object: JsonObject): JsonObject {
  return filled(object, {
    imagePullPolicy: isLatest(textAt(object, "image")) ? "Always" : "IfNotPresent",
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  });
}

/** An image without a tag is the latest one, unless a digest pins it. */
function isLatest(image: string): boolean {
  if (image.includes("@")) return false;
  const tag = /:([^/:]*)$/.exec(image)?.[1];
  return tag === undefined || tag === "latest";
}

function volume(object: JsonObject): JsonObject {
  const source = Object.keys(object).some((name) => name !== "name");
  return source ? object : { ...object, emptyDir: {} };
}

function service(object: JsonObject): JsonObject {
  const given = filled(objectAt(object, "spec"), { sessionAffinity: "None", type: "ClusterIP" });
  const type = textAt(given, "type");
  const external = type === "NodePort" || type === "LoadBalancer";
  const reachable = external || (type === "ClusterIP" && listAt(given, "externalIPs").length > 0);
  return {
    ...object,
    spec: filled(withAffinityConfig(given), {
      ...(reachable ? { externalTrafficPolicy: "Cluster" } : {}),
      ...(external || type === "ClusterIP" ? { internalTrafficPolicy: "Cluster" } : {}),
      ...(type === "LoadBalancer" ? { allocateLoadBalancerNodePorts: true } : {}),
    }),
  };
}

function withAffinityConfig(spec: JsonObject): JsonObject {
  if (spec["sessionAffinity"] === "None") return without(spec, "sessionAffinityConfig");
  const timeout = objectAt(spec, "sessionAffinityConfig", "clientIP")["timeoutSeconds"];
  if (spec["sessionAffinity"] !== "ClientIP" || !isLacking(timeout)) return spec;
  return { ...spec, sessionAffinityConfig: { clientIP: { timeoutSeconds: clientAffinitySeconds } } };
}

/** The range of pod addresses is the first of the ranges, and there are ranges where there is one. */
function podRanges(spec: JsonObject): JsonObject {
  const ranges = textsAt(spec, "podCIDRs");
  const single = textAt(spec, "podCIDR") || (ranges[0] ?? "");
  return single === "" ? spec : { ...spec, podCIDR: single, podCIDRs: ranges.length === 0 ? [single] : ranges };
}

/** The address is the first of the addresses, and there are addresses where there is one. */
function withAddress(status: JsonObject, field: "podIP" | "hostIP"): JsonObject {
  const all = listAt(status, `${field}s`);
  const single = textAt(status, field) || textAt(all[0] ?? null, "ip");
  return single === ""
    ? status
    : { ...status, [field]: single, [`${field}s`]: all.length === 0 ? [{ ip: single }] : all };
}

function limitRangeItem(item: JsonObject): JsonObject {
  if (item["type"] !== "Container") return item;
  const limits = { ...objectAt(item, "max"), ...objectAt(item, "default") };
  const requests = { ...objectAt(item, "min"), ...limits, ...objectAt(item, "defaultRequest") };
  return {
    ...item,
    ...(Object.keys(limits).length === 0 ? {} : { default: limits }),
    ...(Object.keys(requests).length === 0 ? {} : { defaultRequest: requests }),
  };
}

function replicationController(object: JsonObject): JsonObject {
  const labels = objectAt(object, "spec", "template", "metadata", "labels");
  if (Object.keys(labels).length === 0) return object;
  const spec = objectAt(object, "spec");
  const metadata = objectAt(object, "metadata");
  const bare = Object.keys(objectAt(metadata, "labels")).length === 0;
  const selectsNothing = Object.keys(objectAt(spec, "selector")).length === 0;
  return {
    ...object,
    ...(selectsNothing ? { spec: { ...spec, selector: labels } } : {}),
    ...(bare ? { metadata: { ...metadata, labels } } : {}),
  };
}

function isUnset(value: Json | undefined): boolean {
  return isLacking(value) || value === 0;
}

function ifObject(value: Json, change: (object: JsonObject) => JsonObject): Json {
  return isJsonObject(value) ? change(value) : value;
}
