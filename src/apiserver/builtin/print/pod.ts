import { type Json, type JsonObject, type KubeObject } from "#machinery";
import { isSet, listAt, numberAt, objectAt, textAt } from "../object-fields.ts";
import { ageOf, type Cells, countAt, instantOf, none, textOr } from "./cell.ts";

export const podCells: Cells = {
  Ready: (pod) => {
    const { ready, total } = summaryOf(pod);
    return `${ready}/${total}`;
  },
  Status: (pod) => summaryOf(pod).reason,
  Restarts: (pod, now) => {
    const { restarts, lastRestart } = summaryOf(pod);
    return restarts === 0 || lastRestart === "" ? String(restarts) : `${restarts} (${ageOf(lastRestart, now)} ago)`;
  },
  IP: (pod) => textAt(listAt(pod, "status", "podIPs")[0] ?? null, "ip") || none,
  Node: textOr(none, "spec", "nodeName"),
  "Nominated Node": textOr(none, "status", "nominatedNodeName"),
  "Readiness Gates": readinessGates,
};

/** What a line about a pod says of its containers. */
interface Summary {
  readonly ready: number;
  readonly total: number;
  readonly reason: string;
  readonly restarts: number;
  /** When a container ended last; empty where none did. */
  readonly lastRestart: string;
}

function summaryOf(pod: KubeObject): Summary {
  const before = initSummary(pod);
  const gone = before.initializing && !hasCondition(pod, "Initialized") ? before : mainSummary(pod, before);
  return { ...gone, reason: endReason(pod) ?? gone.reason };
}

/** Why a pod that is on its way out says nothing else. */
function endReason(pod: KubeObject): string | undefined {
  if (pod.metadata.deletionTimestamp === undefined) return undefined;
  if (textAt(pod, "status", "reason") === "NodeLost") return "Unknown";
  return ["Succeeded", "Failed"].includes(textAt(pod, "status", "phase")) ? undefined : "Terminating";
}

interface InitSummary extends Summary {
  readonly initializing: boolean;
  readonly sidecarRestarts: number;
  readonly lastSidecarRestart: string;
}

/** Containers that run before the others, or beside them where they are restarted always. */
function initSummary(pod: KubeObject): InitSummary {
  const specs = listAt(pod, "spec", "initContainers");
  const sidecars = new Set(
    specs.filter((each) => textAt(each, "restartPolicy") === "Always").map((each) => textAt(each, "name")),
  );
  const draft = {
    ready: 0,
    total: listAt(pod, "spec", "containers").length + sidecars.size,
    reason: startReason(pod),
    restarts: 0,
    lastRestart: "",
    initializing: false,
    sidecarRestarts: 0,
    lastSidecarRestart: "",
  };
  for (const [index, status] of listAt(pod, "status", "initContainerStatuses").entries()) {
    const sidecar = sidecars.has(textAt(status, "name"));
    draft.restarts += countAt(status, "restartCount");
    draft.lastRestart = later(draft.lastRestart, endOf(status));
    if (sidecar) {
      draft.sidecarRestarts += countAt(status, "restartCount");
      draft.lastSidecarRestart = later(draft.lastSidecarRestart, endOf(status));
    }
    if (isSet(status, "state", "terminated") && countAt(status, "state", "terminated", "exitCode") === 0) continue;
    if (sidecar && objectAt(status)["started"] === true) {
      if (objectAt(status)["ready"] === true) draft.ready += 1;
      continue;
    }
    draft.reason = initReason(status, index, specs.length);
    draft.initializing = true;
    break;
  }
  return draft;
}

function startReason(pod: KubeObject): string {
  const gated = listAt(pod, "status", "conditions").some(
    (each) => textAt(each, "type") === "PodScheduled" && textAt(each, "reason") === "SchedulingGated",
  );
  if (gated) return "SchedulingGated";
  return textAt(pod, "status", "reason") || textAt(pod, "status", "phase");
}

function initReason(status: Json, index: number, all: number): string {
  const terminated = objectAt(status, "state", "terminated");
  if (isSet(status, "state", "terminated")) return `Init:${textAt(terminated, "reason") || exitText(terminated)}`;
  const waiting = textAt(status, "state", "waiting", "reason");
  return waiting !== "" && waiting !== "PodInitializing" ? `Init:${waiting}` : `Init:${index}/${all}`;
}

function mainSummary(pod: KubeObject, before: InitSummary): Summary {
  let { ready, reason } = before;
  let restarts = before.sidecarRestarts;
  let lastRestart = before.lastSidecarRestart;
  let running = false;
  for (const status of listAt(pod, "status", "containerStatuses").toReversed()) {
    restarts += countAt(status, "restartCount");
    lastRestart = later(lastRestart, endOf(status));
    const found = stateReason(status);
    if (found !== undefined) reason = found;
    else if (objectAt(status)["ready"] === true && isSet(status, "state", "running")) {
      running = true;
      ready += 1;
    }
  }
  // Some have ended and others have not: the pod as a whole goes on.
  if (reason === "Completed" && running) reason = hasCondition(pod, "Ready") ? "Running" : "NotReady";
  return { ready, total: before.total, reason, restarts, lastRestart };
}

function stateReason(status: Json): string | undefined {
  const waiting = textAt(status, "state", "waiting", "reason");
  if (waiting !== "") return waiting;
  if (!isSet(status, "state", "terminated")) return undefined;
  const terminated = objectAt(status, "state", "terminated");
  return textAt(terminated, "reason") || exitText(terminated);
}

function exitText(terminated: JsonObject): string {
  const signal = numberAt(terminated, "signal") ?? 0;
  return signal === 0 ? `ExitCode:${countAt(terminated, "exitCode")}` : `Signal:${signal}`;
}

function endOf(status: Json): string {
  return textAt(status, "lastState", "terminated", "finishedAt");
}

function later(a: string, b: string): string {
  return (instantOf(b) ?? -Infinity) > (instantOf(a) ?? -Infinity) ? b : a;
}

function hasCondition(pod: KubeObject, type: string): boolean {
  return listAt(pod, "status", "conditions").some(
    (each) => textAt(each, "type") === type && textAt(each, "status") === "True",
  );
}

function readinessGates(pod: KubeObject): string {
  const gates = listAt(pod, "spec", "readinessGates").map((gate) => textAt(gate, "conditionType"));
  if (gates.length === 0) return none;
  return `${gates.filter((gate) => hasCondition(pod, gate)).length}/${gates.length}`;
}
