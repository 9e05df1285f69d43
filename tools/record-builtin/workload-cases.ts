import { casesOf } from "./case.ts";

const labels = { a: "b" };
const container = { name: "c", image: "example.com/i:1" };
const template = { metadata: { labels }, spec: { containers: [container] } };
const run = { spec: { selector: { matchLabels: labels }, template } };

export const podCases = casesOf(
  "pods",
  { spec: { containers: [container] } },
  {
    "a plain one": {},
    "the latest image": {
      spec: {
        containers: [
          { ...container, image: "i" },
          { name: "d", image: "i@sha256:aa", imagePullPolicy: "Never" },
        ],
      },
    },
    "ports, probes and the environment": {
      spec: {
        hostNetwork: true,
        containers: [
          {
            ...container,
            ports: [{ containerPort: 80 }],
            livenessProbe: { httpGet: { port: "http" } },
            readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 0 },
            env: [
              { name: "A", value: "" },
              { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
            ],
            resources: { limits: { cpu: "0.5", memory: "1024Mi" }, requests: { memory: "0.5Gi" } },
          },
        ],
      },
    },
    volumes: {
      spec: {
        serviceAccountName: "s",
        volumes: [
          { name: "a" },
          { name: "b", secret: { secretName: "s" } },
          { name: "c", configMap: { name: "c" } },
          { name: "d", hostPath: { path: "/x" } },
          { name: "e", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } },
          { name: "f", emptyDir: { sizeLimit: "1000m" } },
        ],
      },
    },
    "containers of the wrong type": { spec: { containers: {} } },
  },
);

export const deploymentCases = casesOf("deployments.apps", run, {
  "a plain one": {},
  recreate: { spec: { strategy: { type: "Recreate" }, replicas: 0 } },
  "steps given": { spec: { strategy: { rollingUpdate: { maxSurge: 1 } }, paused: false, minReadySeconds: 0 } },
  "replicas as text": { spec: { replicas: "1" } },
  scaled: { from: {}, to: { spec: { replicas: 3 } } },
  status: { from: {}, to: { status: { replicas: 2, observedGeneration: 1 } }, at: "status" },
});

export const otherWorkloadCases = [
  ...casesOf("replicasets.apps", run, { "a replica set": {} }),
  ...casesOf("daemonsets.apps", run, {
    "a daemon set": {},
    "a daemon set on delete": { spec: { updateStrategy: { type: "OnDelete" } } },
  }),
  ...casesOf("statefulsets.apps", run, {
    "a stateful set": { spec: { serviceName: "s" } },
    "a stateful set with claims": {
      spec: {
        serviceName: "s",
        volumeClaimTemplates: [
          {
            metadata: { name: "v" },
            spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
          },
        ],
      },
    },
  }),
  ...casesOf("replicationcontrollers", { spec: { template } }, { "a replication controller": {} }),
  ...casesOf("podtemplates", { template }, { "a pod template": {} }),
  ...casesOf("controllerrevisions.apps", { revision: 0, data: { a: 1 } }, { "a revision": {} }),
  ...casesOf(
    "cronjobs.batch",
    {},
    {
      "a cron job": {
        spec: {
          schedule: "* * * * *",
          jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: "Never" } } } },
        },
      },
    },
  ),
];

export const serviceCases = casesOf(
  "services",
  { spec: { ports: [{ port: 80 }] } },
  {
    "without an address": { spec: { clusterIP: "None", selector: labels } },
    "another name": { spec: { type: "ExternalName", externalName: "example.com", ports: null } },
    "a name that begins with a digit": { metadata: { name: "1a" } },
    "bound to clients, without an address": { spec: { clusterIP: "None", sessionAffinity: "ClientIP" } },
  },
);

const bad = { spec: { selector: { matchLabels: labels }, template: { spec: { containers: [{}] } } } };

/** What is missing or does not fit. */
export const badWorkloadCases = [
  ...casesOf("pods", {}, { "a pod without containers": { spec: { containers: [] } } }),
  ...casesOf("deployments.apps", run, {
    "a deployment without a selector": { spec: { selector: null } },
    "a deployment with an empty selector": { spec: { selector: { matchLabels: null } } },
    "a deployment with another selector": { spec: { selector: { matchLabels: { a: "c" } } } },
    "a deployment whose selector changes": {
      from: {},
      to: { spec: { selector: { matchLabels: { c: "d" } }, template: { metadata: { labels: { c: "d" } } } } },
    },
  }),
  ...casesOf("deployments.apps", bad, { "a deployment without names": {} }),
  ...casesOf("daemonsets.apps", run, {
    "a daemon set whose template changes": {
      from: {},
      to: { spec: { template: { spec: { containers: [{ ...container, image: "example.com/i:2" }] } } } },
    },
    "a daemon set whose labels change": { from: {}, to: { metadata: { labels } } },
  }),
  ...casesOf("services", {}, { "a service without ports": { spec: { selector: labels } } }),
];
