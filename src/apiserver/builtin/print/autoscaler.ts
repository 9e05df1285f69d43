import { type Json, type KubeObject } from "#machinery";
import { listAt, numberAt, objectAt, textAt } from "../object-fields.ts";
import { none } from "./cell.ts";

const unknown = "<unknown>";
const mostTargets = 2;

/** What an autoscaler looks at, and what it sees: `cpu: 40%/80%`. */
export function targetsText(scaler: KubeObject): string {
  const specs = listAt(scaler, "spec", "metrics");
  if (specs.length === 0) return none;
  const seen = listAt(scaler, "status", "currentMetrics");
  const texts = specs.slice(0, mostTargets).map((spec, index) => metricText(spec, seen[index] ?? null));
  const more = specs.length > mostTargets ? ` + ${specs.length - mostTargets} more...` : "";
  return `${texts.join(", ")}${more}`;
}

const sources: Readonly<Record<string, string>> = {
  Resource: "resource",
  ContainerResource: "containerResource",
  Pods: "pods",
  Object: "object",
  External: "external",
};

function metricText(spec: Json, seen: Json): string {
  const type = textAt(spec, "type");
  const part = sources[type];
  if (part === undefined) return "<unknown type>";
  const target = objectAt(spec, part, "target");
  const current = objectAt(seen, part, "current");
  const named = type === "Resource" || type === "ContainerResource" ? `${textAt(spec, part, "name")}: ` : "";
  const utilization = numberAt(target, "averageUtilization");
  if (utilization !== undefined) {
    const value = numberAt(current, "averageUtilization");
    return `${named}${value === undefined ? unknown : `${value}%`}/${utilization}%`;
  }
  const average = textAt(target, "averageValue");
  if (average === "") return `${textAt(current, "value") || unknown}/${textAt(target, "value")}`;
  const suffix = type === "External" || type === "Object" ? " (avg)" : "";
  return `${named}${textAt(current, "averageValue") || unknown}/${average}${suffix}`;
}
