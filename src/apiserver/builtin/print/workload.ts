import { fieldAt, humanDuration, type Json, type KubeObject } from "#machinery";
import { isSet, listAt, numberAt, objectAt, textAt } from "../object-fields.ts";
import {
  ageOf,
  type Cell,
  type Cells,
  containersText,
  count,
  countAt,
  instantOf,
  labelsText,
  lengthOf,
  none,
  selectorText,
  text,
  textOr,
} from "./cell.ts";

const fromTemplate = templateCells("spec", "template");
const selector: Cell = (object) => selectorText(objectAt(object, "spec", "selector"));
const readyOf: Cell = (object) =>
  `${countAt(object, "status", "readyReplicas")}/${countAt(object, "spec", "replicas")}`;

/** Kinds that make pods, by resource. */
export const workloadCells: Readonly<Record<string, Cells>> = {
  "deployments.apps": {
    ...fromTemplate,
    Ready: readyOf,
    "Up-to-date": count("status", "updatedReplicas"),
    Available: count("status", "availableReplicas"),
    Selector: selector,
  },
  "replicasets.apps": { ...fromTemplate, ...replicas(), Selector: selector },
  replicationcontrollers: {
    ...fromTemplate,
    ...replicas(),
    Selector: (object) => labelsText(objectAt(object, "spec", "selector")),
  },
  "statefulsets.apps": { ...fromTemplate, Ready: readyOf },
  "daemonsets.apps": {
    ...fromTemplate,
    Desired: count("status", "desiredNumberScheduled"),
    Current: count("status", "currentNumberScheduled"),
    Ready: count("status", "numberReady"),
    "Up-to-date": count("status", "updatedNumberScheduled"),
    Available: count("status", "numberAvailable"),
    "Node Selector": (object) => labelsText(objectAt(object, "spec", "template", "spec", "nodeSelector")),
    Selector: selector,
  },
  "controllerrevisions.apps": { Controller: controllerOf, Revision: count("revision") },
  podtemplates: {
    ...templateCells("template"),
    "Pod Labels": (object) => labelsText(objectAt(object, "template", "metadata", "labels")),
  },
  "jobs.batch": {
    ...fromTemplate,
    Status: jobStatus,
    Completions: completions,
    Duration: jobDuration,
    Selector: selector,
  },
  "cronjobs.batch": {
    ...templateCells("spec", "jobTemplate", "spec", "template"),
    Schedule: text("spec", "schedule"),
    Timezone: textOr(none, "spec", "timeZone"),
    Suspend: (object) => switchText(objectAt(object, "spec")["suspend"]),
    Active: lengthOf("status", "active"),
    "Last Schedule": (object, now) =>
      isSet(object, "status", "lastScheduleTime") ? ageOf(fieldAt(object, "status", "lastScheduleTime"), now) : none,
    Selector: (object) => selectorText(objectAt(object, "spec", "jobTemplate", "spec", "selector")),
  },
};

function templateCells(...path: readonly string[]): Cells {
  return {
    Containers: (object) => containersText(objectAt(object, ...path), "name"),
    Images: (object) => containersText(objectAt(object, ...path), "image"),
  };
}

function replicas(): Cells {
  return {
    Desired: count("spec", "replicas"),
    Current: count("status", "replicas"),
    Ready: count("status", "readyReplicas"),
  };
}

function controllerOf({ metadata }: KubeObject): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return none;
  const group = owner.apiVersion.includes("/") ? `.${owner.apiVersion.split("/")[0]}` : "";
  return `${owner.kind.toLowerCase()}${group}/${owner.name}`;
}

function jobStatus(job: KubeObject): string {
  const met = new Set(
    listAt(job, "status", "conditions")
      .filter((each) => textAt(each, "status") === "True")
      .map((each) => textAt(each, "type")),
  );
  if (met.has("Complete")) return "Complete";
  if (met.has("Failed")) return "Failed";
  if (job.metadata.deletionTimestamp !== undefined) return "Terminating";
  return ["Suspended", "FailureTarget", "SuccessCriteriaMet"].find((type) => met.has(type)) ?? "Running";
}

function completions(job: KubeObject): string {
  const done = countAt(job, "status", "succeeded");
  const wanted = numberAt(job, "spec", "completions");
  if (wanted !== undefined) return `${done}/${wanted}`;
  const parallel = countAt(job, "spec", "parallelism");
  return parallel > 1 ? `${done}/1 of ${parallel}` : `${done}/1`;
}

function jobDuration(job: KubeObject, now: number): string {
  const start = instantOf(textAt(job, "status", "startTime"));
  const end = instantOf(textAt(job, "status", "completionTime"));
  return start === undefined ? "" : humanDuration((end ?? now) - start);
}

function switchText(value: Json | undefined): string {
  if (value === undefined || value === null) return "<unset>";
  return value === true ? "True" : "False";
}
