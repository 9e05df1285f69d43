import { isJsonList, type Json } from "../json.ts";
import { isInt64, isNearInteger, isNumeric } from "./number.ts";
import type { SchemaNode } from "./schema-node.ts";

export type TypeName = "null" | "string" | "boolean" | "integer" | "number" | "array" | "object";

/** The name of the type that a value has in JSON schema. */
export function typeName(value: Json): TypeName {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (isNumeric(value)) return isInt64(value) ? "integer" : "number";
  if (value === null) return "null";
  return isJsonList(value) ? "array" : "object";
}

export interface TypeMismatch {
  readonly expected: string;
  readonly actual: string;
}

/** What is wrong with the type of a value, as Kubernetes sees it: a format can weigh more than a type. */
export function typeMismatch({ types, format, nullable }: SchemaNode, value: Json): TypeMismatch | undefined {
  const actual = typeName(value);
  if (actual === "null") {
    const allowed = types.length === 0 || nullable || types.includes("null");
    return allowed ? undefined : { expected: types.join(","), actual };
  }
  if (types.length === 0 && format === undefined) return undefined;
  const matches = types.includes(actual) || isNumberLike(types, value, actual);
  const textual = actual === "string" || actual === "array";
  if (format !== undefined && !textual && !matches) return { expected: format.name, actual: formatOfNumber(actual) };
  // With a format, the check of the format alone decides about texts; lists then pass unseen.
  if (format !== undefined && textual && !types.includes("number") && !types.includes("integer")) return undefined;
  return matches ? undefined : { expected: types.join(","), actual };
}

function isNumberLike(types: readonly string[], value: Json, actual: TypeName): boolean {
  if (actual === "integer") return types.includes("number");
  return typeof value === "number" && actual === "number" && types.includes("integer") && isNearInteger(value);
}

function formatOfNumber(actual: TypeName): string {
  if (actual === "integer") return "int64";
  return actual === "number" ? "float64" : "";
}
