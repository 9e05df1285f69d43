import { ListValue } from "./list.ts";
import { MapValue } from "./map.ts";
import { DurationValue, ObjectValue, OptionalValue, TimestampValue, TypeValue, Uint, type Value } from "./value.ts";

/** The name of a value's type, as `type(x)` gives it. */
export function typeName(value: Value): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "double";
  return value === null ? "null_type" : objectTypeName(value);
}

function objectTypeName(value: Exclude<Value, string | boolean | bigint | number | null>): string {
  if (value instanceof ListValue) return "list";
  if (value instanceof MapValue) return "map";
  if (value instanceof Uint) return "uint";
  if (value instanceof Uint8Array) return "bytes";
  if (value instanceof DurationValue) return "google.protobuf.Duration";
  if (value instanceof TimestampValue) return "google.protobuf.Timestamp";
  if (value instanceof TypeValue) return "type";
  if (value instanceof OptionalValue) return "optional_type";
  return value instanceof ObjectValue ? value.typeName : "unknown";
}
