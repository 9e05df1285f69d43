import { type Duration, minutes, milliseconds, seconds } from "#base";

/** How often and how long clusters are tried; all as Cluster API has it, unless told otherwise. */
export interface ClusterCacheSettings {
  /** How long after a connection could not be made it is not tried again. */
  readonly connectRetryInterval: Duration;
  readonly probeInterval: Duration;
  readonly probeTimeout: Duration;
  /** After so many probes in a row that failed the connection is given up. */
  readonly failureThreshold: number;
  /** How soon a cluster that has refused the credentials is connected to anew, possibly with others. */
  readonly unauthorizedRetry: Duration;
  /** When to look at a cluster again if nothing else says so. */
  readonly fallbackInterval: Duration;
  /** How long everything that is cached may take to be there. */
  readonly syncTimeout: Duration;
  /** How long one call may take, with all its waiting and all its retries; watches aside. */
  readonly callTimeout: Duration;
  /** How many clusters may be connected to at the same time. */
  readonly connectsAtOnce: number;
}

/** Cluster API's numbers. */
export const defaultSettings: ClusterCacheSettings = {
  connectRetryInterval: seconds(30),
  probeInterval: seconds(10),
  probeTimeout: seconds(5),
  failureThreshold: 5,
  unauthorizedRetry: milliseconds(1),
  fallbackInterval: seconds(10),
  syncTimeout: minutes(5),
  callTimeout: seconds(10),
  connectsAtOnce: 100,
};
