import type { Json, JsonObject, JsonSchema } from "#machinery";
import type { Random } from "./random.ts";

const keys = ["a", "b", "c"] as const;
const words = ["x", "y", "z", '<w> & "q"', "é\u2028"] as const;

/** A random value under a schema; never one that the schema's validation would refuse. */
export function randomValue(schema: JsonSchema, random: Random): Json {
  if (schema.nullable === true && random.chance(0.2)) return null;
  switch (schema.type ?? "") {
    case "string":
      return schema.format === "date-time" ? `2024-01-0${1 + random.below(3)}T00:00:00Z` : random.pick(words);
    case "integer":
      return random.below(3);
    case "number":
      return random.pick([0.5, 1, 2.25]);
    case "boolean":
      return random.chance(0.5);
    case "object":
      return randomObject(schema, random);
    case "array":
      return randomList(schema, random);
    default:
      return schema["x-kubernetes-int-or-string"] === true
        ? random.pick<Json>([1, 2, "1", "x"])
        : randomAnything(random, 2);
  }
}

/** A random object of the fields that a schema declares, each there with some probability. */
export function randomObject(schema: JsonSchema, random: Random, probability = 0.35): JsonObject {
  const object: Record<string, Json> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const required = schema.required?.includes(name) === true;
    if (required || random.chance(probability)) object[name] = randomValue(property, random);
  }
  if (typeof schema.additionalProperties === "object") {
    for (const key of random.some(keys, 0.5)) object[key] = randomValue(schema.additionalProperties, random);
  }
  if (schema["x-kubernetes-preserve-unknown-fields"] === true) {
    for (const key of random.some(keys, 0.4)) object[key] = randomAnything(random, 2);
  }
  return object;
}

function randomList(schema: JsonSchema, random: Random): Json[] {
  const { items } = schema;
  if (items === undefined || !isSingle(items)) return [];
  switch (schema["x-kubernetes-list-type"] ?? "atomic") {
    case "set":
      return random.some<Json>(items.type === "integer" ? [1, 2, 10, 3] : words, 0.5);
    case "map":
      return randomKeyed(items, schema["x-kubernetes-list-map-keys"] ?? [], random);
    case "atomic":
      return Array.from({ length: random.below(3) }, () => randomValue(items, random));
  }
}

function randomKeyed(items: JsonSchema, listKeys: readonly string[], random: Random): Json[] {
  const seen = new Set<string>();
  const list: Json[] = [];
  for (let count = random.below(4); count > 0; count--) {
    const item = randomObject(items, random, 0.4);
    const key = JSON.stringify(listKeys.map((name) => item[name] ?? items.properties?.[name]?.default ?? null));
    if (seen.has(key)) continue;
    seen.add(key);
    list.push(item);
  }
  return list;
}

function randomAnything(random: Random, depth: number): Json {
  const kind = random.below(depth === 0 ? 4 : 7);
  if (kind === 0) return random.pick(words);
  if (kind === 1) return random.below(3);
  if (kind === 2) return random.chance(0.5);
  if (kind === 3) return random.chance(0.5) ? null : 1.5;
  if (kind === 4) return Array.from({ length: random.below(3) }, () => randomAnything(random, depth - 1));
  const object: Record<string, Json> = {};
  for (const key of random.some(keys, 0.5)) object[key] = randomAnything(random, depth - 1);
  return object;
}

function isSingle(items: JsonSchema | readonly JsonSchema[]): items is JsonSchema {
  return !Array.isArray(items);
}
