import type { Clock, Duration } from "#base";
import { minutes, seconds } from "#base";
import type { ReasonSpelling } from "#conditions";
import type { Reader } from "#control";
import type { KubeObject, ObjectKey } from "#machinery";
import type { KindJudge } from "./judged-object.ts";
import type { KnownFacts } from "./known-facts.ts";

/** How the Nodes of a workload cluster can be seen. */
export type NodeSight =
  | { readonly kind: "seen"; readonly reader: Reader }
  | { readonly kind: "not-connected" }
  | { readonly kind: "unknown" };

/** What a manager's last pass over an object came to. */
export interface LastPass {
  readonly at: string;
  readonly outcome: string;
  readonly next: string;
  readonly errors: readonly string[];
}

/** Where explanations come from: a running plane, or a dump of one. */
export interface Situation {
  /** `live` and `dump` differ in words alone. */
  readonly kind: "live" | "dump";
  readonly reader: Reader;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly spelling: ReasonSpelling;
  readonly gracePeriods: ExplainGracePeriods;
  /** Facts that no object holds, as far as somebody knows them. */
  readonly known: (kind: string, object: KubeObject) => Promise<KnownFacts>;
  readonly nodes: (cluster: ObjectKey) => Promise<NodeSight>;
  readonly lastPass: (kind: string, object: KubeObject) => Promise<LastPass | undefined>;
  /** For kinds whose tables this room does not know. */
  readonly judges?: readonly KindJudge[];
  /** What was taken for granted, in sentences. */
  readonly notes: () => readonly string[];
}

/** How long the last good probe stands, as the manager's flags of the same names say. */
export interface ExplainGracePeriods {
  readonly remoteConnection: Duration;
  readonly remoteConditions: Duration;
}

/** Those of Cluster API. */
export const defaultGracePeriods: ExplainGracePeriods = {
  remoteConnection: seconds(50),
  remoteConditions: minutes(5),
};
