import type { Logger } from "#base";
import type { JsonObject, Status } from "#machinery";
import type { Caller } from "#apiserver/admission";
import type { Discovery } from "#apiserver/discovery";
import type { OpenApi } from "#apiserver/openapi";
import type { Engine } from "#apiserver/registry";
import type { AnsweredResource } from "#apiserver/auth";
import type { Deadlines } from "./deadlines.ts";
import type { FairGate } from "./fair-gate.ts";
import type { HealthCheck } from "./health.ts";
import type { Metrics } from "./metrics.ts";
import type { Attributes } from "#apiserver/auth";
import type { Security } from "./security.ts";

/** Everything that requests are served with. */
export interface Face {
  readonly engine: Engine;
  readonly security: Security;
  readonly discovery: Discovery;
  readonly openApi: OpenApi;
  readonly answered: readonly AnsweredResource[];
  readonly metrics: Metrics;
  readonly reads: FairGate;
  readonly writes: FairGate;
  /** Ends what takes too long. */
  readonly deadlines: Deadlines;
  readonly log: Logger;
  /** Is told of every request that was answered. */
  readonly onAnswered?: (record: AnsweredRequest) => void;
  /** Documents that others publish here, by path. */
  readonly documents: () => Promise<{ readonly [path: string]: JsonObject }>;
  readonly checks: (endpoint: string) => readonly HealthCheck[];
  /** `host:port`, as `/api` tells it. */
  readonly address: () => string;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** What an audit log wants to know. */
export interface AnsweredRequest {
  /** The id that the client sent as Audit-ID, or a new one. */
  readonly id: string;
  /** The path with its query. */
  readonly uri: string;
  readonly attributes: Attributes;
  /** Undefined for one whose credentials were refused. */
  readonly caller: Caller | undefined;
  /** From the client on, over proxies, to who connected. */
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  /** The HTTP code. */
  readonly code: number;
  /** The Status that was answered, where it was one. */
  readonly status?: Status;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly answeredAt: number;
}
