import { isJsonObject, type Json, type JsonObject } from "#machinery";

/**
 * What the schema of a variable says apart from descriptions and the values of defaults. The variables of a class often
 * differ in nothing else, and what holds for one schema holds for all with the same skeleton.
 */
export interface Skeleton {
  readonly text: string;
  /** Where a default stands, in the order of the text. */
  readonly defaults: readonly DefaultPlace[];
}

/** A default, and the part of a schema that it belongs to. */
export interface DefaultPlace {
  readonly value: Json;
  readonly part: JsonObject;
}

// What says more is rarely said twice.
const longestText = 4_096;
const deepestPart = 50;

/** The skeleton of a schema; undefined where it is no object, or too large to be compared with others. */
export function skeletonOf(schema: unknown): Skeleton | undefined {
  const writer = new SkeletonWriter();
  if (!isJsonObject(schema) || !writer.write(schema, 0)) return undefined;
  return { text: writer.text, defaults: writer.defaults };
}

class SkeletonWriter {
  text = "";
  readonly defaults: DefaultPlace[] = [];

  /** Writes a part and hands back whether all of it was worth it. */
  write(part: JsonObject, depth: number): boolean {
    for (const keyword in part) {
      const said = part[keyword] ?? null;
      if (said === null || keyword === "description") continue;
      this.text += `${JSON.stringify(keyword)}:`;
      if (keyword === "default") this.defaults.push({ value: said, part });
      else if (keyword === "properties" || keyword === "items") {
        if (!this.#writeBelow(keyword, said, depth + 1)) return false;
      } else if (!this.#writeText(said)) return false;
    }
    return this.text.length <= longestText;
  }

  #writeBelow(keyword: "properties" | "items", said: Json, depth: number): boolean {
    if (!isJsonObject(said) || depth > deepestPart) return false;
    this.text += "{";
    const isWritten = keyword === "items" ? this.write(said, depth) : this.#writeProperties(said, depth);
    this.text += "}";
    return isWritten;
  }

  #writeProperties(properties: JsonObject, depth: number): boolean {
    for (const name in properties) {
      const part = properties[name];
      if (!isJsonObject(part)) return false;
      this.text += `${JSON.stringify(name)}{`;
      if (!this.write(part, depth)) return false;
      this.text += "}";
    }
    return true;
  }

  #writeText(said: Json): boolean {
    const text = jsonText(said);
    if (text === undefined) return false;
    this.text += text;
    return text.length <= longestText;
  }
}

/** A value as the platform writes it; undefined where it cannot: it contains itself, goes too deep, or holds a bigint. */
export function jsonText(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}
