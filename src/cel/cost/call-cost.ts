import { codePoints } from "../values/text.ts";
import { ListValue } from "../values/list.ts";
import { MapValue } from "../values/map.ts";
import { Failure, ObjectValue, OptionalValue, type Result, type Value } from "../values/value.ts";

/** Per character of a text that is read once. */
export const traversalFactor = 0.1;
/** Per character of a pattern that is applied. */
export const patternFactor = 0.25;

type CostOf = (values: readonly Value[], result: Result, overload: string) => number;

/** What a call costs, from its actual values. */
export function callCost(name: string, overload: string, values: readonly Value[], result: Result): number {
  const cost = byOverload.get(overload) ?? byFunction.get(name);
  return cost === undefined ? 1 : cost(values, result, overload);
}

/** What a call is going to cost at least, before it runs. */
export function expectedCost(name: string, overload: string, values: readonly Value[]): number {
  const [first = null, second = null, third = null] = values;
  if (name === "lists.range") return typeof first === "bigint" && first > 0n ? Number(first) : 1;
  // Replacing nothing puts the new text around every character.
  if (name === "replace" && second === "") return sizeOf(first) * (1 + sizeOf(third)) * traversalFactor;
  return callCost(name, overload === "matches" ? "matches_string" : overload, values, null);
}

const readFirst: CostOf = ([first = null]) => traversal(sizeOf(first));
const readTwice: CostOf = ([first = null]) => Math.ceil(sizeOf(first) * 2 * traversalFactor);
const walkFirst: CostOf = ([first = null]) => walkCost(first);
const findPattern: CostOf = ([text = null, pattern = null]) => patternCost(sizeOf(text), sizeOf(pattern));
const smaller: CostOf = ([a = null, b = null]) => Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * traversalFactor);
const joined: CostOf = ([a = null, b = null]) => traversal(sizeOf(a) + sizeOf(b));
const madeList: CostOf = (_, result) => newList(1, resultSize(result));
const comparedList: CostOf = ([list = null]) => selfComparison(list);

const byFunction: ReadonlyMap<string, CostOf> = new Map<string, CostOf>([
  ...["isSorted", "sum", "max", "min", "indexOf", "lastIndexOf"].map((name) => [name, walkFirst] as const),
  ...["url", "lowerAscii", "upperAscii", "substring", "trim"].map((name) => [name, readFirst] as const),
  ...["cidr", "isIP", "isCIDR", "ip", "quantity", "isQuantity", "semver", "isSemver"].map(
    (name) => [name, readFirst] as const,
  ),
  ...["replace", "split", "ip.isCanonical"].map((name) => [name, readTwice] as const),
  ["join", (_, result) => Math.ceil(resultSize(result) * 2 * traversalFactor)],
  ["find", findPattern],
  ["findAll", findPattern],
  ["containsIP", containsAddress],
  ["containsCIDR", containsNetwork],
  ["validate", ([format = null, text = null]) => patternCost(sizeOf(text), sizeOf(format))],
]);

