import type { ServedKind } from "#client";
import type { KubeObject } from "#machinery";
import { matcherOf } from "../object-matcher.ts";

/** Which objects of a kind a cache holds; all of them, unless told otherwise. */
export interface CacheSelection {
  readonly namespaces?: readonly string[];
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** A selection that is ready to be asked. */
export interface Selected {
  /** What a server is asked for, namespace by namespace; the empty one stands for all. */
  readonly namespaces: readonly string[];
  readonly selectors: Omit<CacheSelection, "namespaces">;
  /** Whether objects of a namespace can be in it; no namespace stands for all that can. */
  holds(namespace: string | undefined): boolean;
  includes(object: KubeObject): boolean;
}

/** Makes a selection ready; what is cluster-wide is in no namespace. */
export function selectedBy({ namespaced }: ServedKind, selection: CacheSelection): Selected {
  const { namespaces: given = [], labelSelector, fieldSelector } = selection;
  const namespaces = namespaced && given.length > 0 ? given : [""];
  const isEverywhere = namespaces.includes("");
  const selectors = {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
  const matches = matcherOf(selectors) ?? (() => true);
  return {
    namespaces,
    selectors,
    holds: (namespace = "") => isEverywhere || namespace === "" || namespaces.includes(namespace),
    includes: (object) => (isEverywhere || namespaces.includes(object.metadata.namespace ?? "")) && matches(object),
  };
}
