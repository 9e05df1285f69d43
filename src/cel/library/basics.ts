import { type FunctionDeclaration, method, overload } from "../check/declaration.ts";
import { boolType, intType } from "../check/type.ts";
import { equalResults } from "../values/equal.ts";
import type { ListValue } from "../values/list.ts";
import { type MapValue, printedKey } from "../values/map.ts";
import { typeName } from "../values/type-of.ts";
import { codePoints } from "../values/text.ts";
import { Failure, type Result, Uint, type Value } from "../values/value.ts";
import { matches } from "./pattern.ts";
import { A, B, bool, bytes, int, listOfSome, mapOfSome, some, string } from "./kinds.ts";

const list = listOfSome(A);
const map = mapOfSome(A, B);

/** Operators and functions on truth values, texts and containers that every dialect has. */
export const basics: readonly FunctionDeclaration[] = [
  {
    name: "_?_:_",
    overloads: [
      // Evaluated by the planner; what stands here is its type.
      overload({ id: "conditional", parameters: [bool, some(A), some(A)], result: A, run: (c, a, b) => (c ? a : b) }),
    ],
  },
  {
    name: "_&&_",
    overloads: [overload({ id: "logical_and", parameters: [bool, bool], result: boolType, run: (a, b) => a && b })],
  },
  {
    name: "_||_",
    overloads: [overload({ id: "logical_or", parameters: [bool, bool], result: boolType, run: (a, b) => a || b })],
  },
  {
    name: "!_",
    overloads: [overload({ id: "logical_not", parameters: [bool], result: boolType, run: (value) => !value })],
  },
  {
    name: "@not_strictly_false",
    overloads: [overload({ id: "not_strictly_false", parameters: [bool], result: boolType, run: (value) => value })],
  },
  {
    name: "_[_]",
    overloads: [
      overload({ id: "index_list", parameters: [list, int], result: A, run: elementAt }),
      overload({ id: "index_map", parameters: [map, some(A)], result: B, run: (from, key) => valueUnder(from, key) }),
    ],
  },
  {
    name: "@in",
    overloads: [
      overload({ id: "in_list", parameters: [some(A), list], result: boolType, run: isInList }),
      overload({ id: "in_map", parameters: [some(A), map], result: boolType, run: isInMap }),
    ],
  },
  {
    name: "size",
    overloads: [
      overload({ id: "size_bytes", parameters: [bytes], result: intType, run: (value) => BigInt(value.length) }),
      method({ id: "bytes_size", parameters: [bytes], result: intType, run: (value) => BigInt(value.length) }),
      overload({ id: "size_list", parameters: [list], result: intType, run: ({ size }) => BigInt(size) }),
      method({ id: "list_size", parameters: [list], result: intType, run: ({ size }) => BigInt(size) }),
      overload({ id: "size_map", parameters: [map], result: intType, run: ({ size }) => BigInt(size) }),
      method({ id: "map_size", parameters: [map], result: intType, run: ({ size }) => BigInt(size) }),
      overload({ id: "size_string", parameters: [string], result: intType, run: (text) => BigInt(codePoints(text)) }),
      method({ id: "string_size", parameters: [string], result: intType, run: (text) => BigInt(codePoints(text)) }),
    ],
  },
  {
    name: "contains",
    overloads: [
      method({
        id: "contains_string",
        parameters: [string, string],
        result: boolType,
        run: (text, part) => text.includes(part),
      }),
    ],
  },
  {
    name: "endsWith",
    overloads: [
      method({
        id: "ends_with_string",
        parameters: [string, string],
        result: boolType,
        run: (text, part) => text.endsWith(part),
      }),
    ],
  },
  {
    name: "startsWith",
    overloads: [
      method({
        id: "starts_with_string",
        parameters: [string, string],
        result: boolType,
        run: (text, part) => text.startsWith(part),
      }),
    ],
  },
  {
    name: "matches",
    overloads: [
      overload({ id: "matches", parameters: [string, string], result: boolType, run: matches }),
      method({ id: "matches_string", parameters: [string, string], result: boolType, run: matches }),
    ],
  },
];

/** The element of a list at an index of any numeric type, as long as it is whole. */
export function elementAt(from: ListValue, index: Value): Result {
  const position = positionOf(index);
  if (position instanceof Failure) return position;
  const inside = position >= 0n && position < BigInt(from.size);
  return inside ? from.at(Number(position)) : new Failure(`index out of bounds: ${position}`);
}

function positionOf(index: Value): bigint | Failure {
  if (typeof index === "bigint") return index;
  if (index instanceof Uint) return index.value;
  if (typeof index !== "number") return new Failure(`unsupported index type '${typeName(index)}' in list`);
  return Number.isInteger(index) ? BigInt(index) : new Failure(`unsupported index value ${index} in list`);
}

/** The value of a map under a key, or the failure that there is none. */
export function valueUnder(from: MapValue, key: Value): Result {
  const found = from.find(key);
  return found === undefined ? new Failure(`no such key: ${printedKey(key)}`) : found;
}

/** An element that cannot be compared only matters where no other one is equal. */
export function isInList(value: Value, values: ListValue): Result {
  let failure: Failure | undefined;
  for (let index = 0; index < values.size; index++) {
    const same = equalResults(value, values.at(index));
    if (same === true) return true;
    if (same instanceof Failure) failure ??= same;
  }
  return failure ?? false;
}

export function isInMap(key: Value, entries: MapValue): Result {
  const found = entries.find(key);
  return found instanceof Failure ? found : found !== undefined;
}
