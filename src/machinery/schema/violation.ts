import { type FieldError, invalid, notSupported, required, tooLong, tooMany, typeInvalid } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import { encodeJson } from "../json-encode.ts";
import type { Json } from "../json.ts";

/**
 * One thing that a value does against its schema. `at` is where, relative to the value that was checked; `text` is
 * unique to the violation, and equal texts are reported once.
 */
export type Violation = { readonly at: string; readonly text: string } & (
  | { readonly kind: "required" }
  | { readonly kind: "too-long"; readonly most: number }
  | { readonly kind: "too-many"; readonly count: number; readonly most: number }
  | { readonly kind: "not-enumerated"; readonly value: Json; readonly allowed: readonly Json[] }
  | { readonly kind: "type"; readonly value: Json }
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "combination" }
);

/** What is wrong with a value, and how many checks it passed: by that the best of several failing branches is chosen. */
export interface Report {
  readonly violations: readonly Violation[];
  readonly passed: number;
}

/** The field errors for violations below a path, each text once. */
export function fieldErrorsOf(violations: readonly Violation[], path: FieldPath): FieldError[] {
  const distinct = new Map(violations.toReversed().map((violation) => [violation.text, violation]));
  return violations
    .filter((violation) => distinct.get(violation.text) === violation)
    .map((one) => fieldError(one, path));
}

function fieldError(violation: Violation, path: FieldPath): FieldError {
  const at = fieldOf(violation.at, path);
  switch (violation.kind) {
    case "required":
      return required(at);
    case "too-long":
      return tooLong(at, violation.most);
    case "too-many":
      return tooMany(at, violation.count, violation.most);
    case "not-enumerated":
      return notSupported(at, violation.value, violation.allowed.map(plainText));
    case "type":
      return typeInvalid(at, violation.value, violation.text);
    case "value":
      return invalid(at, violation.value, violation.text);
    case "combination":
      // Kubernetes reports a failed combination at the value that was checked, wherever inside it failed.
      return invalid(fieldOf("", path), "", violation.text);
  }
}

function fieldOf(at: string, path: FieldPath): string {
  const inside = at.startsWith(".") ? at.slice(1) : at;
  if (path.isRoot) return inside === "" ? "<nil>" : inside;
  return inside === "" ? path.toString() : `${path.toString()}.${inside}`;
}

function plainText(value: Json): string {
  return typeof value === "string" ? value : encodeJson(value);
}
