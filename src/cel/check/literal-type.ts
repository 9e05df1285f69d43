import { Uint, type Value } from "../values/value.ts";
import { boolType, bytesType, doubleType, dynType, intType, nullType, stringType, type Type, uintType } from "./type.ts";

/** The type of what a literal can be. */
export function literalType(value: Value): Type {
  switch (typeof value) {
    case "string":
      return stringType;
    case "boolean":
      return boolType;
    case "bigint":
      return intType;
    case "number":
      return doubleType;
    default:
      if (value === null) return nullType;
      if (value instanceof Uint) return uintType;
      return value instanceof Uint8Array ? bytesType : dynType;
  }
}
