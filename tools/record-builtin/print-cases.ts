import type { JsonObject } from "#machinery";
import { type Case, casesOf } from "./case.ts";

const image = "example.com/i:1";
const two = {
  spec: {
    containers: [
      { name: "c", image },
      { name: "d", image },
    ],
  },
};
const long = "2024-01-01T00:00:00Z";
const running = {
  state: { running: { startedAt: long } },
  ready: true,
  restartCount: 0,
  name: "c",
  image,
  imageID: "",
};
const ended = (more: JsonObject): JsonObject => ({
  ...running,
  ready: false,
  state: { terminated: { exitCode: 0, ...more } },
});
const waiting = (reason: string): JsonObject => ({ ...running, ready: false, state: { waiting: { reason } } });

function withStatus(status: JsonObject): { readonly from: JsonObject; readonly to: JsonObject; readonly at: string } {
  return { from: {}, to: { status }, at: "status" };
}

const podRows = casesOf("pods", two, {
  "all run": withStatus({
    phase: "Running",
    podIPs: [{ ip: "10.9.8.7" }],
    containerStatuses: [running, { ...running, name: "d" }],
    conditions: [{ type: "Ready", status: "True" }],
  }),
  "restarted long ago": withStatus({
    phase: "Running",
    containerStatuses: [{ ...running, restartCount: 3, lastState: { terminated: { exitCode: 1, finishedAt: long } } }],
  }),
  "one crashes": withStatus({
    phase: "Running",
    containerStatuses: [running, { ...waiting("CrashLoopBackOff"), name: "d" }],
  }),
  "one has ended": withStatus({
    phase: "Running",
    containerStatuses: [running, { ...ended({ reason: "Completed" }), name: "d" }],
  }),
  "one has ended, ready": withStatus({
    phase: "Running",
    containerStatuses: [running, { ...ended({ reason: "Completed" }), name: "d" }],
    conditions: [{ type: "Ready", status: "True" }],
  }),
  "ended by a signal": withStatus({ phase: "Failed", containerStatuses: [ended({ exitCode: 137, signal: 9 })] }),
  evicted: withStatus({ phase: "Failed", reason: "Evicted", message: "m" }),
});

const init = {
  spec: {
    ...two.spec,
    initContainers: [
      { name: "i", image },
      { name: "s", image, restartPolicy: "Always" },
    ],
    readinessGates: [{ conditionType: "example.com/g" }],
    nodeName: "n",
  },
};

const initRows = casesOf("pods", init, {
  "before the first": withStatus({
    phase: "Pending",
    initContainerStatuses: [{ ...waiting("PodInitializing"), name: "i" }],
  }),
  "the first cannot be pulled": withStatus({
    phase: "Pending",
    initContainerStatuses: [{ ...waiting("ErrImagePull"), name: "i" }],
  }),
  "the first fails": withStatus({
    phase: "Pending",
    initContainerStatuses: [{ ...ended({ exitCode: 2 }), name: "i" }],
  }),
  "beside a sidecar": withStatus({
    phase: "Running",
    initContainerStatuses: [
      { ...ended({ reason: "Completed" }), name: "i" },
      { ...running, name: "s", started: true, restartCount: 1 },
    ],
    containerStatuses: [running, { ...running, name: "d" }],
    conditions: [
      { type: "Initialized", status: "True" },
      { type: "example.com/g", status: "True" },
    ],
  }),
});

const nodeRows = casesOf(
  "nodes",
  {},
  {
    "a ready node": {
      from: { metadata: { labels: { "node-role.kubernetes.io/control-plane": "", "kubernetes.io/role": "a" } } },
      to: {
        status: {
          conditions: [{ type: "Ready", status: "True" }],
          addresses: [{ type: "InternalIP", address: "10.9.8.7" }],
          nodeInfo: {
            kubeletVersion: "v1.35.0",
            osImage: "OS",
            kernelVersion: "6",
            containerRuntimeVersion: "containerd://2",
          },
        },
      },
      at: "status",
    },
    "a node that is not ready": withStatus({ conditions: [{ type: "Ready", status: "Unknown" }] }),
    "a closed node": { from: {}, to: { spec: { unschedulable: true } } },
  },
);

const labels = { a: "b" };
const template = { metadata: { labels }, spec: { containers: two.spec.containers, restartPolicy: "Never" } };

