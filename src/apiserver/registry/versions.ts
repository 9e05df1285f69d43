import { apiVersionOf, type KubeObject } from "#machinery";
import { type ResourceDefinition, storageOf, type VersionDefinition } from "#apiserver/resources";

interface ConversionOptions {
  readonly signal?: AbortSignal;
}

/** Objects as a version of their resource shows them; those that are in it already come back as they are. */
export async function shownIn(
  { definition, version }: { readonly definition: ResourceDefinition; readonly version: VersionDefinition },
  objects: readonly KubeObject[],
  options: ConversionOptions,
): Promise<readonly KubeObject[]> {
  return await converted(
    definition,
    objects,
    apiVersionOf({ group: definition.group, version: version.version }),
    options,
  );
}

/** One object as a version shows it. */
export async function oneShownIn(
  target: { readonly definition: ResourceDefinition; readonly version: VersionDefinition },
  object: KubeObject,
  options: ConversionOptions,
): Promise<KubeObject> {
  const [shown = object] = await shownIn(target, [object], options);
  return shown;
}

/** An object as it is kept. */
export async function asKept(
  definition: ResourceDefinition,
  object: KubeObject,
  options: ConversionOptions,
): Promise<KubeObject> {
  const [kept = object] = await converted(definition, [object], apiVersionOf(storageOf(definition)), options);
  return kept;
}

async function converted(
  { conversion }: ResourceDefinition,
  objects: readonly KubeObject[],
  apiVersion: string,
  options: ConversionOptions,
): Promise<readonly KubeObject[]> {
  if (objects.every((object) => object.apiVersion === apiVersion)) return objects;
  if (conversion.kind === "by-call") return await conversion.convert(objects, apiVersion, options);
  return objects.map((object) => (object.apiVersion === apiVersion ? object : restamped(object, apiVersion)));
}

const copies = new WeakMap<KubeObject, Map<string, KubeObject>>();

/** Objects are never changed, so that one copy in each version serves everyone. */
function restamped(object: KubeObject, apiVersion: string): KubeObject {
  const known = copies.get(object) ?? new Map<string, KubeObject>();
  copies.set(object, known);
  const present = known.get(apiVersion);
  if (present !== undefined) return present;
  const copy = Object.freeze({ ...object, apiVersion });
  known.set(apiVersion, copy);
  return copy;
}
