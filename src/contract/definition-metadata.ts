import type { ServedKind } from "#client";
import type { KindSettings, ReadOptions } from "#control";
import { type GroupKind, type KubeObject, type ObjectMeta, pluralOf } from "#machinery";
import { DefinitionMetadataError } from "./errors.ts";
import type { ObjectReader } from "./object-reader.ts";

const definitions = { group: "apiextensions.k8s.io", version: "v1" } as const;

/** The kind of definitions, of which only the metadata counts here. */
const CustomResourceDefinition: ServedKind = {
  ...definitions,
  kind: "CustomResourceDefinition",
  resource: { ...definitions, resource: "customresourcedefinitions" },
  namespaced: false,
  is: (object): object is KubeObject => object.kind === "CustomResourceDefinition",
};

/** For managers: of definitions, which are large and many, metadata alone is kept in memory. */
export const definitionsInMemory: KindSettings = { kind: CustomResourceDefinition, metadataOnly: true };

/** The name under which providers have to install the definition of a kind: `<plural>.<group>`. */
export function definitionName({ group, kind }: GroupKind): string {
  return `${pluralOf(kind.toLowerCase())}.${group}`;
}

/** Reads the metadata of the definition of a kind: its labels say which versions fulfil which contract. */
export async function getDefinitionMetadata(
  reader: ObjectReader,
  groupKind: GroupKind,
  options: ReadOptions = {},
): Promise<ObjectMeta> {
  const name = definitionName(groupKind);
  try {
    const { metadata } = await reader.get(CustomResourceDefinition, { name }, options);
    return metadata;
  } catch (cause) {
    throw new DefinitionMetadataError(name, cause);
  }
}
