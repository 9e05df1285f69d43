import type { Duration } from "#base";
import type { GroupVersionResource } from "#machinery";
import type { ConnectionEvent } from "../wire/wire-pool.ts";

/** One request of a call, as metrics and logs want to know it. */
export interface RequestReport {
  readonly verb: string;
  readonly method: string;
  /** Absent for what is no resource, such as discovery. */
  readonly resource?: GroupVersionResource | undefined;
  readonly subresource?: string | undefined;
  /** The HTTP status; absent where there was no answer. */
  readonly status?: number;
  readonly error?: unknown;
  /** Until the beginning of the answer. */
  readonly duration: Duration;
}

/** Is told what a transport does; each hook may be left out, and none may throw. */
export interface TransportObserver {
  onRequest?(report: RequestReport): void;
  /** A request will be sent again after so long. */
  onRetry?(retry: { readonly verb: string; readonly why: string; readonly after: Duration }): void;
  /** A request had to wait for the client's own rate limit. */
  onRateLimited?(wait: Duration): void;
  onConnection?(event: ConnectionEvent): void;
}
