import { type FieldError, type ObjectMeta, validateMetadata, validateMetadataUpdate } from "#machinery";
import type { ResourceDefinition } from "#apiserver/resources";

/** What is wrong with the metadata of a new object. */
export function metadataProblems(definition: ResourceDefinition, metadata: ObjectMeta): readonly FieldError[] {
  const { namespaced, behaviour } = definition;
  const names = {
    name: (text: string) => behaviour.nameProblems(text, false),
    generateName: (text: string) => behaviour.nameProblems(text, true),
  };
  return validateMetadata(metadata, { namespaced, names, qualifiedFinalizers: behaviour.qualifiedFinalizers });
}

/** What is wrong with the metadata of a changed object. */
export function metadataUpdateProblems(
  definition: ResourceDefinition,
  metadata: ObjectMeta,
  old: ObjectMeta,
): readonly FieldError[] {
  return [...metadataProblems(definition, metadata), ...validateMetadataUpdate(metadata, old)];
}
