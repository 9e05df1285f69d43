import { dirname, isAbsolute, join } from "node:path";
import { isJsonObject, type Json, type JsonObject, member } from "#machinery";
import { KubeconfigError } from "../errors.ts";

/** A part of a kubeconfig file whose fields are read one by one, each with a complaint that says where it stands. */
export class ConfigFields {
  readonly file: string;
  readonly #path: string;
  readonly #fields: JsonObject;

  constructor(file: string, path: string, fields: JsonObject) {
    this.file = file;
    this.#path = path;
    this.#fields = fields;
  }

  /** A text; an empty one counts as absent, as it does for kubectl. */
  text(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (typeof value !== "string") throw this.problem(name, "must be a text");
    return value === "" ? undefined : value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw this.problem(name, "must be set");
    return value;
  }

  flag(name: string): boolean {
    const value = this.#value(name) ?? false;
    if (typeof value !== "boolean") throw this.problem(name, "must be true or false");
    return value;
  }

  texts(name: string): readonly string[] {
    const list = this.#list(name);
    const texts = list.filter((item) => typeof item === "string");
    if (texts.length < list.length) throw this.problem(name, "must be a list of texts");
    return texts;
  }

  /** The base64 content of a field. */
  bytes(name: string): Buffer | undefined {
    const encoded = this.text(name)?.replaceAll(/\s/g, "");
    if (encoded === undefined) return undefined;
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) || encoded.length % 4 !== 0)
      throw this.problem(name, "is not valid base64");
    return Buffer.from(encoded, "base64");
  }

  /** A file; a relative one lies beside the kubeconfig. */
  filePath(name: string): string | undefined {
    const path = this.text(name);
    return path === undefined || isAbsolute(path) ? path : join(dirname(this.file), path);
  }

  /** The fields inside a field. */
  inside(name: string): ConfigFields | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (!isJsonObject(value)) throw this.problem(name, "must be an object");
    return new ConfigFields(this.file, this.#pathOf(name), value);
  }

  /** The members of a list of named entries, such as `users`, each with what it holds under `inner`. */
  named(name: string, inner: string): ReadonlyMap<string, ConfigFields> {
    const entries = new Map<string, ConfigFields>();
    for (const [index, item] of this.#list(name).entries()) {
      if (!isJsonObject(item)) throw this.problem(`${name}[${index}]`, "must be an object");
      const path = this.#pathOf(`${name}[${index}]`);
      const entryName = new ConfigFields(this.file, path, item).requiredText("name");
      const entryPath = this.#pathOf(`${name}[${entryName}]`);
      const fields =
        new ConfigFields(this.file, entryPath, item).inside(inner) ?? new ConfigFields(this.file, entryPath, {});
      if (!entries.has(entryName)) entries.set(entryName, fields);
    }
    return entries;
  }

  /** The objects of a list. */
  objects(name: string): readonly ConfigFields[] {
    return this.#list(name).map((item, index) => {
      const at = `${name}[${index}]`;
      if (!isJsonObject(item)) throw this.problem(at, "must be an object");
      return new ConfigFields(this.file, this.#pathOf(at), item);
    });
  }

  /** Whatever stands in a field, for handing on. */
  json(name: string): Json | undefined {
    return this.#value(name);
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  names(): readonly string[] {
    return Object.keys(this.#fields);
  }

  /** The error about one of the fields. */
  problem(name: string, problem: string, cause?: unknown): KubeconfigError {
    return new KubeconfigError({ file: this.file, field: this.#pathOf(name) }, problem, cause);
  }

  #value(name: string): Json | undefined {
    return member(this.#fields, name) ?? undefined;
  }

  #list(name: string): readonly Json[] {
    const value = this.#value(name) ?? [];
    if (!Array.isArray(value)) throw this.problem(name, "must be a list");
    return value;
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}.${name}`;
  }
}
