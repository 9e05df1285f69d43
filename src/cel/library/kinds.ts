import type { Kind } from "../check/declaration.ts";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  optionalType,
  parameterType,
  stringType,
  timestampType,
  type Type,
  uintType,
} from "../check/type.ts";
import { ListValue } from "../values/list.ts";
import { MapValue } from "../values/map.ts";
import { DurationValue, OptionalValue, TimestampValue, Uint, type Value } from "../values/value.ts";

export const bool: Kind<boolean> = { type: boolType, is: (value) => typeof value === "boolean" };
export const int: Kind<bigint> = { type: intType, is: (value) => typeof value === "bigint" };
export const double: Kind<number> = { type: doubleType, is: (value) => typeof value === "number" };
export const string: Kind<string> = { type: stringType, is: (value) => typeof value === "string" };
export const uint = instance(uintType, Uint);
export const bytes = instance(bytesType, Uint8Array);
export const duration = instance(durationType, DurationValue);
export const timestamp = instance(timestampType, TimestampValue);

export const A = parameterType("A");
export const B = parameterType("B");

/** Any value, of a type that a parameter stands for. */
export function some(parameter: Type): Kind<Value> {
  return { type: parameter, is: isValue };
}

export const anything = some(dynType);

/** Any list, whatever is in it. */
export function listOfSome(parameter: Type): Kind<ListValue> {
  return instance(listType(parameter), ListValue);
}

export function mapOfSome(key: Type, value: Type): Kind<MapValue> {
  return instance(mapType(key, value), MapValue);
}

export function optionalOfSome(parameter: Type): Kind<OptionalValue> {
  return instance(optionalType(parameter), OptionalValue);
}

/** Values of a class. */
export function instance<T extends Value & object>(
  type: Type,
  of: abstract new (...parameters: never[]) => T,
): Kind<T> {
  return { type, is: (value): value is T => value instanceof of };
}

function isValue(value: Value): value is Value {
  return value !== undefined;
}
