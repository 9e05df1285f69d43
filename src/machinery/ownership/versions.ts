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

/** An object in its own version, and in others, into each of which it is converted at most once. */
export class InVersions {
  readonly home: Typed;
  readonly #apiVersion: string;
  readonly #versions: Versions | undefined;
  #converted: Map<string, Typed | undefined> | undefined;

  constructor(apiVersion: string, home: Typed, versions: Versions | undefined) {
    this.#apiVersion = apiVersion;
    this.home = home;
    this.#versions = versions;
  }

  /** The object in a version; undefined where that is gone. */
  in(apiVersion: string): Typed | undefined {
    if (apiVersion === this.#apiVersion) return this.home;
    this.#converted ??= new Map();
    if (!this.#converted.has(apiVersion)) this.#converted.set(apiVersion, this.#convert(apiVersion));
    return this.#converted.get(apiVersion);
  }

  #convert(apiVersion: string): Typed | undefined {
    const type = this.#versions?.typeOf(apiVersion);
    const value = type === undefined ? undefined : this.#versions?.convert(this.home.value, apiVersion);
    return type === undefined || value === undefined ? undefined : { value, type };
  }
}
