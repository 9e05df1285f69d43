import { compatibilityVersion, everyVersion, hasRules, type MinorVersion } from "#cel";
import type { JsonSchema } from "#machinery";
import { skeletonOf } from "./skeleton.ts";

/** What decides, besides a schema, whether it is sound. */
export interface Circumstances {
  readonly oldSchema?: JsonSchema | undefined;
  readonly celVersion?: MinorVersion | undefined;
}

const mostSkeletons = 1_000;
const skeletons = new Map<string, Set<MinorVersion>>();
const versions = new WeakMap<JsonSchema, Set<MinorVersion>>();
const parts = new WeakSet<JsonSchema>();

/** True for the schema of a variable that was found sound under the same circumstances. */
export function isKnownSound(schema: JsonSchema, circumstances: Circumstances): boolean {
  const version = versionFor(schema, circumstances);
  return version !== undefined && versions.get(schema)?.has(version) === true;
}

/** True where nothing but a default can be wrong, because a schema that says the same otherwise was found sound. */
export function isSoundButDefaults(schema: JsonSchema, circumstances: Circumstances): boolean {
  const version = versionFor(schema, circumstances);
  const skeleton = version === undefined ? undefined : skeletonOf(schema);
  if (version === undefined || skeleton === undefined) return false;
  return skeletons.get(skeleton)?.has(version) === true;
}

/** True for a part that is sound in whatever schema it stands, because no rule inside asks for what is around. */
export function isSoundPart(part: JsonSchema): boolean {
  return parts.has(part);
}

/** Remembers the schema of a variable that nothing was found wrong with. */
export function rememberSound(schema: JsonSchema, circumstances: Circumstances): void {
  for (const part of Object.values(schema.properties ?? {})) if (!parts.has(part) && !hasRules(part)) parts.add(part);
  const version = versionFor(schema, circumstances);
  if (version === undefined) return;
  versions.set(schema, (versions.get(schema) ?? new Set()).add(version));
  const skeleton = skeletonOf(schema);
  if (skeleton === undefined) return;
  if (skeletons.size >= mostSkeletons) skeletons.clear();
  skeletons.set(skeleton, (skeletons.get(skeleton) ?? new Set()).add(version));
}

/** What the expressions of a schema may use; undefined where that is not the same for all of them. */
function versionFor(schema: JsonSchema, { oldSchema, celVersion }: Circumstances): MinorVersion | undefined {
  if (oldSchema === schema) return everyVersion;
  return oldSchema === undefined || !hasRules(oldSchema) ? (celVersion ?? compatibilityVersion) : undefined;
}
