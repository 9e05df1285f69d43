import { apiVersionOf, encodeJson, type JsonObject, type KubeObject, objectTypeOf, type Versions } from "#machinery";
import type { ResourceDefinition } from "#apiserver/resources";
import type { BodyOptions } from "./body.ts";
import type { Request } from "./engine.ts";
import { convertedBy } from "./versions.ts";

/**
 * Lets an account of owners compare what they own in versions other than that of the request. Where versions differ in
 * nothing but their name that is done at once: most writes never wait between looking at an object and changing it.
 */
export function acrossVersions<T>(request: Request<BodyOptions>, account: (versions: Versions) => T): T | Promise<T> {
  const { definition } = request.target;
  if (definition.conversion.kind === "none") return account(renaming(definition));
  return afterConversions(request, account);
}

/** An account cannot wait, and conversions have to be waited for: where one is missing the account is drawn up anew. */
async function afterConversions<T>(
  { target, options }: Request<BodyOptions>,
  account: (versions: Versions) => T,
): Promise<T> {
  const { definition } = target;
  const known = new Map<string, JsonObject>();
  const versions: Versions = {
    ...renaming(definition),
    convert(object, apiVersion) {
      const converted = known.get(nameOf(object, apiVersion));
      if (converted === undefined) throw new MissingConversion(object, apiVersion);
      return converted;
    },
  };
  for (;;) {
    try {
      return account(versions);
    } catch (error) {
      if (!(error instanceof MissingConversion)) throw error;
      const { object, apiVersion } = error;
      const [converted] = await convertedBy(definition, [asObject(object)], apiVersion, options);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- objects of the API are JSON
      known.set(nameOf(object, apiVersion), (converted ?? object) as unknown as JsonObject);
    }
  }
}

/** Asked for by an account that has to be drawn up anew; never leaves this file. */
class MissingConversion extends Error {
  readonly object: JsonObject;
  readonly apiVersion: string;

  constructor(object: JsonObject, apiVersion: string) {
    super(`an object is missing in version ${apiVersion}`);
    this.object = object;
    this.apiVersion = apiVersion;
  }
}

const renamings = new WeakMap<ResourceDefinition, Versions>();

/** Versions that differ in nothing but their name. */
function renaming(definition: ResourceDefinition): Versions {
  const known = renamings.get(definition);
  if (known !== undefined) return known;
  const { group, versions } = definition;
  const made: Versions = {
    typeOf(apiVersion) {
      const found = versions.find(({ version }) => apiVersionOf({ group, version }) === apiVersion);
      return found && objectTypeOf(found.structure);
    },
    convert: (object, apiVersion) => ({ ...object, apiVersion }),
  };
  renamings.set(definition, made);
  return made;
}

/** The same object, made anew, has the same name. */
function nameOf(object: JsonObject, apiVersion: string): string {
  return `${apiVersion} ${encodeJson(object)}`;
}

function asObject(object: JsonObject): KubeObject {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- accounts are drawn up over whole objects
  return object as unknown as KubeObject;
}

/** Goes on with a value: at once where it is at hand. */
export function withValue<T, R>(value: T | Promise<T>, go: (value: T) => R): R | Promise<R> {
  return value instanceof Promise ? value.then(go) : go(value);
}
