import { quote } from "#base";

/** What one pass learned about a ClusterClass. */
export interface ClassFacts {
  readonly className: string;
  readonly references: ReferenceFacts;
  /** What went wrong with extensions and their variables, in the order in which the patches were asked. */
  readonly problems: readonly DiscoveryProblem[];
  /** Names of variables whose definitions have different schemas. */
  readonly conflicts: readonly string[];
}

/** What became of the references to templates. */
export type ReferenceFacts =
  | { readonly kind: "followed"; readonly outdated: readonly OutdatedReference[] }
  | { readonly kind: "failed"; readonly errors: readonly string[] };

/** A reference to a template in a version that is not the one the contract asks for. */
export interface OutdatedReference {
  readonly kind: string;
  readonly name: string;
  readonly current: string;
  readonly latest: string;
}

/** One thing that kept the variables of a patch from being known. */
export type DiscoveryProblem =
  | { readonly kind: "call-failed"; readonly patch: string; readonly error: string }
  | { readonly kind: "refused"; readonly patch: string; readonly status: string; readonly message: string }
  | { readonly kind: "not-convertible"; readonly variable: string }
  | { readonly kind: "invalid"; readonly patch: string; readonly errors: readonly string[] };

/** A problem in words; what is wrong with variables takes one message each. */
export function describeProblem(problem: DiscoveryProblem): readonly string[] {
  switch (problem.kind) {
    case "call-failed":
      return [`failed to call DiscoverVariables for patch ${problem.patch}: ${problem.error}`];
    case "refused":
      return [`patch ${problem.patch} returned status ${quote(problem.status)} with message ${quote(problem.message)}`];
    case "not-convertible":
      return [`failed to convert variable ${problem.variable} to v1beta2`];
    case "invalid":
      return problem.errors;
  }
}
