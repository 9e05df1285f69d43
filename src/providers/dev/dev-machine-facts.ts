import type { Duration, Timestamp } from "#base";
import type { Summary } from "#conditions";

/** What is known of a DevMachine. */
export interface DevMachineFacts {
  readonly now: Timestamp;
  readonly gate: Gate;
  readonly vm: Startup;
  readonly node: Startup;
}

/** What a machine waits for before it is started at all. */
export type Gate =
  | { readonly kind: "not-looked" }
  | { readonly kind: "no-machine" }
  | { readonly kind: "cluster-infrastructure" }
  | { readonly kind: "control-plane" }
  | { readonly kind: "bootstrap-data" }
  | { readonly kind: "open" };

/** How far something is that takes its time to come up. */
export type Startup =
  | { readonly kind: "not-started" }
  | { readonly kind: "starting"; readonly left: Duration }
  | { readonly kind: "up" }
  | { readonly kind: "failed"; readonly error: string };

/** What the conditions of a DevMachine say together. */
export interface DevMachineSummary {
  readonly summary: Summary;
}
