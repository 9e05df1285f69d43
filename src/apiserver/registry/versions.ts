import { apiVersionOf, type KubeObject, kindOf } from "#machinery";
import type { ResourceDefinition } from "#apiserver/resources";

/** Objects of a resource in another version; those that are in it already come back as they are. */
export async function inVersion(
  definition: ResourceDefinition,
  objects: readonly KubeObject[],
  version: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly KubeObject[]> {
  const { conversion } = definition;
  const apiVersion = apiVersionOf({ group: definition.group, version });
  if (objects.every((object) => object.apiVersion === apiVersion)) return objects;
  if (conversion.kind === "webhook") return await conversion.convert(objects, version, options);
  return objects.map((object) => (object.apiVersion === apiVersion ? object : restamp(object, apiVersion)));
}

/** One object in another version. */
export async function oneInVersion(
  definition: ResourceDefinition,
  object: KubeObject,
  version: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<KubeObject> {
  if (kindOf(object).version === version) return object;
  const [converted = object] = await inVersion(definition, [object], version, options);
  return converted;
}

const restamped = new WeakMap<KubeObject, Map<string, KubeObject>>();

/** Objects are frozen, so that one copy per version serves everyone. */
function restamp(object: KubeObject, apiVersion: string): KubeObject {
  const copies = restamped.get(object) ?? new Map<string, KubeObject>();
  restamped.set(object, copies);
  const present = copies.get(apiVersion);
  if (present !== undefined) return present;
  const copy = Object.freeze({ ...object, apiVersion });
  copies.set(apiVersion, copy);
  return copy;
}
