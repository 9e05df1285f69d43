/** What one pass knows about an ExtensionConfig. */
export interface DiscoveryFacts {
  /** The ExtensionConfig, as messages name it. */
  readonly config: string;
  /** A reading manager only takes over what a writing one has found out. */
  readonly mode: "writing" | "reading";
  readonly registry: "cold" | "ready";
  readonly deleting: boolean;
  readonly pause: PauseFact;
  /** What a reading manager thinks of what it found. */
  readonly validity: ValidityFact;
  readonly authority: AuthorityFact;
  readonly discovery: DiscoveryFact;
  readonly status: StatusFact;
}

/** Whether the object is to be left alone. */
export type PauseFact =
  | { readonly kind: "none" }
  | { readonly kind: "paused" }
  /** The condition that says so was written in this pass, and brings the next one. */
  | { readonly kind: "just-noted" }
  | { readonly kind: "not-noted"; readonly error: string };

/** Whether an ExtensionConfig can be used as it stands. */
export type ValidityFact = { readonly kind: "valid" } | { readonly kind: "invalid"; readonly error: string };

/** Whether the certificate authority is the one that the Secret has, where one is named. */
export type AuthorityFact = { readonly kind: "settled" } | { readonly kind: "failed"; readonly error: string };

/** What came of asking the extension. */
export type DiscoveryFact =
  | { readonly kind: "not-tried" }
  | { readonly kind: "found"; readonly handlers: readonly string[] }
  | { readonly kind: "failed"; readonly error: string };

/** Whether what was found out stands in the status. */
export type StatusFact = { readonly kind: "written" } | { readonly kind: "not-written"; readonly error: string };

/** Why an extension could not be asked, with its ExtensionConfig. */
export function describeDiscoveryFailure(config: string, error: string): string {
  return `failed to discover ExtensionConfig ${config}: ${error}`;
}
