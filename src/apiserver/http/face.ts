import type { Logger } from "#base";
import type { Discovery } from "#apiserver/discovery";
import type { OpenApi } from "#apiserver/openapi";
import type { Engine } from "#apiserver/registry";
import type { AnsweredResource } from "./answered-resource.ts";
import type { FairGate } from "./fair-gate.ts";
import type { HealthCheck } from "./health.ts";
import type { Metrics } from "./metrics.ts";
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
  readonly log: Logger;
  /** Is told of every request that was answered. */
  readonly onAnswered?: (record: AnsweredRequest) => void;
  readonly checks: (endpoint: string) => readonly HealthCheck[];
  /** `host:port`, as `/api` tells it. */
  readonly address: () => string;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** What an audit log wants to know. */
export interface AnsweredRequest {
  readonly auditId: string;
  readonly method: string;
  readonly url: string;
  readonly userAgent: string;
  readonly caller: { readonly name: string; readonly groups: readonly string[] } | undefined;
  readonly code: number;
  /** Milliseconds since 1970. */
  readonly begun: number;
  readonly ended: number;
}
