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
  // What is stored has been checked when it came, so that what is the very same is fine.
  const isChecked = givenFields.every((name) => metadata[name] === old[name]);
  const problems = isChecked ? [] : metadataProblems(definition, metadata);
  return [...problems, ...validateMetadataUpdate(metadata, old)];
}

const givenFields = [
  "name",
  "generateName",
  "namespace",
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
] as const;
