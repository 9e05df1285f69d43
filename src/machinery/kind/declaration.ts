import type { PrinterColumn, ScalePaths } from "../crd/definition.ts";
import type { KubeObject } from "../object.ts";
import type { Fields } from "./field.ts";

/** How one version of a kind looks. */
export interface VersionDeclaration<F extends Fields = Fields> {
  /** What the kind is for, in one sentence. */
  readonly description: string;
  /** What an object holds besides apiVersion, kind and metadata. */
  readonly fields: F;
  /** True where an object without metadata is refused. */
  readonly requiresMetadata?: boolean;
  readonly columns?: readonly PrinterColumn[];
  /** True where `status` is written through a resource of its own. */
  readonly hasStatus?: boolean;
  readonly scale?: ScalePaths;
}

/** A version that is still served, but no longer stored: how it looks, and how it is turned into the stored one. */
export interface OlderVersion extends VersionDeclaration {
  readonly version: string;
  readonly served: boolean;
  readonly deprecationWarning?: string;
  readonly toStored: (object: KubeObject) => KubeObject;
  readonly fromStored: (object: KubeObject) => KubeObject;
}

/** Everything there is to say about a kind. */
export interface KindDeclaration<
  Group extends string = string,
  Version extends string = string,
  Name extends string = string,
  F extends Fields = Fields,
> extends VersionDeclaration<F> {
  readonly group: Group;
  /** The version that is stored. */
  readonly version: Version;
  readonly kind: Name;
  readonly plural: string;
  readonly scope?: "Namespaced" | "Cluster";
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Labels of the CustomResourceDefinition. */
  readonly labels?: { readonly [key: string]: string };
  /** Oldest first. */
  readonly olderVersions?: readonly OlderVersion[];
}
