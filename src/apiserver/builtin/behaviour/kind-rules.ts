import type { ResourceBehaviour, ScalePaths } from "#apiserver/resources";
import { subdomainNames } from "./names.ts";

/** What is written by hand about a built-in kind: all that its data does not say. */
export interface KindRules {
  /** Where it differs from an ordinary kind. */
  readonly behaviour?: Partial<ResourceBehaviour>;
  /** Fields, besides name and namespace, by which lists and watches can select. */
  readonly selectableFields?: readonly string[];
  readonly scale?: ScalePaths;
  /** Told to every caller. */
  readonly deprecationWarning?: string;
}

/** Most kinds are like this: named by a subdomain, overwritten without a word, and without a generation. */
export const ordinary: ResourceBehaviour = {
  nameProblems: subdomainNames,
  qualifiedFinalizers: true,
  strategicPatches: true,
  statusWritesMetadata: true,
  unconditionalUpdate: true,
  createOnUpdate: false,
  countsGenerations: false,
};
