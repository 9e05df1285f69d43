import { between, minutes, type Timestamp } from "#base";
import {
  type Condition,
  type ConditionSource,
  defaultPriority,
  defineCondition,
  False,
  findCondition,
  finds,
  mergeStrategy,
  nothing,
  otherwise,
  type Priority,
  row,
  summarize,
  type Summary,
  summaryIs,
  True,
  Unknown,
} from "#conditions";
import { groupControlPlaneComponents } from "./control-plane-components.ts";

/** What the other conditions of the Machine say together. */
export interface ReadyFacts {
  readonly summary: Summary;
}

/** A condition that somebody else writes and that counts for Ready. */
export interface ReadinessGate {
  readonly conditionType: string;
  readonly polarity?: "Positive" | "Negative";
}

/** Since when a Machine is being deleted, and its Node being drained. */
export interface DeletionTimes {
  readonly since: Timestamp;
  readonly drainSince?: Timestamp;
}

const summedUp = [
  "Deleting",
  "Updating",
  "BootstrapConfigReady",
  "InfrastructureReady",
  "NodeHealthy",
  "HealthCheckSucceeded",
];

/** Tells whether the Machine does its work. */
export const Ready = defineCondition({
  of: "Machine",
  type: "Ready",
  summary:
    "Sums up Deleting, Updating, BootstrapConfigReady, InfrastructureReady, NodeHealthy, HealthCheckSucceeded and the readiness gates.",
  reasons: ["Ready", "NotReady", "ReadyUnknown", "InternalError"],
  rows: [
    row({
      id: "summary-failed",
      when: finds("the conditions cannot be summed up", ({ summary }: ReadyFacts) =>
        summary.kind === "failed" ? { error: summary.error } : undefined,
      ),
      ensure: nothing("the error is in the log"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "not-ready",
      when: finds("some condition is an issue", ({ summary }: ReadyFacts) => summaryIs(summary, "False")),
      ensure: nothing("sum up"),
      report: (summary) => False("NotReady", summary.message),
    }),
    row({
      id: "unknown",
      when: finds("some condition is unknown or not reported", ({ summary }: ReadyFacts) =>
        summaryIs(summary, "Unknown"),
      ),
      ensure: nothing("sum up"),
      report: (summary) => Unknown("ReadyUnknown", summary.message),
    }),
  ],
  otherwise: otherwise({
    id: "ready",
    when: "no condition is an issue or unknown",
    sees: ({ summary }: ReadyFacts) => summaryIs(summary, "True") ?? { message: "" },
    ensure: nothing("sum up"),
    report: (summary) => True("Ready", summary.message),
  }),
});

/** Sums up the conditions of a Machine. */
export function summarizeReadiness(
  source: ConditionSource,
  options: { readonly now: Timestamp; readonly deletion?: DeletionTimes; readonly gates: readonly ReadinessGate[] },
): ReadyFacts {
  const { now, deletion, gates } = options;
  const deleting = findCondition(source.conditions, "Deleting");
  const negative = gates.filter(({ polarity }) => polarity === "Negative").map(({ conditionType }) => conditionType);
  return {
    summary: summarize(source, "Ready", {
      forConditionTypes: [...summedUp, ...gates.map(({ conditionType }) => conditionType)],
      ignoreTypesIfMissing: ["HealthCheckSucceeded"],
      overrideConditions:
        deletion === undefined || deleting === undefined ? [] : [shortDeleting(deleting, deletion, now)],
      mergeStrategy: mergeStrategy({
        priority: priorityIn({ deleting: deletion !== undefined, negative: ["Deleting", "Updating", ...negative] }),
        summaryMessageTransform: groupControlPlaneComponents,
      }),
    }),
  };
}

const objectOrNodeReasons: Readonly<Record<string, readonly string[]>> = {
  BootstrapConfigReady: ["ObjectDeleted", "ObjectDoesNotExist"],
  InfrastructureReady: ["ObjectDeleted", "ObjectDoesNotExist"],
  NodeHealthy: ["NodeDeleted", "NodeDoesNotExist"],
};

/** While a Machine goes it is fine that its objects and its Node go. */
function priorityIn(machine: { readonly deleting: boolean; readonly negative: readonly string[] }) {
  const usual = defaultPriority(machine.negative);
  return (condition: Condition): Priority =>
    machine.deleting && (objectOrNodeReasons[condition.type] ?? []).includes(condition.reason)
      ? "info"
      : usual(condition);
}

const slow = minutes(15);
const slowDrain = minutes(5);

const delays: readonly (readonly [string, string])[] = [
  ["cannot evict pod as it would violate the pod's disruption budget.", "PodDisruptionBudgets"],
  ["deletionTimestamp set, but still not removed from the Node", "Pods not terminating"],
  ["failed to evict Pod", "Pod eviction errors"],
  ["waiting for completion", "Pods not completed yet"],
];

/** The details of a deletion would make every Machine's message its own, so that no aggregate could group them. */
function shortDeleting(
  { reason, message }: Condition,
  { since, drainSince }: DeletionTimes,
  now: Timestamp,
): Condition {
  const isSlow = between(since, now) > slow;
  const drainIsSlow = reason === "DrainingNode" && drainSince !== undefined && between(drainSince, now) > slowDrain;
  const causes = isSlow && drainIsSlow ? delays.filter(([text]) => message.includes(text)).map(([, name]) => name) : [];
  const text = `Machine deletion in progress${isSlow ? " since more than 15m" : ""}, stage: ${reason}`;
  return {
    type: "Deleting",
    status: "True",
    reason: "Deleting",
    message: causes.length === 0 ? text : `${text}, delay likely due to ${causes.join(", ")}`,
  };
}
