import { type FunctionDeclaration, method, overload } from "../check/declaration.ts";
import { boolType, intType, listType, optionalType, type Type } from "../check/type.ts";
import { ListValue, PlainList } from "../values/list.ts";
import { MapValue } from "../values/map.ts";
import {
  DurationValue,
  Failure,
  OptionalValue,
  type Result,
  TimestampValue,
  Uint,
  type Value,
} from "../values/value.ts";
import { A, anything, B, instance, listOfSome, mapOfSome, optionalOfSome, some, string } from "./kinds.ts";

const optional = optionalOfSome(A);
const optionals = listOfSome(optionalType(A));
const list = listOfSome(A);
const map = mapOfSome(A, B);
const optionalList = instance(optionalType(listType(A)), OptionalValue);
const optionalMap = instance(optionalType(map.type), OptionalValue);

/** Values that may be absent. Indexing and falling back are evaluated by the planner; here stand their types. */
export const optionalValues: readonly FunctionDeclaration[] = [
  {
    name: "optional.of",
    overloads: [
      overload({ id: "optional_of", parameters: [some(A)], result: optionalType(A), run: (v) => new OptionalValue(v) }),
    ],
  },
  {
    name: "optional.ofNonZeroValue",
    overloads: [
      overload({
        id: "optional_ofNonZeroValue",
        parameters: [some(A)],
        result: optionalType(A),
        run: (value) => (isZero(value) ? OptionalValue.none : new OptionalValue(value)),
      }),
    ],
  },
  {
    name: "optional.none",
    overloads: [
      overload({ id: "optional_none", parameters: [], result: optionalType(A), run: () => OptionalValue.none }),
    ],
  },
  {
    name: "value",
    overloads: [
      method({
        id: "optional_value",
        parameters: [optional],
        result: A,
        run: ({ value }) => (value === undefined ? new Failure("optional.none() dereference") : value),
      }),
    ],
  },
  {
    name: "hasValue",
    overloads: [
      method({
        id: "optional_hasValue",
        parameters: [optional],
        result: boolType,
        run: ({ value }) => value !== undefined,
      }),
    ],
  },
  {
    name: "or",
    overloads: [
      method({
        id: "optional_or_optional",
        parameters: [optional, optional],
        result: optionalType(A),
        run: (first, second) => (first.value === undefined ? second : first),
      }),
    ],
  },
  {
    name: "orValue",
    overloads: [
      method({
        id: "optional_orValue_value",
        parameters: [optional, some(A)],
        result: A,
        run: ({ value }, fallback) => (value === undefined ? fallback : value),
      }),
    ],
  },
  {
    name: "_?._",
    overloads: [signature("select_optional_field", anything.type, string.type, optionalType(A))],
  },
  {
    name: "_[?_]",
    overloads: [
      signature("list_optindex_optional_int", list.type, intType, optionalType(A)),
      signature("optional_list_optindex_optional_int", optionalList.type, intType, optionalType(A)),
      signature("map_optindex_optional_value", map.type, A, optionalType(B)),
      signature("optional_map_optindex_optional_value", optionalMap.type, A, optionalType(B)),
    ],
  },
  {
    name: "_[_]",
    overloads: [
      signature("optional_list_index_int", optionalList.type, intType, optionalType(A)),
      signature("optional_map_index_value", optionalMap.type, A, optionalType(B)),
    ],
  },
  {
    name: "first",
    overloads: [method({ id: "list_first", parameters: [list], result: optionalType(A), run: (l) => at(l, 0) })],
  },
  {
    name: "last",
    overloads: [
      method({ id: "list_last", parameters: [list], result: optionalType(A), run: (l) => at(l, l.size - 1) }),
    ],
  },
  {
    name: "optional.unwrap",
    overloads: [overload({ id: "optional_unwrap", parameters: [optionals], result: listType(A), run: unwrap })],
  },
  {
    name: "unwrapOpt",
    overloads: [method({ id: "optional_unwrapOpt", parameters: [optionals], result: listType(A), run: unwrap })],
  },
];

function signature(id: string, operand: Type, key: Type, result: Type) {
  return overload({
    id,
    parameters: [
      { ...anything, type: operand },
      { ...anything, type: key },
    ],
    result,
    run: () => new Failure("no such overload"),
  });
}

function at(from: ListValue, index: number): Result {
  if (from.size === 0) return OptionalValue.none;
  const value = from.at(index);
  return value instanceof Failure ? value : new OptionalValue(value);
}

function unwrap(from: ListValue): Result {
  const values: Value[] = [];
  for (let index = 0; index < from.size; index++) {
    const item = from.at(index);
    if (!(item instanceof OptionalValue)) return new Failure("cannot unwrap non-optional value in list");
    if (item.value !== undefined) values.push(item.value);
  }
  return new PlainList(values);
}

function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === "") return true;
  if (value instanceof Uint) return value.value === 0n;
  if (value instanceof Uint8Array) return value.length === 0;
  if (value instanceof ListValue || value instanceof MapValue) return value.size === 0;
  if (value instanceof DurationValue) return value.nanoseconds === 0n;
  // The zero time is the first second of year 1, which is where time begins for the reference.
  if (value instanceof TimestampValue) return value.nanoseconds === -62_135_596_800_000_000_000n;
  return value instanceof OptionalValue && (value.value === undefined || isZero(value.value));
}
