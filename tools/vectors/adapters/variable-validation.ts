import type { ClusterClassVariable } from "#api";
import {
  describeFieldError,
  describeFieldErrors,
  type FieldError,
  FieldPath,
  isJsonObject,
  type Json,
  omitted,
  PrintedValue,
} from "#machinery";
import { validateDefinitions } from "#topology";
import type { Adapters } from "./adapter.ts";

/** Definitions of variables and all that is wrong with them. */
export const variableValidation: Adapters = {
  ValidateClusterClassVariables: (input) => {
    if (!isRecorded(input)) throw new TypeError("a case of variable-validation.json has a path and variables");
    const { path, variables, oldVariables = [], celCompatibilityVersion } = input;
    const errors = validateDefinitions(variables, FieldPath.of(...path), {
      old: oldVariables,
      ...celVersionOf(celCompatibilityVersion),
    });
    return {
      errors: errors.map(recordedError),
      aggregateError: errors.length === 0 ? null : describeFieldErrors(errors),
    };
  },
};

/** The minor version in `1.29`. */
export function celVersionOf(version: Json | undefined): { readonly celVersion?: number } {
  return typeof version === "string" ? { celVersion: Number(version.split(".")[1]) } : {};
}

function recordedError(error: FieldError): unknown {
  const { type, field, detail } = error;
  return { type, field, badValue: recordedValue(error), detail, error: describeFieldError(error) };
}

// What the reference keeps in errors whose value it never prints.
function recordedValue({ type, value }: FieldError): unknown {
  if (type === "FieldValueTooLong") return "<value omitted>";
  if (type === "InternalError" || value === omitted) return null;
  return value instanceof PrintedValue ? JSON.parse(value.toString()) : value;
}

interface Recorded {
  readonly path: readonly string[];
  readonly variables: readonly ClusterClassVariable[];
  readonly oldVariables?: readonly ClusterClassVariable[];
  readonly celCompatibilityVersion?: string;
}

function isRecorded(input: unknown): input is Recorded {
  return isJsonObject(input) && Array.isArray(input["path"]) && Array.isArray(input["variables"]);
}
