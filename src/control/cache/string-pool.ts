import { deepestJson, JsonTooDeepError } from "#machinery";

// The platform keeps shorter texts once by itself; longer ones seldom come twice.
const shortest = 11;
const longest = 128;
// Twice as many are remembered at most, so that names that never come again do not fill memory.
const rememberedTexts = 8192;

/** Lets equal texts in objects be one text: most of what objects of one kind say, they all say. */
export class StringPool {
  #recent = new Map<string, string>();
  #older = new Map<string, string>();

  /** Replaces the texts in a value that nobody else has seen yet; parts that are frozen are others' and stay. */
  intern<T>(value: T): T {
    this.#internInside(value, 0);
    return value;
  }

  /** The text itself, or one that equals it and was here before. */
  one(text: string): string {
    if (text.length < shortest || text.length > longest) return text;
    const recent = this.#recent.get(text);
    if (recent !== undefined) return recent;
    const one = this.#older.get(text) ?? text;
    if (this.#recent.size >= rememberedTexts) [this.#recent, this.#older] = [new Map(), this.#recent];
    this.#recent.set(one, one);
    return one;
  }

  #internInside(value: unknown, depth: number): void {
    if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
    if (depth > deepestJson) throw new JsonTooDeepError();
    if (Array.isArray(value)) this.#internList(value, depth);
    else this.#internMembers(membersOf(value), depth);
  }

  #internList(list: unknown[], depth: number): void {
    for (let index = 0; index < list.length; index += 1) {
      const member = list[index];
      if (typeof member === "string") list[index] = this.one(member);
      else this.#internInside(member, depth + 1);
    }
  }

  #internMembers(object: { [key: string]: unknown }, depth: number): void {
    for (const key of Object.keys(object)) {
      const member = object[key];
      if (typeof member !== "string") this.#internInside(member, depth + 1);
      else if (member.length >= shortest) object[key] = this.one(member);
    }
  }
}

function membersOf(object: object): { [key: string]: unknown } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object can be asked for its members by name
  return object as { [key: string]: unknown };
}