const byOverload: ReadonlyMap<string, CostOf> = new Map<string, CostOf>([
  ["cidr_ip", () => 1],
  ...[
    "starts_with_string",
    "ends_with_string",
    "string_to_bytes",
    "bytes_to_string",
    "strings_quote",
    "string_format",
  ].map((id) => [id, readFirst] as const),
  ["in_list", ([, list = null]) => sizeOf(list)],
  ...["less", "less_equals", "greater", "greater_equals"].flatMap(
    (name) =>
      [
        [`${name}_string`, smaller],
        [`${name}_bytes`, smaller],
      ] as const,
  ),
  ["add_string", joined],
  ["add_bytes", joined],
  ["matches_string", findPattern],
  ["contains_string", ([text = null, part = null]) => traversal(sizeOf(text)) * traversal(sizeOf(part))],
  ["list_sets_contains_list", ([a = null, b = null]) => 1 + sizeOf(a) * sizeOf(b)],
  ["list_sets_intersects_list", ([a = null, b = null]) => 1 + sizeOf(a) * sizeOf(b)],
  ["list_sets_equivalent_list", ([a = null, b = null]) => 1 + sizeOf(a) * sizeOf(b) * 2],
  ["list_slice", madeList],
  ["lists_range", madeList],
  ["list_reverse", madeList],
  ["list_flatten", ([list = null]) => newList(1, sizeOf(list))],
  ["list_flatten_int", ([list = null, depth = null]) => newList(Number(depth), sizeOf(list))],
  ["list_distinct", comparedList],
  ...[
    "int",
    "uint",
    "double",
    "bool",
    "google.protobuf.Duration",
    "google.protobuf.Timestamp",
    "string",
    "bytes",
  ].flatMap(
    (type) =>
      [
        [`list_${type}_sort`, comparedList],
        [`list_${type}_sortByAssociatedKeys`, ([, keys = null]) => selfComparison(keys)],
      ] as readonly (readonly [string, CostOf])[],
  ),
]);

/** What comparing two values costs: as much as walking through the smaller one. */
export function equalityCost(a: Value, b: Value): number {
  if (typeof a === "string" && typeof b === "string") {
    const shorter = Math.min(a.length, b.length);
    // Up to ten units are one to ten characters, whatever they are.
    if (shorter <= 10) return shorter === 0 ? 0 : 1;
  }
  if (a instanceof ObjectValue) return 1;
  return Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * traversalFactor);
}

/** How big a value counts: characters, bytes, elements, or one. */
export function sizeOf(value: Value): number {
  if (typeof value === "string") return codePoints(value);
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof ListValue || value instanceof MapValue || value instanceof ObjectValue) return value.size;
  return value instanceof OptionalValue && value.value !== undefined ? sizeOf(value.value) : 1;
}

function resultSize(result: Result): number {
  return result instanceof Failure ? 1 : sizeOf(result);
}

function traversal(size: number): number {
  return Math.ceil(size * traversalFactor);
}

function patternCost(text: number, pattern: number): number {
  return Math.ceil((1 + text) * traversalFactor) * Math.ceil(pattern * patternFactor);
}

/** The cost of walking through a value and everything in it. */
function walkCost(value: Value): number {
  if (typeof value === "string") return Math.floor(Buffer.byteLength(value) * traversalFactor);
  if (value instanceof Uint8Array) return Math.floor(value.length * traversalFactor);
  if (value instanceof ListValue) {
    let cost = 0;
    for (let index = 0; index < value.size; index++) cost += walkResult(value.at(index));
    return cost;
  }
  if (!(value instanceof MapValue)) return 1;
  return value.keys().reduce<number>((cost, key) => cost + walkCost(key) + walkResult(value.find(key) ?? null), 0);
}

function walkResult(result: Result): number {
  return result instanceof Failure ? 1 : walkCost(result);
}

function newList(factor: number, size: number): number {
  return Math.trunc(size * factor) + 11;
}

function selfComparison(value: Value): number {
  if (!(value instanceof ListValue) || value.size === 0) return newList(2, 0);
  const first = value.at(0);
  const isText = typeof first === "string" || first instanceof Uint8Array;
  return newList(isText ? 2 + traversalFactor : 2, value.size * value.size);
}

function containsAddress([network = null, other = null]: readonly Value[], _: Result, overload: string): number {
  const base = traversal(sizeOf(network) * 2);
  return overload === "cidr_contains_ip_string" ? base + traversal(sizeOf(other)) : base;
}

function containsNetwork([network = null, other = null]: readonly Value[], _: Result, overload: string): number {
  const base = traversal(sizeOf(network) * 2) + traversal(sizeOf(network)) + 1;
  return overload === "cidr_contains_cidr_string" ? base + traversal(sizeOf(other)) : base;
}
