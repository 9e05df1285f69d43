import { type FunctionDeclaration, type Kind, listOf, method, overload } from "../check/declaration.ts";
import { boolType, dynType, intType, listType } from "../check/type.ts";
import { compare } from "../values/compare.ts";
import { equal } from "../values/equal.ts";
import { intOf, uintOf } from "../values/integer.ts";
import { ListValue, PlainList } from "../values/list.ts";
import { durationOf } from "../values/time.ts";
import { typeName } from "../values/type-of.ts";
import { DurationValue, Failure, type Result, Uint, type Value } from "../values/value.ts";
import { A, bool, bytes, double, duration, int, listOfSome, some, string, timestamp, uint } from "./kinds.ts";

const list = listOfSome(A);
const comparable: readonly (readonly [string, Kind<Value>])[] = [
  ["int", int],
  ["uint", uint],
  ["double", double],
  ["bool", bool],
  ["duration", duration],
  ["timestamp", timestamp],
  ["string", string],
  ["bytes", bytes],
];
const sums: readonly (readonly [string, Kind<Value>, Value])[] = [
  ["int", int, 0n],
  ["uint", uint, new Uint(0n)],
  ["double", double, 0],
  ["duration", duration, new DurationValue(0n)],
];

/** Kubernetes' functions on lists. */
export const lists: readonly FunctionDeclaration[] = [
  {
    name: "isSorted",
    overloads: comparable.map(([name, kind]) =>
      method({ id: `list_${name}_is_sorted_bool`, parameters: [listOf(kind)], result: boolType, run: isSorted }),
    ),
  },
  {
    name: "sum",
    overloads: sums.map(([name, kind, zero]) =>
      method({
        id: `list_${name}_sum_${name}`,
        parameters: [listOf(kind)],
        result: kind.type,
        run: (values) => fold(values, zero, add),
      }),
    ),
  },
  {
    name: "max",
    overloads: comparable.map(([name, kind]) =>
      method({
        id: `list_${name}_max_${name}`,
        parameters: [listOf(kind)],
        result: kind.type,
        run: (values) => extreme(values, "max", (order) => order > 0),
      }),
    ),
  },
  {
    name: "min",
    overloads: comparable.map(([name, kind]) =>
      method({
        id: `list_${name}_min_${name}`,
        parameters: [listOf(kind)],
        result: kind.type,
        run: (values) => extreme(values, "min", (order) => order < 0),
      }),
    ),
  },
  {
    name: "indexOf",
    overloads: [
      method({
        id: "list_a_index_of_int",
        parameters: [list, some(A)],
        result: intType,
        run: (values, item) => BigInt(matching(values, item)[0] ?? -1),
      }),
    ],
  },
  {
    name: "lastIndexOf",
    overloads: [
      method({
        id: "list_a_last_index_of_int",
        parameters: [list, some(A)],
        result: intType,
        run: (values, item) => BigInt(matching(values, item).at(-1) ?? -1),
      }),
    ],
  },
];

/** Functions that make lists of lists: slicing, flattening, sorting and the like. */
export const moreLists: readonly FunctionDeclaration[] = [
  {
    name: "slice",
    overloads: [method({ id: "list_slice", parameters: [list, int, int], result: listType(A), run: slice })],
  },
  {
    name: "flatten",
    overloads: [
      method({
        id: "list_flatten",
        parameters: [listOfSome(listType(A))],
        result: listType(A),
        run: (values) => flatten(values, 1n),
      }),
      method({
        id: "list_flatten_int",
        parameters: [listOfSome(dynType), int],
        result: listType(dynType),
        run: flatten,
      }),
    ],
  },
  {
    name: "sort",
    overloads: comparable.map(([, kind]) =>
      method({
        id: `list_${kind.type.name}_sort`,
        parameters: [listOf(kind)],
        result: listType(kind.type),
        run: (values) => sortBy(values, values),
      }),
    ),
  },
  {
    name: "@sortByAssociatedKeys",
    overloads: comparable.map(([, kind]) =>
      method({
        id: `list_${kind.type.name}_sortByAssociatedKeys`,
        parameters: [list, listOf(kind)],
        result: listType(A),
        run: sortBy,
      }),
    ),
  },
  {
    name: "lists.range",
    overloads: [overload({ id: "lists_range", parameters: [int], result: listType(intType), run: range })],
  },
  {
    name: "reverse",
    overloads: [method({ id: "list_reverse", parameters: [list], result: listType(A), run: reverse })],
  },
  {
    name: "distinct",
    overloads: [method({ id: "list_distinct", parameters: [list], result: listType(A), run: distinct })],
  },
];

