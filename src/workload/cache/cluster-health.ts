import { type Clock, type Timestamp } from "#base";
import { ApiError } from "#machinery";

/** What probes have found out about a workload cluster. It outlives the connection, so that conditions can tell. */
export interface ClusterHealth {
  readonly lastProbe?: Timestamp;
  readonly lastProbeSuccess?: Timestamp;
  readonly consecutiveFailures: number;
}

/** The health of a cluster that nobody has tried to reach yet. */
export const unknownHealth: ClusterHealth = { consecutiveFailures: 0 };

/** What a probe says about a cluster, and about its connection. */
export interface ProbeVerdict {
  readonly health: ClusterHealth;
  /** The connection is given up. */
  readonly tooManyFailures: boolean;
  /** The credentials are no longer good; a newer kubeconfig may have others. */
  readonly unauthorized: boolean;
  /** What went wrong, for the log. */
  readonly error?: unknown;
}

/** How a cluster is probed. */
export interface ProbeOptions {
  readonly clock: Pick<Clock, "now">;
  /** After so many failures in a row the connection is given up. */
  readonly failureThreshold: number;
}

/** Asks a cluster whether it lives. Without a connection there is nobody to ask, and nothing changes. */
export async function probeHealth(
  health: ClusterHealth,
  ask: (() => Promise<unknown>) | undefined,
  { clock, failureThreshold }: ProbeOptions,
): Promise<ProbeVerdict> {
  if (ask === undefined) return { health, tooManyFailures: false, unauthorized: false };
  const asked = clock.now();
  try {
    await ask();
    return { health: afterSuccess(asked), tooManyFailures: false, unauthorized: false };
  } catch (error) {
    const failed = afterFailure(health, asked);
    return {
      health: failed,
      tooManyFailures: failed.consecutiveFailures >= failureThreshold,
      unauthorized: error instanceof ApiError && error.httpCode === 401,
      error,
    };
  }
}

/** A probe or a new connection that came through. */
export function afterSuccess(at: Timestamp): ClusterHealth {
  return { lastProbe: at, lastProbeSuccess: at, consecutiveFailures: 0 };
}

/** A probe that failed, or a connection that could not be made; the last success is remembered. */
export function afterFailure(health: ClusterHealth, at: Timestamp): ClusterHealth {
  return { ...health, lastProbe: at, consecutiveFailures: health.consecutiveFailures + 1 };
}
