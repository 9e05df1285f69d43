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
export async function shownIn(shown: Shown, objects: readonly KubeObject[]): Promise<readonly KubeObject[]> {
  const { definition, version } = shown;
  const apiVersion = apiVersionOf({ group: definition.group, version: version.version });
  const current = broughtUpToDate(shown, objects);
  if (current.every((object) => object.apiVersion === apiVersion)) return current;
  return await converted(shown, current, apiVersion);
}

/** One object as a version shows it. */
export async function oneShownIn(target: Shown, object: KubeObject): Promise<KubeObject> {
  const [shown = object] = await shownIn(target, [object]);
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
  const apiVersion = apiVersionOf(storageOf(definition));
  if (object.apiVersion === apiVersion) return object;
  const [kept = object] = await convertedBy(definition, [object], apiVersion, options);
  const stored = versionOf(definition, apiVersion);
  if (stored === undefined || !isCustom(definition)) return kept;
  return stored.schema.applyDefaults(stored.schema.prune(kept));
}

/** True for an object that is kept as it is. */
export function isKeptAsIs(definition: ResourceDefinition, object: KubeObject): boolean {
  return object.apiVersion === apiVersionOf(storageOf(definition));
}

/** Objects in another version, fresh from whoever converts them. */
export async function convertedBy(
  { conversion }: ResourceDefinition,
  objects: readonly KubeObject[],
  apiVersion: string,
  options: ConversionOptions,
): Promise<readonly KubeObject[]> {
  if (conversion.kind === "by-call") return await conversion.convert(objects, apiVersion, options);
  return objects.map((object) => ({ ...object, apiVersion }));
}

function isOutdated({ since }: ResourceDefinition, { metadata }: KubeObject): boolean {
  return since !== undefined && Number(metadata.resourceVersion) < since;
}

function isCustom({ behaviour }: ResourceDefinition): boolean {
  return !behaviour.strategicPatches;
}

function versionOf({ group, versions }: ResourceDefinition, apiVersion: string): VersionDefinition | undefined {
  return versions.find(({ version }) => apiVersionOf({ group, version }) === apiVersion);
}

type Copies = WeakMap<KubeObject, KubeObject | Promise<KubeObject>>;

/** Stored objects never change, so that one copy in each version, made once or on its way, serves everyone. */
const copiesIn = new WeakMap<VersionDefinition, Copies>();

async function converted(
  shown: Shown,
  objects: readonly KubeObject[],
  apiVersion: string,
): Promise<readonly KubeObject[]> {
  const copies: Copies = copiesIn.get(shown.version) ?? new WeakMap();
  copiesIn.set(shown.version, copies);
  const foreign = objects.filter((object) => object.apiVersion !== apiVersion && !copies.has(object));
  if (shown.definition.conversion.kind === "none") {
    for (const object of foreign) copies.set(object, fitted(shown, { ...object, apiVersion }));
  } else if (foreign.length > 0) {
    // Nobody's impatience ends what others may be waiting for.
    const batch = convertedBy(shown.definition, foreign, apiVersion, {});
    for (const [index, object] of foreign.entries()) copies.set(object, copyOf(object, index));

    async function copyOf(object: KubeObject, index: number): Promise<KubeObject> {
      try {
        const copy = fitted(shown, (await batch)[index] ?? object);
        copies.set(object, copy);
        return copy;
      } catch (error) {
        copies.delete(object);
        throw error;
      }
    }
  }
  const found = objects.map((object) => (object.apiVersion === apiVersion ? object : (copies.get(object) ?? object)));
  return found.every(isAtHand) ? found : await Promise.all(found.map((copy) => Promise.resolve(copy)));
}

function isAtHand(copy: KubeObject | Promise<KubeObject>): copy is KubeObject {
  return !(copy instanceof Promise);
}

/** What the version does not know has no place in it. */
function fitted({ definition, version }: Shown, copy: KubeObject): KubeObject {
  return deepFreeze(isCustom(definition) ? version.schema.prune(copy) : copy);
}

/** What was written under an older schema is read as today's has it. */
function broughtUpToDate({ definition, version }: Shown, objects: readonly KubeObject[]): readonly KubeObject[] {
  const isOld = (object: KubeObject) => isOutdated(definition, object);
  if (definition.since === undefined || !objects.some(isOld)) return objects;
  return objects.map((object) =>
    isOld(object) ? reread(versionOf(definition, object.apiVersion) ?? version, object) : object,
  );
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