function isSorted(values: ListValue): Result {
  return fold(values, true, (sorted, value, previous) => {
    if (sorted !== true || previous === undefined) return sorted;
    return (compare(previous, value) ?? 0) <= 0;
  });
}

function extreme(values: ListValue, name: string, better: (order: number) => boolean): Result {
  if (values.size === 0) return new Failure(`${name} called on empty list`);
  return fold(values, null, (best, value, previous) => {
    if (previous === undefined) return value;
    return better(compare(value, best) ?? 0) ? value : best;
  });
}

function add(a: Value, b: Value): Result {
  if (typeof a === "bigint" && typeof b === "bigint") return intOf(a + b);
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (a instanceof Uint && b instanceof Uint) return uintOf(a.value + b.value);
  if (a instanceof DurationValue && b instanceof DurationValue) return durationOf(a.nanoseconds + b.nanoseconds);
  return new Failure("no such overload");
}

/** Runs over a list; the first failure ends it. */
function fold(
  values: ListValue,
  initial: Value,
  step: (gathered: Value, value: Value, previous: Value | undefined) => Result,
): Result {
  let gathered = initial;
  let previous: Value | undefined;
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    if (value instanceof Failure) return value;
    const next = step(gathered, value, previous);
    if (next instanceof Failure) return next;
    gathered = next;
    previous = value;
  }
  return gathered;
}

function matching(values: ListValue, item: Value): readonly number[] {
  const found: number[] = [];
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    if (!(value instanceof Failure) && equal(value, item) === true) found.push(index);
  }
  return found;
}

function slice(values: ListValue, start: bigint, end: bigint): Result {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new Failure(`${call}, negative indexes not supported`);
  if (start > end) return new Failure(`${call}, start index must be less than or equal to end index`);
  if (end > BigInt(values.size)) return new Failure(`${call}, list is length ${values.size}`);
  return listOfResults(Array.from({ length: Number(end - start) }, (_, index) => values.at(Number(start) + index)));
}

function flatten(values: ListValue, depth: bigint): Result {
  if (depth < 0n) return new Failure("level must be non-negative");
  return listOfResults(flattened(values, depth));
}

function flattened(values: ListValue, depth: bigint): Result[] {
  const flat: Result[] = [];
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    if (value instanceof ListValue && depth > 0n) for (const item of flattened(value, depth - 1n)) flat.push(item);
    else flat.push(value);
  }
  return flat;
}

function sortBy(values: ListValue, keys: ListValue): Result {
  const pairs: { readonly value: Value; readonly key: Value }[] = [];
  for (let index = 0; index < values.size; index++) {
    const [value, key] = [values.at(index), keys.at(index)];
    if (value instanceof Failure) return value;
    if (key instanceof Failure) return key;
    const [first] = pairs;
    if (first !== undefined && typeName(first.key) !== typeName(key)) {
      return new Failure("list elements must have the same type");
    }
    pairs.push({ value, key });
  }
  return new PlainList(pairs.toSorted((a, b) => compare(a.key, b.key) ?? 0).map(({ value }) => value));
}

function range(count: bigint): Result {
  return new PlainList(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index)));
}

function reverse(values: ListValue): Result {
  return listOfResults(Array.from({ length: values.size }, (_, index) => values.at(values.size - index - 1)));
}

function distinct(values: ListValue): Result {
  const kept: Value[] = [];
  for (let index = 0; index < values.size; index++) {
    const value = values.at(index);
    if (value instanceof Failure) return value;
    if (!kept.some((other) => equal(value, other) === true)) kept.push(value);
  }
  return new PlainList(kept);
}

function listOfResults(results: readonly Result[]): Result {
  const values: Value[] = [];
  for (const result of results) {
    if (result instanceof Failure) return result;
    values.push(result);
  }
  return new PlainList(values);
}
