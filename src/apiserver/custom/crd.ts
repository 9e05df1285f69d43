import type { JsonSchema, KubeObject } from "#machinery";
import type { PrinterColumn, ScalePaths } from "#apiserver/resources";

/** A CustomResourceDefinition that has passed validation. */
export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly scope: "Namespaced" | "Cluster";
    readonly names: CustomResourceNames;
    readonly versions: readonly CustomResourceVersion[];
  };
  readonly status?: {
    readonly conditions?: readonly CrdCondition[] | null;
    readonly acceptedNames?: CustomResourceNames;
    readonly storedVersions?: readonly string[] | null;
  };
}

export interface CustomResourceNames {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

export interface CustomResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: JsonSchema };
  readonly subresources?: { readonly status?: object; readonly scale?: ScalePaths };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
}

export interface CrdCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string | null;
}

export const definitions = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

/** Keeps a definition until all its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** A stored object as the definition that it is. */
export function asDefinition(object: KubeObject): CustomResourceDefinition {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only validated definitions are stored under this resource
  return object as CustomResourceDefinition;
}

export function hasCondition(crd: CustomResourceDefinition, type: string): boolean {
  return (crd.status?.conditions ?? []).some((condition) => condition.type === type && condition.status === "True");
}