const workloadRows: readonly Case[] = [
  ...casesOf(
    "jobs.batch",
    { spec: { template } },
    {
      "a job that runs": withStatus({ startTime: long, active: 1, ready: 0, uncountedTerminatedPods: {} }),
    },
  ),
  ...casesOf(
    "deployments.apps",
    {
      spec: {
        selector: {
          matchLabels: labels,
          matchExpressions: [
            { key: "a", operator: "In", values: ["c", "b"] },
            { key: "z", operator: "DoesNotExist" },
          ],
        },
        template: { ...template, spec: { ...template.spec, restartPolicy: "Always" } },
      },
    },
    {
      "a deployment that runs": withStatus({ replicas: 3, readyReplicas: 2, updatedReplicas: 1, availableReplicas: 1 }),
    },
  ),
  ...casesOf(
    "cronjobs.batch",
    { spec: { schedule: "@daily", timeZone: "Etc/UTC", jobTemplate: { spec: { template } } } },
    {
      "a cron job that ran": withStatus({ lastScheduleTime: long, active: [{ name: "x" }] }),
    },
  ),
];

const storageRows: readonly Case[] = [
  ...casesOf(
    "persistentvolumes",
    {
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteMany", "ReadWriteOnce"],
        hostPath: { path: "/x" },
        claimRef: { namespace: "n", name: "c" },
        storageClassName: "s",
      },
    },
    {
      "a bound volume": withStatus({ phase: "Bound", reason: "R" }),
    },
  ),
  ...casesOf(
    "persistentvolumeclaims",
    { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, volumeName: "v" } },
    {
      "a bound claim": withStatus({ phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } }),
    },
  ),
  ...casesOf(
    "storageclasses.storage.k8s.io",
    {
      provisioner: "p",
      allowVolumeExpansion: true,
      metadata: { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    },
    {
      "the default class": { from: {}, to: { metadata: { labels } } },
    },
  ),
  ...casesOf(
    "resourcequotas",
    { spec: { hard: { pods: "10", "limits.cpu": "1" } } },
    {
      "a quota in use": withStatus({ hard: { pods: "10", "limits.cpu": "1" }, used: { pods: "3" } }),
    },
  ),
];

const otherRows: readonly Case[] = [
  ...casesOf(
    "horizontalpodautoscalers.autoscaling",
    { spec: { maxReplicas: 3, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } } },
    {
      "an autoscaler that sees": withStatus({
        currentReplicas: 2,
        desiredReplicas: 2,
        currentMetrics: [
          { type: "Resource", resource: { name: "cpu", current: { averageUtilization: 40, averageValue: "4m" } } },
        ],
      }),
    },
  ),
  ...casesOf(
    "ingresses.networking.k8s.io",
    {
      spec: {
        ingressClassName: "i",
        tls: [{ hosts: ["a.example.com"] }],
        rules: ["a", "b", "c", "d"].map((host) => ({
          host: `${host}.example.com`,
          http: {
            paths: [{ path: "/", pathType: "Prefix", backend: { service: { name: "s", port: { number: 80 } } } }],
          },
        })),
      },
    },
    {
      "an ingress with an address": withStatus({ loadBalancer: { ingress: [{ ip: "10.9.8.7" }, { hostname: "h" }] } }),
    },
  ),
  ...casesOf(
    "endpoints",
    { subsets: [{ addresses: ["1", "2", "3", "4"].map((end) => ({ ip: `10.9.8.${end}` })), ports: [{ port: 80 }] }] },
    {
      "many endpoints": { from: {}, to: { metadata: { labels } } },
    },
  ),
  ...casesOf(
    "poddisruptionbudgets.policy",
    { spec: { minAvailable: "50%", selector: { matchLabels: labels } } },
    {
      "a budget": withStatus({ disruptionsAllowed: 1, currentHealthy: 2, desiredHealthy: 1, expectedPods: 2 }),
    },
  ),
  ...casesOf(
    "rolebindings.rbac.authorization.k8s.io",
    {
      roleRef: { kind: "ClusterRole", name: "view" },
      subjects: [
        { kind: "User", name: "u" },
        { kind: "User", name: "v" },
        { kind: "Group", name: "g" },
        { kind: "ServiceAccount", name: "s", namespace: "n" },
      ],
    },
    {
      "a binding of many": { from: {}, to: { metadata: { labels } } },
    },
  ),
];

/** Objects in the states that are worth a look. */
export const printCases: readonly Case[] = [
  ...podRows,
  ...initRows,
  ...nodeRows,
  ...workloadRows,
  ...storageRows,
  ...otherRows,
];
