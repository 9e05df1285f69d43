import type { JsonObject } from "#machinery";
import { listAt, objectAt } from "../object-fields.ts";
import type { TypeDefaults } from "./defaults-by-type.ts";
import { filled } from "./filled.ts";

const quarter = "25%";

/** Defaults of the kinds that run pods, were there anything to run them. */
export const workloadDefaults: Readonly<Record<string, TypeDefaults>> = {
  "apps/v1.DeploymentSpec": { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  "apps/v1.DeploymentStrategy": (strategy) => rolling(strategy, { maxUnavailable: quarter, maxSurge: quarter }),
  "apps/v1.ReplicaSetSpec": { replicas: 1 },
  "apps/v1.DaemonSetSpec": { revisionHistoryLimit: 10 },
  "apps/v1.DaemonSetUpdateStrategy": (strategy) => rolling(strategy, { maxUnavailable: 1, maxSurge: 0 }),
  "apps/v1.StatefulSetSpec": statefulSetSpec,
  "apps/v1.StatefulSetUpdateStrategy": (strategy) => rolling(strategy, { partition: 0 }),
  "apps/v1.StatefulSetPersistentVolumeClaimRetentionPolicy": { whenDeleted: "Retain", whenScaled: "Retain" },
  // The template of a CronJob is not touched before a Job is made of it.
  "batch/v1.Job": (job) => ({ ...job, spec: jobSpec(objectAt(job, "spec")) }),
  "batch/v1.CronJobSpec": {
    concurrencyPolicy: "Allow",
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  },
  "autoscaling/v2.HorizontalPodAutoscalerSpec": {
    minReplicas: 1,
    metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }],
  },
};

function rolling(strategy: JsonObject, step: JsonObject): JsonObject {
  const typed = filled(strategy, { type: "RollingUpdate" });
  if (typed["type"] !== "RollingUpdate") return typed;
  return { ...typed, rollingUpdate: filled(objectAt(typed, "rollingUpdate"), step) };
}

function statefulSetSpec(spec: JsonObject): JsonObject {
  const claims = listAt(spec, "volumeClaimTemplates");
  const typed = claims.map((claim) => ({ ...objectAt(claim), apiVersion: "v1", kind: "PersistentVolumeClaim" }));
  return filled(claims.length === 0 ? spec : { ...spec, volumeClaimTemplates: typed }, {
    replicas: 1,
    revisionHistoryLimit: 10,
    podManagementPolicy: "OrderedReady",
    persistentVolumeClaimRetentionPolicy: {},
  });
}

function jobSpec(spec: JsonObject): JsonObject {
  const once = spec["completions"] === undefined && spec["parallelism"] === undefined;
  const perIndex = spec["backoffLimitPerIndex"] !== undefined;
  const failing = listAt(spec, "podFailurePolicy", "rules").length > 0;
  return filled(spec, {
    ...(once ? { completions: 1 } : {}),
    parallelism: 1,
    backoffLimit: perIndex ? 2_147_483_647 : 6,
    completionMode: "NonIndexed",
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: failing ? "Failed" : "TerminatingOrFailed",
  });
}
