import { compatibilityVersion, everyVersion, hasRules, type MinorVersion } from "#cel";
import { deepEqual, defaultAcceptance, FieldPath, type Json } from "#machinery";
import { schemaOf } from "./schema-of.ts";
import { type DefaultPlace, type Skeleton, skeletonOf } from "./skeleton.ts";

/** What decides, besides a schema, whether it is sound. */
export interface Circumstances {
  /** The schema before the change, as it was written. */
  readonly before: unknown;
  readonly celVersion: MinorVersion | undefined;
}

/** A schema in a form in which it can be looked up among those that are known to be sound. */
export interface Likeness {
  readonly key: string;
  readonly defaults: readonly DefaultPlace[];
}

// The limit bounds the memory that this takes.
const mostSchemas = 1_000;
const sound = new Map<string, SoundSchema>();

/** What schemas have in common that are sound under the same circumstances; undefined for one that is like no other. */
export function likenessOf(schema: unknown, circumstances: Circumstances): Likeness | undefined {
  const skeleton = skeletonOf(schema);
  if (skeleton === undefined) return undefined;
  const version = versionFor(skeleton, circumstances);
  return version === undefined ? undefined : { key: `${version} ${skeleton.text}`, defaults: skeleton.defaults };
}

/** True where a schema like this one was found sound, and could have the defaults of this one. */
export function isKnownSound({ key, defaults }: Likeness): boolean {
  return sound.get(key)?.acceptsDefaults(defaults) === true;
}

/** Remembers a schema that nothing was found wrong with. */
export function rememberSound({ key, defaults }: Likeness): void {
  if (sound.size >= mostSchemas) sound.clear();
  sound.set(key, new SoundSchema(defaults));
}

/** What the expressions of a schema may use; undefined where that is not the same for all of them. */
function versionFor(
  skeleton: Skeleton,
  { before, celVersion = compatibilityVersion }: Circumstances,
): MinorVersion | undefined {
  if (before === undefined) return celVersion;
  const old = skeletonOf(before);
  if (old?.text === skeleton.text) return everyVersion;
  return old === undefined || old.text.includes("x-kubernetes-validations") ? undefined : celVersion;
}

/** A sound schema and which defaults it could have as well as its own. */
class SoundSchema {
  readonly #defaults: readonly DefaultPlace[];
  #checks: readonly ((value: Json) => boolean)[] | undefined;

  constructor(defaults: readonly DefaultPlace[]) {
    this.#defaults = defaults;
  }

  acceptsDefaults(others: readonly DefaultPlace[]): boolean {
    return others.every(({ value }, index) => this.#acceptsDefault(value, index));
  }

  #acceptsDefault(value: Json, index: number): boolean {
    const own = this.#defaults[index];
    if (own !== undefined && (own.value === value || deepEqual(own.value, value))) return true;
    this.#checks ??= this.#defaults.map(defaultCheck);
    return this.#checks[index]?.(value) === true;
  }
}

/** Rules would have to be run, so that a default that they judge is left to the full check. */
function defaultCheck({ part }: DefaultPlace): (value: Json) => boolean {
  const { schema } = schemaOf(part, FieldPath.root);
  return hasRules(schema) ? () => false : defaultAcceptance(schema);
}
