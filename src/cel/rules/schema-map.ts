import { deepEqual, type Json, type JsonObject } from "#machinery";
import { equalResults } from "../values/equal.ts";
import { MapValue } from "../values/map.ts";
import { Failure, type Result, type Value } from "../values/value.ts";
import { spendSteps } from "../values/work.ts";
import { escapeName } from "./escape.ts";

type Reader = (json: Json) => Result;

/** What a schema says about the members of an object. */
type Members =
  | {
      readonly kind: "object";
      readonly fields: ReadonlyMap<string, Reader>;
      /** Property names by the names that rules use. */
      readonly escapedNames: ReadonlyMap<string, string>;
    }
  | { readonly kind: "map"; readonly reader: Reader }
  | { readonly kind: "opaque" };

/** An object of an object: rules see the members that its schema declares. */
export class SchemaMap extends MapValue {
  readonly #value: JsonObject;
  readonly #members: Members;
  /** What was read already, by the names that rules use. */
  readonly #read = new Map<string, Result>();
  #knownNames: readonly string[] | undefined;
  #knownKeys: readonly string[] | undefined;
  #lastKey: string | undefined;
  #lastValue: Result | undefined;

  constructor(value: JsonObject, members: Members) {
    super();
    this.#value = value;
    this.#members = members;
  }

  get size(): number {
    return this.#names.length;
  }

  /** The names of all members. A loop asks for them again and again. */
  get #names(): readonly string[] {
    this.#knownNames ??= Object.keys(this.#value);
    return this.#knownNames;
  }

  find(key: Value): Result | undefined {
    if (typeof key !== "string") return new Failure("no such overload");
    if (key === this.#lastKey) return this.#lastValue;
    const value = this.#read.get(key) ?? this.#readMember(key);
    // A loop asks for the same member again and again.
    this.#lastKey = key;
    this.#lastValue = value;
    return value;
  }

  #readMember(key: string): Result | undefined {
    const name = this.#members.kind === "object" ? this.#members.escapedNames.get(key) : key;
    const value = name === undefined ? undefined : this.#member(name);
    if (value !== undefined) this.#read.set(key, value);
    return value;
  }

  keys(): readonly Value[] {
    this.#knownKeys ??= this.#names
      .filter((name) => this.#reader(name) !== undefined)
      .map((name) => (this.#members.kind === "object" ? (escapeName(name) ?? name) : name));
    return this.#knownKeys;
  }

  override equalTo(other: Value): boolean | Failure {
    if (!(other instanceof MapValue)) return new Failure("no such overload");
    if (this.size !== other.size) return false;
    spendSteps(this.size);
    for (const name of this.#names) {
      const same = this.#reader(name) === undefined ? this.#sameUnknown(name, other) : this.#sameMember(name, other);
      if (same !== true) return same;
    }
    return true;
  }

  #sameMember(name: string, other: MapValue): boolean | Failure {
    const mine = this.#member(name);
    const others = other.find(this.#members.kind === "object" ? (escapeName(name) ?? name) : name);
    if (mine === undefined || others === undefined) return mine === others;
    return equalResults(mine, others);
  }

  /** Members without a schema are compared as they are. */
  #sameUnknown(name: string, other: MapValue): boolean | Failure {
    if (!(other instanceof SchemaMap)) return new Failure("no such overload");
    const others = own(other.#value, name);
    return others === undefined || deepEqual(own(this.#value, name), others);
  }

  #member(name: string): Result | undefined {
    const reader = this.#reader(name);
    const json = own(this.#value, name);
    // A null field of an object counts as absent.
    const isAbsent = json === undefined || (json === null && this.#members.kind === "object");
    if (reader === undefined || isAbsent) return undefined;
    return reader(json);
  }

  #reader(name: string): Reader | undefined {
    if (this.#members.kind === "map") return this.#members.reader;
    return this.#members.kind === "object" ? this.#members.fields.get(name) : undefined;
  }
}

function own(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
