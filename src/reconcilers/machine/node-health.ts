import type { NodeCondition } from "./facts.ts";

/** The conditions of a Node, judged together. */
export interface NodeHealth {
  readonly verdict: "good" | "bad" | "unknown";
  readonly message: string;
}

/** What a healthy Node reports. */
const goodStatus = [
  ["Ready", "True"],
  ["MemoryPressure", "False"],
  ["DiskPressure", "False"],
  ["PIDPressure", "False"],
] as const;

/** Sums up the four conditions that count; a Node whose troubles all read alike gets one line for all of them. */
export function nodeHealth(conditions: readonly NodeCondition[]): NodeHealth {
  const seen = goodStatus.map(([type, good]) => assess(type, good, reportOf(conditions, type)));
  const troubles = seen.filter((each) => each.verdict !== "good");
  const reported = troubles.filter((each) => each.kind === "reported");
  const texts = new Set(reported.map((each) => each.text));
  const lines =
    reported.length > 1 && texts.size === 1
      ? [...texts].map((text) => nodeLine("AllConditions", text))
      : troubles.map(({ type, text }) => nodeLine(type, text));
  return {
    verdict: troubles.some((each) => each.verdict === "bad") ? "bad" : troubles.length > 0 ? "unknown" : "good",
    message: lines.join("\n"),
  };
}

/** The last report of a type: a kubelet that says a thing twice means the later. */
export function reportOf(conditions: readonly NodeCondition[], type: string): NodeCondition | undefined {
  return conditions.findLast((condition) => condition.type === type);
}

/** One line about one condition of a Node. */
export function nodeLine(type: string, text: string): string {
  return `* Node.${type}: ${text}`;
}

/** What is said of a condition that the kubelet has not reported. */
export const notReported = "Condition not yet reported";

interface Assessment {
  readonly kind: "reported" | "missing";
  readonly type: string;
  readonly verdict: NodeHealth["verdict"];
  readonly text: string;
}

function assess(type: string, good: string, report: NodeCondition | undefined): Assessment {
  if (report === undefined) return { kind: "missing", type, verdict: "unknown", text: notReported };
  const { status, message } = report;
  const verdict = status === good ? "good" : status === "Unknown" ? "unknown" : "bad";
  return { kind: "reported", type, verdict, text: message === "" ? `Condition is ${status}` : message };
}
