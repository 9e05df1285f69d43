import { between, formatDuration, type Timestamp } from "#base";
import { defineCondition, False, finds, holds, lastKnown, nothing, otherwise, row, True } from "#conditions";
import type { ConnectionFacts } from "./facts.ts";

/** A cluster that was never reached and failed this often is no longer just starting. */
const failuresUntilGiveUp = 5;

interface ProbeFacts {
  readonly now: Timestamp;
  readonly connection: ConnectionFacts;
}

/** Tells whether the workload cluster answers. */
export const RemoteConnectionProbe = defineCondition({
  of: "Cluster",
  type: "RemoteConnectionProbe",
  summary: "Tells whether the API server of the workload cluster answers.",
  reasons: ["ProbeSucceeded", "ProbeFailed"],
  rows: [
    row({
      id: "never-connected",
      when: holds("no probe ever succeeded, fewer than 5 failed, nothing is reported", dialingFirstTime),
      ensure: nothing("the connection is still being made"),
      report: False("ProbeFailed", "Remote connection not established yet"),
    }),
    row({
      id: "never-connected-keep",
      when: holds("no probe ever succeeded, fewer than 5 failed", dialing),
      ensure: nothing("the last known status stands after a restart of the manager"),
      report: lastKnown,
    }),
    row({
      id: "never-succeeded",
      when: holds("no probe ever succeeded", neverSucceeded),
      ensure: nothing("the connection is tried again"),
      report: False("ProbeFailed", "Remote connection probe failed"),
    }),
    row({
      id: "connection-lost",
      when: finds("the last good probe is older than the grace period", graceIsOver),
      ensure: nothing("the connection is tried again"),
      report: (probe) =>
        False("ProbeFailed", `Remote connection probe failed, probe last succeeded at ${probe.lastSuccess}`),
    }),
  ],
  otherwise: otherwise({
    id: "connected",
    when: "the last good probe is within the grace period",
    sees: seenOf,
    ensure: nothing("all is well"),
    report: True("ProbeSucceeded"),
  }),
});

function neverSucceeded({ connection }: ProbeFacts): boolean {
  return connection.lastProbeSuccess === undefined;
}

function dialing(facts: ProbeFacts): boolean {
  return neverSucceeded(facts) && facts.connection.consecutiveFailures < failuresUntilGiveUp;
}

function dialingFirstTime(facts: ProbeFacts): boolean {
  return dialing(facts) && !facts.connection.reported;
}

interface SeenProbe {
  readonly lastSuccess: Timestamp;
  /** How long it stands: there is another such time for what Machines say. */
  readonly gracePeriod: string;
}

function graceIsOver({ now, connection }: ProbeFacts): SeenProbe | undefined {
  const { lastProbeSuccess: lastSuccess, gracePeriod } = connection;
  if (lastSuccess === undefined || between(lastSuccess, now) <= gracePeriod) return undefined;
  return { lastSuccess, gracePeriod: formatDuration(gracePeriod) };
}

function seenOf({ connection }: ProbeFacts): Partial<SeenProbe> {
  const { lastProbeSuccess: lastSuccess, gracePeriod } = connection;
  return { ...(lastSuccess === undefined ? {} : { lastSuccess }), gracePeriod: formatDuration(gracePeriod) };
}
