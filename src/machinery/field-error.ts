import { quote } from "#base";
import type { FieldPath } from "./field-path.ts";
import { encodeJson } from "./json-encode.ts";
import type { Json } from "./json.ts";
import { formatNumber } from "./schema/number.ts";

/** The kinds of field errors, named as the causes of a Status name them. */
export type FieldErrorType = keyof typeof words;

const words = {
  FieldValueRequired: "Required value",
  FieldValueInvalid: "Invalid value",
  FieldValueTypeInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueDuplicate: "Duplicate value",
  FieldValueNotFound: "Not found",
  FieldValueForbidden: "Forbidden",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  InternalError: "Internal error",
} as const;

const withoutValue: ReadonlySet<FieldErrorType> = new Set([
  "FieldValueRequired",
  "FieldValueForbidden",
  "FieldValueTooLong",
  "InternalError",
]);

/** Stands for a value that is not worth printing. */
export const omitted = Symbol("omitted");

/** A value that is printed in a form of its own, such as a Go struct with its fields in their order. */
export class PrintedValue {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** One thing wrong with one field. */
export interface FieldError {
  readonly type: FieldErrorType;
  /** The printed path; `<nil>` where there is none. */
  readonly field: string;
  readonly value: Json | PrintedValue | undefined | typeof omitted;
  readonly detail: string;
}

type At = FieldPath | string;

/** A field that must be there and is not. */
export function required(at: At, detail = ""): FieldError {
  return { type: "FieldValueRequired", field: at.toString(), value: "", detail };
}

/** A value that breaks a rule. */
export function invalid(at: At, value: FieldError["value"], detail: string): FieldError {
  return { type: "FieldValueInvalid", field: at.toString(), value, detail };
}

/** A value of the wrong type. */
export function typeInvalid(at: At, value: FieldError["value"], detail: string): FieldError {
  return { type: "FieldValueTypeInvalid", field: at.toString(), value, detail };
}

/** A value that is not one of those allowed. */
export function notSupported(at: At, value: FieldError["value"], supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${supported.map(quote).join(", ")}`;
  return { type: "FieldValueNotSupported", field: at.toString(), value, detail };
}

/** A value that stands there twice. */
export function duplicate(at: At, value: FieldError["value"]): FieldError {
  return { type: "FieldValueDuplicate", field: at.toString(), value, detail: "" };
}

/** A value that names something that is not there. */
export function notFoundAt(at: At, value: FieldError["value"]): FieldError {
  return { type: "FieldValueNotFound", field: at.toString(), value, detail: "" };
}

/** A field that must not be set, or not so. */
export function forbidden(at: At, detail: string): FieldError {
  return { type: "FieldValueForbidden", field: at.toString(), value: "", detail };
}

/** A text with too many bytes. */
export function tooLong(at: At, most: number): FieldError {
  const detail = `may not be more than ${most} ${most === 1 ? "byte" : "bytes"}`;
  return { type: "FieldValueTooLong", field: at.toString(), value: "", detail };
}

/** A list with too many items. */
export function tooMany(at: At, actual: number, most: number): FieldError {
  const detail = `must have at most ${most} ${most === 1 ? "item" : "items"}`;
  return { type: "FieldValueTooMany", field: at.toString(), value: actual, detail };
}

/** A field error as it stands in messages: `<path>: <kind>[: <value>][: <detail>]`. */
export function describeFieldError(error: FieldError): string {
  return `${error.field}: ${describeFieldProblem(error)}`;
}

/** The same without its path, as the causes of a Status carry it. */
export function describeFieldProblem({ type, value, detail }: FieldError): string {
  const text = withoutValue.has(type) || value === omitted ? words[type] : `${words[type]}: ${printed(value)}`;
  return detail === "" ? text : `${text}: ${detail}`;
}

/** Several field errors as one text; equal ones count once. */
export function describeFieldErrors(errors: readonly FieldError[]): string {
  const texts = [...new Set(errors.map(describeFieldError))];
  return texts.length === 1 ? String(texts[0]) : `[${texts.join(", ")}]`;
}

function printed(value: Exclude<FieldError["value"], typeof omitted>): string {
  if (value === undefined) return "null";
  if (value instanceof PrintedValue) return escaped(value.toString());
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return formatNumber(value);
  return escaped(encodeJson(value));
}

/** Go writes JSON so that it is harmless inside of HTML and of scripts. */
function escaped(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
