import { createFakeClock, instantOf, milliseconds, parseTimestamp, seconds, type Timestamp } from "#base";
import type { Cluster } from "#api";
import { conditionOf, conditionsOf, decide, findCondition, setCondition } from "#conditions";
import { ApiError } from "#machinery";
import { RemoteConnectionProbe } from "#reconcilers/cluster";
import { probeHealth, reasonsToTell, soonest, timeLeft } from "#workload";
import type { AdapterContext, Adapters } from "./adapter.ts";
import { recorded } from "./recorded.ts";

/** The inputs of the operations of the cluster cache, as the vectors record them; what is null is left out. */
interface RecordedInputs {
  readonly shouldRequeue: { readonly now: Timestamp; readonly lastExecution?: Timestamp; readonly intervalMs: number };
  readonly minDurationOrDefault: { readonly durationsMs?: readonly number[]; readonly defaultMs: number };
  readonly shouldSendEvent: RecordedNews & RecordedSource;
  readonly sendEventsToClusterSources: RecordedNews & {
    readonly clusterSources?: readonly (RecordedSource & { readonly controllerName: string })[];
  };
  readonly healthCheck: {
    readonly connected?: boolean;
    readonly httpStatus?: number;
    readonly initialConsecutiveFailures?: number;
    readonly failureThreshold: number;
  };
  readonly setRemoteConnectionProbeCondition: {
    readonly cluster: Cluster;
    readonly healthCheckingState?: {
      readonly lastProbeSuccessTime?: Timestamp;
      readonly consecutiveFailures?: number;
    };
    readonly remoteConnectionGracePeriodSeconds: number;
    readonly now?: Timestamp;
  };
}

interface RecordedNews {
  readonly now: Timestamp;
  readonly lastProbeSuccessTime?: Timestamp;
  readonly didConnect?: boolean;
  readonly didDisconnect?: boolean;
}

interface RecordedSource {
  readonly lastEventSentTime?: Timestamp;
  readonly sendEventAfterProbeFailureDurationsMs?: readonly number[];
}

type Operations = {
  readonly [Op in keyof RecordedInputs]: (input: RecordedInputs[Op], context: AdapterContext) => unknown;
};

const operations: Operations = {
  shouldRequeue: ({ now, lastExecution, intervalMs }) => {
    const last = lastExecution === undefined ? undefined : milliseconds(instantOf(lastExecution));
    const left = timeLeft(milliseconds(instantOf(now)), { last, interval: milliseconds(intervalMs) });
    return { requeue: left !== undefined, requeueAfterMs: left ?? 0 };
  },
  minDurationOrDefault: ({ durationsMs = [], defaultMs }) => ({
    durationMs: soonest(durationsMs.map(milliseconds), milliseconds(defaultMs)),
  }),
  shouldSendEvent: (input) => ({ reasons: reasonsFor(input, input) }),
  sendEventsToClusterSources: ({ clusterSources = [], ...news }) => ({
    controllers: clusterSources
      .filter((source) => reasonsFor(source, news).length > 0)
      .map(({ controllerName }) => controllerName),
  }),
  healthCheck: async ({ connected = false, httpStatus = 200, initialConsecutiveFailures = 0, failureThreshold }) => {
    const before = { consecutiveFailures: initialConsecutiveFailures };
    const ask = connected ? () => answered(httpStatus) : undefined;
    const clock = createFakeClock(parseTimestamp("2025-01-15T12:00:00Z"));
    const { health, tooManyFailures, unauthorized } = await probeHealth(before, ask, { clock, failureThreshold });
    return {
      tooManyConsecutiveFailures: tooManyFailures,
      unauthorizedErrorOccurred: unauthorized,
      consecutiveFailures: health.consecutiveFailures,
    };
  },
  setRemoteConnectionProbeCondition: (input, context) => {
    const { cluster: object, healthCheckingState = {}, remoteConnectionGracePeriodSeconds } = input;
    const { lastProbeSuccessTime, consecutiveFailures = 0 } = healthCheckingState;
    const now = parseTimestamp(input.now ?? context.now ?? "");
    const stored = conditionsOf(object);
    const connection = {
      consecutiveFailures,
      gracePeriod: seconds(remoteConnectionGracePeriodSeconds),
      reported: findCondition(stored, RemoteConnectionProbe.type) !== undefined,
      ...(lastProbeSuccessTime === undefined ? {} : { lastProbeSuccess: lastProbeSuccessTime }),
    };
    const { report } = decide(RemoteConnectionProbe, { now, connection });
    const condition = conditionOf(RemoteConnectionProbe, report);
    const { generation = 0 } = object.metadata;
    const conditions = condition === undefined ? stored : setCondition(stored, condition, { generation, now });
    return { condition: findCondition(conditions, RemoteConnectionProbe.type) };
  },
};

/** Adapters for every operation of the cluster cache, by its name. */
export const clusterCache: Adapters = Object.fromEntries(
  Object.entries(operations).map(([op, run]) => [op, recorded<never>(run)]),
);

function reasonsFor(
  { lastEventSentTime, sendEventAfterProbeFailureDurationsMs = [] }: RecordedSource,
  { now, lastProbeSuccessTime, didConnect = false, didDisconnect = false }: RecordedNews,
): readonly string[] {
  const news = { now, lastProbeSuccess: lastProbeSuccessTime, didConnect, didDisconnect };
  const probeFailures = sendEventAfterProbeFailureDurationsMs.map(milliseconds);
  return reasonsToTell(news, { lastTold: lastEventSentTime, probeFailures });
}

async function answered(httpCode: number): Promise<void> {
  if (httpCode >= 200 && httpCode < 300) return;
  throw new ApiError({ httpCode, reason: "", message: `answered ${httpCode}` });
}
