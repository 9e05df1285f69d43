export {
  describeFieldError,
  describeFieldErrors,
  describeFieldProblem,
  duplicate,
  type FieldError,
  type FieldErrorType,
  forbidden,
  invalid,
  notFoundAt,
  notSupported,
  omitted,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
export { FieldPath } from "./field-path.ts";
export { isJsonObject, type Json, type JsonObject } from "./json.ts";
export { encodeJson } from "./json-encode.ts";
export type { JsonSchema, ValidationRule } from "./schema/json-schema.ts";
