import { Uint, type Value } from "../values/value.ts";
import {
  boolType,
  bytesType,
  doubleType,
  dynType,
  intType,
  nullType,
  stringType,
  type Type,
  uintType,
} from "./type.ts";

/** The type of what a literal can be. */
export function literalType(value: Value): Type {
  if (typeof value === "string") return stringType;
  if (typeof value === "boolean") return boolType;
  if (typeof value === "bigint") return intType;
  if (typeof value === "number") return doubleType;
  if (value === null) return nullType;
  if (value instanceof Uint) return uintType;
  return value instanceof Uint8Array ? bytesType : dynType;
}
