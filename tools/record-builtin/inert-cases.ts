import { casesOf } from "./case.ts";

const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1024Mi" } } };

/** One or two of each kind that is kept for others to read. */
export const inertCases = [
  ...casesOf(
    "nodes",
    {},
    {
      "a node": {},
      "a node with a pod range": { spec: { podCIDR: "10.1.0.0/24" } },
    },
  ),
  ...casesOf(
    "persistentvolumes",
    {},
    {
      "a volume": { spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } } },
    },
  ),
  ...casesOf("persistentvolumeclaims", { spec: claim }, { "a claim": { spec: { storageClassName: "" } } }),
  ...casesOf("endpoints", {}, { endpoints: { subsets: [{ addresses: [{ ip: "10.9.8.7" }], ports: [{ port: 80 }] }] } }),
  ...casesOf(
    "limitranges",
    {},
    {
      "a range": {
        spec: { limits: [{ type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" } }, { type: "Pod" }] },
      },
    },
  ),
  ...casesOf("resourcequotas", {}, { "a quota": { spec: { hard: { pods: "10", "limits.cpu": "0.1" } } } }),
  ...casesOf(
    "networkpolicies.networking.k8s.io",
    {},
    {
      "a policy": { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } },
      "a policy on the way out": { spec: { podSelector: {}, egress: [{}] } },
    },
  ),
  ...casesOf(
    "ingresses.networking.k8s.io",
    {},
    {
      "an ingress": { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
    },
  ),
  ...casesOf(
    "ingressclasses.networking.k8s.io",
    {},
    {
      "a class": { spec: { controller: "example.com/c", parameters: { kind: "K", name: "n" } } },
    },
  ),
  ...casesOf(
    "endpointslices.discovery.k8s.io",
    {},
    {
      "a slice": { addressType: "IPv4", endpoints: [{ addresses: ["10.9.8.7"] }], ports: [{ port: 80 }] },
    },
  ),
  ...casesOf("priorityclasses.scheduling.k8s.io", {}, { "a priority": { value: 0 } }),
  ...casesOf("runtimeclasses.node.k8s.io", {}, { "a runtime": { handler: "h" } }),
  ...casesOf("storageclasses.storage.k8s.io", {}, { "a storage class": { provisioner: "example.com/p" } }),
  ...casesOf("csidrivers.storage.k8s.io", {}, { "a driver": {} }),
  ...casesOf("csinodes.storage.k8s.io", {}, { "drivers of a node": { spec: { drivers: [] } } }),
  ...casesOf(
    "volumeattachments.storage.k8s.io",
    {},
    {
      "an attachment": { spec: { attacher: "a", nodeName: "n", source: { persistentVolumeName: "p" } } },
    },
  ),
  ...casesOf(
    "horizontalpodautoscalers.autoscaling",
    {},
    {
      "an autoscaler": {
        spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } },
      },
    },
  ),
  ...casesOf(
    "flowschemas.flowcontrol.apiserver.k8s.io",
    {},
    {
      "a flow": { spec: { priorityLevelConfiguration: { name: "p" } } },
    },
  ),
  ...casesOf(
    "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
    {},
    {
      "a level": { spec: { type: "Limited", limited: { limitResponse: { type: "Queue", queuing: { queues: 0 } } } } },
      "an open level": { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } } },
    },
  ),
  ...casesOf(
    "validatingadmissionpolicies.admissionregistration.k8s.io",
    {},
    {
      "a policy of admission": {
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: ["nobody.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["things"] },
            ],
          },
          validations: [{ expression: "true" }],
        },
      },
    },
  ),
  ...casesOf(
    "validatingadmissionpolicybindings.admissionregistration.k8s.io",
    {},
    {
      "a binding of one": { spec: { policyName: "p", validationActions: ["Deny"], matchResources: {} } },
    },
  ),
];
