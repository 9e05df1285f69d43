import type { FieldError, GroupKind, GroupVersionResource, JsonSchema, KubeObject } from "#machinery";

/** A resource that the server serves: everything the registry has to know of it. */
export interface ResourceDefinition extends GroupKind {
  /** The plural, lower-case name that URLs carry. */
  readonly resource: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** The version that a client should pick comes first. */
  readonly versions: readonly VersionDefinition[];
  /** The version in which objects are kept. */
  readonly storageVersion: string;
  /** Where objects are kept, if not under the names of this definition: two groups can show one store. */
  readonly storedAs?: GroupVersionResource;
  /** The revision since which objects are kept as this definition says; older ones are pruned and defaulted when read. */
  readonly since?: number;
  readonly conversion: Conversion;
  readonly behaviour: ResourceBehaviour;
}

/** One version of a resource. */
export interface VersionDefinition {
  readonly version: string;
  readonly served: boolean;
  readonly schema: ObjectSchema;
  /** How objects are put together: what the account of owners and strategic merge patches go by. */
  readonly structure: JsonSchema;
  readonly subresources: Subresources;
  /** Fields, besides name and namespace, by which lists and watches can select: `spec.nodeName`. */
  readonly selectableFields: readonly string[];
  readonly printerColumns: readonly PrinterColumn[];
  /** Told to every caller of a deprecated version. */
  readonly deprecationWarning?: string;
}

export interface Subresources {
  readonly status: boolean;
  /** Where the finalizers of a namespace are written. */
  readonly finalize?: true;
  /** Where a certificate request is approved or denied: its conditions alone are written. */
  readonly approval?: true;
  readonly scale?: ScalePaths;
}

/** Where an object keeps what `autoscaling/v1` Scale shows, as dotted paths. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly jsonPath: string;
  readonly format?: string;
  readonly description?: string;
  /** Shown only with `-o wide` when above 0. */
  readonly priority?: number;
}

/** What a schema does to the objects of a version. Objects that need no change come back as they are. */
export interface ObjectSchema {
  /** Drops what the schema does not know. */
  prune(object: KubeObject, options?: PruneOptions): KubeObject;
  applyDefaults(object: KubeObject): KubeObject;
  /** What an object is before anybody has set anything: what is written always has no owner. */
  blank?(): KubeObject;
  /** What is wrong with a new object, or with the change of one: what was wrong before and did not change is let be. */
  validate(object: KubeObject, old?: KubeObject): readonly FieldError[];
  /** The same for a write to the status alone, where it is not checked with the rest. */
  validateStatus?(object: KubeObject, old: KubeObject): readonly FieldError[];
}

export interface PruneOptions {
  /** Is told each dropped path, such as `spec.x`. */
  readonly onUnknown?: (path: string) => void;
  /** The stored object, whose parts, where they are the very same, need no second look. */
  readonly older?: KubeObject | undefined;
}

/** How objects are brought from one version to another. */
export type Conversion =
  | { readonly kind: "none" }
  | {
      readonly kind: "by-call";
      /** Keeps number and order. */
      convert(
        objects: readonly KubeObject[],
        apiVersion: string,
        options: { readonly signal?: AbortSignal },
      ): Promise<readonly KubeObject[]>;
    };

/** Where a resource differs from an ordinary custom resource. */
export interface ResourceBehaviour {
  /** Why a name is refused; empty for a good one. `prefix` is true where a generated end will follow. */
  readonly nameProblems: (name: string, prefix: boolean) => readonly string[];
  /** Finalizers have to carry a domain, as those of built-in kinds do. */
  readonly qualifiedFinalizers: boolean;
  /** Takes strategic merge patches, as built-in kinds do. */
  readonly strategicPatches: boolean;
  /** A write without resourceVersion overwrites whatever is there. */
  readonly unconditionalUpdate: boolean;
  /** PUT of an absent object creates it. */
  readonly createOnUpdate: boolean;
  /** A delete answers with the object that is gone, and not with a Status. */
  readonly answersWithDeleted?: true;
  /** `metadata.generation` counts the changes outside metadata and status. */
  readonly countsGenerations: boolean;
  /** Writes to `/status` may change labels, annotations and the like too, as built-in kinds allow. */
  readonly statusWritesMetadata: boolean;
  /** How long an object lives, in seconds, if nobody touches it. */
  readonly lifetimeSeconds?: number;
  /** Fills in what only the server may decide, before admission. */
  readonly prepareForCreate?: (object: KubeObject) => KubeObject;
  readonly prepareForUpdate?: (object: KubeObject, old: KubeObject, subresource: string) => KubeObject;
  readonly validate?: (object: KubeObject) => readonly FieldError[];
  readonly validateUpdate?: (object: KubeObject, old: KubeObject, subresource: string) => readonly FieldError[];
  /** Why nothing is to be created at the moment. */
  readonly refusesCreates?: () => string | undefined;
  /** Things worth telling the caller of a write that is otherwise fine. */
  readonly warnings?: (object: KubeObject) => readonly string[];
  /** Values of selectable fields that are not simply read from the object. */
  readonly selectableValue?: (object: KubeObject, field: string) => string | undefined;
  /** Finalizers, deletionTimestamp and the like that a delete sets besides the usual; a namespace becomes Terminating. */
  readonly markDeleted?: (object: KubeObject) => KubeObject;
  /** True while an object that is being deleted may not go yet, whatever its finalizers say. */
  readonly heldBack?: (object: KubeObject) => boolean;
}

/** The definition of one version, or nothing where it is not served. */
export function servedVersion(definition: ResourceDefinition, version: string): VersionDefinition | undefined {
  return definition.versions.find((each) => each.version === version && each.served);
}

/** Names a resource in a version. */
export function resourceOf(definition: ResourceDefinition, version: string): GroupVersionResource {
  return { group: definition.group, version, resource: definition.resource };
}

/** Where the objects of a resource are kept, and in which version. */
export function storageOf(definition: ResourceDefinition): GroupVersionResource {
  return definition.storedAs ?? resourceOf(definition, definition.storageVersion);
}
