import type { Timestamp } from "#base";
import type { ProviderLookup } from "#contract";
import type { NodeFacts } from "./facts.ts";

/** What one pass knows about a Machine besides its Node. */
export interface MachineFacts extends NodeFacts {
  readonly bootstrap: {
    readonly config: ProviderLookup;
    /** True once status.initialization.bootstrapDataSecretCreated is. */
    readonly dataSecretCreated: boolean;
  };
  readonly infrastructure: {
    readonly object: ProviderLookup;
    /** True once status.initialization.infrastructureProvisioned is. */
    readonly provisioned: boolean;
  };
  readonly update: UpdateFacts;
  readonly deletion: DeletionFacts;
}

/** How far an update in place has come. */
export type UpdateFacts =
  | { readonly kind: "none" }
  | { readonly kind: "in-progress"; readonly message: string }
  | { readonly kind: "failed"; readonly message: string };

/** How far a Machine is on its way out. */
export type DeletionFacts =
  | { readonly kind: "not-deleting" }
  /** The steps of the deletion were not run in this pass. */
  | { readonly kind: "not-looked" }
  | { readonly kind: "started" }
  | { readonly kind: "pre-drain-hooks"; readonly hooks: readonly string[] }
  | { readonly kind: "draining"; readonly message: string }
  | { readonly kind: "volumes"; readonly message: string }
  | { readonly kind: "pre-terminate-hooks"; readonly hooks: readonly string[] }
  | { readonly kind: "infrastructure"; readonly message: string }
  | { readonly kind: "bootstrap"; readonly message: string }
  | { readonly kind: "node"; readonly message: string }
  | { readonly kind: "completed" }
  | { readonly kind: "failed"; readonly error: string };

/** What decides whether a Machine counts as available. */
export interface AvailableFacts {
  readonly now: Timestamp;
  readonly ready:
    | { readonly kind: "missing" }
    | { readonly kind: "reported"; readonly isTrue: boolean; readonly since?: Timestamp };
  readonly minReadySeconds: number;
}
