import {
  type Condition,
  type ConditionSource,
  defaultPriority,
  defineCondition,
  False,
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

/** What the other conditions of the Cluster say together. */
export interface AvailableFacts {
  readonly summary: Summary;
}

/** A condition that somebody else writes and that counts for Available. */
export interface AvailabilityGate {
  readonly conditionType: string;
  readonly polarity?: "Positive" | "Negative";
}

const summedUp = [
  "Deleting",
  "RemoteConnectionProbe",
  "InfrastructureReady",
  "ControlPlaneAvailable",
  "WorkersAvailable",
  "TopologyReconciled",
];

/** Tells whether the Cluster can be used. */
export const Available = defineCondition({
  of: "Cluster",
  type: "Available",
  summary:
    "Sums up Deleting, RemoteConnectionProbe, InfrastructureReady, ControlPlaneAvailable, WorkersAvailable, TopologyReconciled and the availability gates.",
  reasons: ["Available", "NotAvailable", "AvailableUnknown", "InternalError"],
  rows: [
    row({
      id: "summary-failed",
      when: finds("the conditions cannot be summed up", ({ summary }: AvailableFacts) =>
        summary.kind === "failed" ? { error: summary.error } : undefined,
      ),
      ensure: nothing("the error is in the log"),
      report: (failure) => Unknown("InternalError", failure.error),
    }),
    row({
      id: "not-available",
      when: finds("some condition is an issue", ({ summary }: AvailableFacts) => summaryIs(summary, "False")),
      ensure: nothing("sum up"),
      report: (summary) => False("NotAvailable", summary.message),
    }),
    row({
      id: "unknown",
      when: finds("some condition is unknown or not reported", ({ summary }: AvailableFacts) =>
        summaryIs(summary, "Unknown"),
      ),
      ensure: nothing("sum up"),
      report: (summary) => Unknown("AvailableUnknown", summary.message),
    }),
  ],
  otherwise: otherwise({
    id: "available",
    when: "no condition is an issue or unknown",
    sees: ({ summary }: AvailableFacts) => summaryIs(summary, "True") ?? { message: "" },
    ensure: nothing("sum up"),
    report: (summary) => True("Available", summary.message),
  }),
});

/** Sums up the conditions of a Cluster. */
export function summarizeAvailability(
  source: ConditionSource,
  options: {
    readonly deleting: boolean;
    readonly hasTopology: boolean;
    readonly gates: readonly AvailabilityGate[];
  },
): AvailableFacts {
  const { deleting, hasTopology, gates } = options;
  const negative = gates.filter(({ polarity }) => polarity === "Negative").map(({ conditionType }) => conditionType);
  return {
    summary: summarize(source, "Available", {
      forConditionTypes: [...summedUp, ...gates.map(({ conditionType }) => conditionType)],
      ignoreTypesIfMissing: hasTopology ? [] : ["TopologyReconciled"],
      mergeStrategy: mergeStrategy({ priority: priorityIn({ deleting, negative: ["Deleting", ...negative] }) }),
    }),
  };
}

/** While a Cluster goes it is fine that its objects go; a topology that is merely at work is no trouble either. */
function priorityIn(cluster: { readonly deleting: boolean; readonly negative: readonly string[] }) {
  const usual = defaultPriority(cluster.negative);
  return (condition: Condition): Priority => {
    const { type, status, reason } = condition;
    if (cluster.deleting && (type === "InfrastructureReady" || type === "ControlPlaneAvailable")) {
      if (reason === "ObjectDeleted" || reason === "ObjectDoesNotExist") return "info";
    }
    if (type === "TopologyReconciled" && status === "False") {
      if (reason !== "ReconcileFailed" && reason !== "ClusterClassNotReconciled") return "info";
    }
    return usual(condition);
  };
}
