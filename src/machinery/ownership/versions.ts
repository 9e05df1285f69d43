import type { JsonObject } from "../json.ts";
import type { ValueType } from "./value-type.ts";

/** The other API versions of a kind, in which managers may have written. */
export interface Versions {
  /** The type of objects in a version; undefined for a version that is gone, whose managers are then forgotten. */
  typeOf(apiVersion: string): ValueType | undefined;
  /**
   * An object in another version; while an apply prunes it, parts of it other than metadata may be missing.
   * What it throws fails the write: no manager is forgotten over it.
   */
  convert(object: JsonObject, apiVersion: string): JsonObject;
}

/** An object in one version, together with its type there. */
export interface Typed {
  readonly value: JsonObject;
  readonly type: ValueType;
}

/** Finds an object in other versions, converting it at most once into each. */
export class InVersions {
  readonly #home: string;
  readonly #versions: Versions | undefined;
  readonly #found = new Map<string, Typed | undefined>();

  constructor(apiVersion: string, object: Typed, versions: Versions | undefined) {
    this.#home = apiVersion;
    this.#versions = versions;
    this.#found.set(apiVersion, object);
  }

  in(apiVersion: string): Typed | undefined {
    if (this.#found.has(apiVersion)) return this.#found.get(apiVersion);
    const type = this.#versions?.typeOf(apiVersion);
    const home = this.#found.get(this.#home);
    const value =
      type === undefined || home === undefined ? undefined : this.#versions?.convert(home.value, apiVersion);
    const typed = type === undefined || value === undefined ? undefined : { value, type };
    this.#found.set(apiVersion, typed);
    return typed;
  }
}
