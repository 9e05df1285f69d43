import { asJson, deepEqual, fieldAt, isJsonObject, type Json, type JsonObject, type KubeObject } from "#machinery";
import type { Conversion } from "#apiserver/resources";

const older = "autoscaling/v1";
const newer = "autoscaling/v2";

// What the older version has no fields for travels in annotations, as on the real server.
const metricsAnnotation = "autoscaling.alpha.kubernetes.io/metrics";
const behaviorAnnotation = "autoscaling.alpha.kubernetes.io/behavior";
const conditionsAnnotation = "autoscaling.alpha.kubernetes.io/conditions";

/** Between the two versions of HorizontalPodAutoscaler: the older one knows the use of CPU and nothing else. */
export const autoscalerConversion: Conversion = {
  kind: "by-call",
  convert: (objects, apiVersion) => Promise.resolve(objects.map(apiVersion === older ? toOlder : toNewer)),
};

export function toOlder(object: KubeObject): KubeObject {
  if (object.apiVersion === older) return object;
  const { metrics = [], behavior, ...spec } = partOf(object, "spec");
  const { currentMetrics: _, conditions, ...status } = partOf(object, "status");
  const all = Array.isArray(metrics) ? metrics : [];
  const cpu = all.find((metric) => utilizationOf(metric) !== undefined);
  const others = all.filter((metric) => metric !== cpu);
  const target = utilizationOf(cpu);
  const annotations = {
    ...object.metadata.annotations,
    ...noted(metricsAnnotation, others.length === 0 ? undefined : others),
    ...noted(behaviorAnnotation, behavior),
    ...noted(conditionsAnnotation, Array.isArray(conditions) && conditions.length > 0 ? conditions : undefined),
  };
  return {
    ...object,
    apiVersion: older,
    metadata: withAnnotations(object, annotations),
    spec: { ...spec, ...(target === undefined ? {} : { targetCPUUtilizationPercentage: target }) },
    ...(Object.hasOwn(object, "status") ? { status } : {}),
  };
}

export function toNewer(object: KubeObject): KubeObject {
  if (object.apiVersion === newer) return object;
  const { targetCPUUtilizationPercentage: target, ...spec } = partOf(object, "spec");
  const { currentCPUUtilizationPercentage: _, ...status } = partOf(object, "status");
  const {
    [metricsAnnotation]: others,
    [behaviorAnnotation]: behavior,
    [conditionsAnnotation]: conditions,
    ...annotations
  } = object.metadata.annotations ?? {};
  const noticed = readNote(others);
  const metrics = [
    ...(typeof target === "number" ? [cpuMetric(target)] : []),
    ...(Array.isArray(noticed) ? noticed : []),
  ];
  return {
    ...object,
    apiVersion: newer,
    metadata: withAnnotations(object, annotations),
    spec: {
      ...spec,
      ...(metrics.length === 0 ? {} : { metrics }),
      ...present("behavior", readNote(behavior)),
    },
    ...(Object.hasOwn(object, "status")
      ? { status: { ...status, ...present("conditions", readNote(conditions)) } }
      : {}),
  };
}

function partOf(object: KubeObject, name: string): JsonObject {
  const part = asJson(object)[name];
  return isJsonObject(part) ? part : {};
}

function cpuMetric(averageUtilization: number): JsonObject {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

/** The wanted use of CPU, if a metric says just that. */
function utilizationOf(metric: Json | undefined): number | undefined {
  const value = fieldAt(metric, "resource", "target", "averageUtilization");
  return typeof value === "number" && deepEqual(metric, cpuMetric(value)) ? value : undefined;
}

function noted(name: string, value: Json | undefined): { readonly [name: string]: string } {
  return value === undefined ? {} : { [name]: JSON.stringify(value) };
}

/** What stands in an annotation; one that somebody wrote by hand may be anything. */
function readNote(text: string | undefined): Json | undefined {
  if (text === undefined) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

function present(name: string, value: Json | undefined): JsonObject {
  return value === undefined ? {} : { [name]: value };
}

function withAnnotations(
  { metadata }: KubeObject,
  annotations: { readonly [key: string]: string },
): KubeObject["metadata"] {
  const { annotations: _, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}
