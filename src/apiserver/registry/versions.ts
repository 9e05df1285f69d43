import { apiVersionOf, deepFreeze, type KubeObject } from "#machinery";
import { type ResourceDefinition, storageOf, type VersionDefinition } from "#apiserver/resources";

interface ConversionOptions {
  readonly signal?: AbortSignal;
}

/** A resource in one of its versions. */
interface Shown {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
}

/** Objects as a version of their resource shows them; those that are in it already come back as they are. */
export async function shownIn(
  shown: Shown,
  objects: readonly KubeObject[],
  options: ConversionOptions,
): Promise<readonly KubeObject[]> {
  const { definition, version } = shown;
  const apiVersion = apiVersionOf({ group: definition.group, version: version.version });
  return broughtUpToDate(shown, await converted(definition, objects, apiVersion, options));
}

/** One object as a version shows it. */
export async function oneShownIn(target: Shown, object: KubeObject, options: ConversionOptions): Promise<KubeObject> {
  const [shown = object] = await shownIn(target, [object], options);
  return shown;
}

/** True for an object that a version shows as it is. */
export function isShownAsIs({ definition, version }: Shown, object: KubeObject): boolean {
  const apiVersion = apiVersionOf({ group: definition.group, version: version.version });
  return object.apiVersion === apiVersion && !isOutdated(definition, object);
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

/** True for an object that is kept as it is. */
export function isKeptAsIs(definition: ResourceDefinition, object: KubeObject): boolean {
  return object.apiVersion === apiVersionOf(storageOf(definition));
}

function isOutdated({ since }: ResourceDefinition, { metadata }: KubeObject): boolean {
  return since !== undefined && Number(metadata.resourceVersion) < since;
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

/** What was written under an older schema is shown as today's has it. */
function broughtUpToDate({ definition, version }: Shown, objects: readonly KubeObject[]): readonly KubeObject[] {
  const isOld = (object: KubeObject) => isOutdated(definition, object);
  if (definition.since === undefined || !objects.some(isOld)) return objects;
  return objects.map((object) => (isOld(object) ? reread(version, object) : object));
}

const rereadings = new WeakMap<VersionDefinition, WeakMap<KubeObject, KubeObject>>();

function reread(version: VersionDefinition, object: KubeObject): KubeObject {
  const known = rereadings.get(version) ?? new WeakMap<KubeObject, KubeObject>();
  rereadings.set(version, known);
  const present = known.get(object);
  if (present !== undefined) return present;
  const { schema } = version;
  const fresh = deepFreeze(schema.applyDefaults(schema.prune(object)));
  known.set(object, fresh);
  return fresh;
}
