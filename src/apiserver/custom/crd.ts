import type { CustomResourceDefinition, KubeObject } from "#machinery";

export const definitions = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" };

/** Keeps a definition until all its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/** A stored object as the definition that it is. */
export function asDefinition(object: KubeObject): CustomResourceDefinition {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only validated definitions are stored under this resource
  return object as CustomResourceDefinition;
}

/** True for a definition that is on its way out. */
export function isTerminating({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined;
}
