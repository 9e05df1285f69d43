import { type FeatureGate, defaultFeatureGates } from "#api";
import { applyMergePatch, asJson, describeFieldError, isJsonObject, type Json, type KubeObject } from "#machinery";
import type { Lookups } from "./lookups.ts";
import { type Review, review } from "./review.ts";
import type { Webhook } from "./webhook.ts";

/** A case of a table: how an object differs from a valid one, and what is wrong with it then. */
export interface ReviewCase {
  readonly change?: Json;
  /** How the stored object differs from the valid one; undefined where there is none. */
  readonly old?: Json;
  readonly gates?: readonly FeatureGate[];
  readonly gatesOff?: readonly FeatureGate[];
  readonly lookups?: Partial<Lookups>;
  readonly errors: readonly string[];
}

/** A world with nothing in it, where variables are always fine. */
export function lookupsWith(known: Partial<Lookups> = {}): Lookups {
  return {
    gates: defaultFeatureGates,
    clusterClass: () => Promise.resolve(undefined),
    clustersUsing: () => Promise.resolve([]),
    upgradeBlockers: () => Promise.resolve([]),
    variables: { validateDefinitions: () => [], fillIn: (_old, cluster) => ({ cluster, errors: [] }) },
    ...known,
  };
}

/** What becomes of a valid object with the changes of a case. */
export function reviewCase(webhook: Webhook, valid: KubeObject, testCase: ReviewCase): Promise<Review> {
  const { change = {}, old, gates = [], gatesOff = [], lookups = {} } = testCase;
  const on = Object.fromEntries(gates.map((gate) => [gate, true]));
  const off = Object.fromEntries(gatesOff.map((gate) => [gate, false]));
  const known = { gates: { ...defaultFeatureGates, ...on, ...off }, ...lookups };
  const write = {
    object: changed(valid, change),
    ...(old === undefined ? {} : { old: changed(valid, old) }),
  };
  return review(webhook, write, lookupsWith(known));
}

/** The errors of a review as they are printed; none where the object is taken. */
export function errorsOf(outcome: Review): readonly string[] {
  switch (outcome.kind) {
    case "taken":
      return [];
    case "refused":
      return outcome.errors.map(describeFieldError);
    case "unfit":
      return ["does not fit the schema"];
  }
}

/** An object with a merge patch applied. */
export function changed(object: KubeObject, change: Json): KubeObject {
  const patched = applyMergePatch(asJson(object), change);
  if (!isJsonObject(patched)) throw new Error("the change replaces the whole object");
  const { apiVersion, kind, metadata } = object;
  return { metadata, ...patched, apiVersion, kind };
}
