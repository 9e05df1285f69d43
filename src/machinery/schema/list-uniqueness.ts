import { isJsonObject, type Json } from "../json.ts";
import { encodeJson } from "../json-encode.ts";

/** The places in a list where a value turns up for the second time; later ones are not counted. */
export function repetitions(list: readonly Json[]): readonly number[] {
  const timesSeen = new Map<Json, number>();
  const found: number[] = [];
  list.forEach((value, index) => {
    // Lists and objects are told apart by their text, which no scalar can have: it begins with a bracket and a mark.
    const key = typeof value === "object" && value !== null ? `\u0000${encodeJson(value)}` : value;
    const times = timesSeen.get(key) ?? 0;
    timesSeen.set(key, times + 1);
    if (times === 1) found.push(index);
  });
  return found;
}

/** The keys of the members of a list map; a member that is no object or lacks them has fewer. */
export function listMapKeys(list: readonly Json[], names: readonly string[]): readonly Json[] {
  return list.map((item) => {
    if (!isJsonObject(item)) return {};
    return Object.fromEntries(
      names.filter((name) => Object.hasOwn(item, name)).map((name) => [name, item[name] ?? null]),
    );
  });
}

/** True when no two members of a list map have the same value under its only key: the common case, without copies. */
export function hasUniqueKeys(list: readonly Json[], name: string): boolean {
  const seen = new Set<Json>();
  let lacking = 0;
  for (const item of list) {
    const key = isJsonObject(item) && Object.hasOwn(item, name) ? item[name] : undefined;
    if (typeof key === "object" && key !== null) return repetitions(listMapKeys(list, [name])).length === 0;
    if (key === undefined) lacking++;
    else seen.add(key);
  }
  return lacking <= 1 && seen.size + lacking === list.length;
}
