import type { Type } from "../check/type.ts";
import type { DeclaredType } from "./declared-type.ts";
import { isReserved } from "./escape.ts";

/** The fields of the struct types that expressions can meet. Nothing is looked at before an expression asks for it. */
export class StructFields {
  readonly #pending: DeclaredType[] = [];
  readonly #structs = new Map<string, NonNullable<DeclaredType["fields"]>>();
  readonly #known = new Map<string, ReadonlyMap<string, Type>>();

  /** Takes all struct types inside a declared type. */
  add(declared: DeclaredType): void {
    this.#pending.push(declared);
  }

  /** The fields of the struct type with a name. */
  of(name: string): ReadonlyMap<string, Type> | undefined {
    for (const declared of this.#pending.splice(0)) this.#collect(declared);
    const known = this.#known.get(name);
    const struct = this.#structs.get(name);
    if (known !== undefined || struct === undefined) return known;
    const fields = new Map([...struct].flatMap(([field, { type }]) => namesOf(field).map((each) => [each, type])));
    this.#known.set(name, fields);
    return fields;
  }

  #collect({ type, fields, element }: DeclaredType): void {
    if (fields !== undefined) {
      this.#structs.set(type.name, fields);
      for (const field of fields.values()) this.#collect(field);
    }
    if (element !== undefined) this.#collect(element);
  }
}

/** A reserved word can be reached as it is, too. */
function namesOf(escaped: string): readonly string[] {
  if (!escaped.startsWith("__")) return [escaped];
  const [, word = ""] = /^__(.+)__$/.exec(escaped) ?? [];
  return isReserved(word) ? [escaped, word] : [escaped];
}
