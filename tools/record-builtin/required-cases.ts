import { type Case, casesOf } from "./case.ts";

const kinds = [
  "replicationcontrollers",
  "persistentvolumes",
  "persistentvolumeclaims",
  "statefulsets.apps",
  "jobs.batch",
  "cronjobs.batch",
  "horizontalpodautoscalers.autoscaling",
  "certificatesigningrequests.certificates.k8s.io",
  "endpointslices.discovery.k8s.io",
  "flowschemas.flowcontrol.apiserver.k8s.io",
  "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io",
  "ingresses.networking.k8s.io",
  "ingressclasses.networking.k8s.io",
  "priorityclasses.scheduling.k8s.io",
  "runtimeclasses.node.k8s.io",
  "storageclasses.storage.k8s.io",
  "csistoragecapacities.storage.k8s.io",
  "volumeattachments.storage.k8s.io",
  "volumeattributesclasses.storage.k8s.io",
  "validatingadmissionpolicies.admissionregistration.k8s.io",
  "validatingadmissionpolicybindings.admissionregistration.k8s.io",
  "controllerrevisions.apps",
  "podtemplates",
  "networkpolicies.networking.k8s.io",
  "resourcequotas",
  "limitranges",
  "csinodes.storage.k8s.io",
  "resourceclaims.resource.k8s.io",
  "deviceclasses.resource.k8s.io",
];

/** Objects that say nothing at all. */
export const requiredCases: readonly Case[] = kinds.flatMap((kind) =>
  casesOf(kind, {}, { [`an empty one of ${kind}`]: {} }),
);

const container = { name: "c", image: "example.com/i:1" };
const job = { spec: { template: { spec: { containers: [container], restartPolicy: "Never" } } } };
const labels = { a: "b" };
const set = {
  spec: {
    serviceName: "s",
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  },
};
const claim = { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } } };

/** What cannot be changed once it is there. */
export const frozenCases: readonly Case[] = [
  ...casesOf(
    "priorityclasses.scheduling.k8s.io",
    { value: 1 },
    {
      "the value of a priority": { from: {}, to: { value: 2 } },
      "the policy of a priority": { from: {}, to: { preemptionPolicy: "Never" } },
      "the description of a priority": { from: {}, to: { description: "d" } },
    },
  ),
  ...casesOf(
    "runtimeclasses.node.k8s.io",
    { handler: "h" },
    { "the handler of a runtime": { from: {}, to: { handler: "i" } } },
  ),
  ...casesOf(
    "storageclasses.storage.k8s.io",
    { provisioner: "p" },
    {
      "the provisioner of a storage class": { from: {}, to: { provisioner: "q" } },
      "the parameters of a storage class": { from: {}, to: { parameters: { a: "b" } } },
      "the reclaim policy of a storage class": { from: {}, to: { reclaimPolicy: "Retain" } },
      "the binding mode of a storage class": { from: {}, to: { volumeBindingMode: "WaitForFirstConsumer" } },
      "the expansion of a storage class": { from: {}, to: { allowVolumeExpansion: true } },
    },
  ),
  ...casesOf(
    "controllerrevisions.apps",
    { data: { a: 1 } },
    { "the data of a revision": { from: {}, to: { data: { a: 2 } } } },
  ),
  ...casesOf(
    "endpointslices.discovery.k8s.io",
    { addressType: "IPv4" },
    {
      "the type of addresses": { from: {}, to: { addressType: "IPv6" } },
    },
  ),
  ...casesOf(
    "ingressclasses.networking.k8s.io",
    { spec: { controller: "example.com/c" } },
    {
      "the controller of a class": { from: {}, to: { spec: { controller: "example.com/d" } } },
    },
  ),
  ...casesOf("jobs.batch", job, {
    "the completions of a job": { from: {}, to: { spec: { completions: 2 } } },
    "the parallelism of a job": { from: {}, to: { spec: { parallelism: 2 } } },
    "the mode of a job": { from: {}, to: { spec: { completionMode: "Indexed" } } },
  }),
  ...casesOf("statefulsets.apps", set, {
    "the service of a set": { from: {}, to: { spec: { serviceName: "t" } } },
    "the replicas of a set": { from: {}, to: { spec: { replicas: 2 } } },
  }),
  ...casesOf("persistentvolumeclaims", claim, {
    "the labels of a claim": { from: {}, to: { metadata: { labels } } },
  }),
];
