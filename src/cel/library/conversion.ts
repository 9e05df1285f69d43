import { type FunctionDeclaration, overload } from "../check/declaration.ts";
import { dynType, typeType } from "../check/type.ts";
import { intOf, truncated, uintOf } from "../values/integer.ts";
import { formatDouble } from "../values/number-text.ts";
import { durationOfText, formatSeconds, formatTimestamp, split, timestampOf, timestampOfText } from "../values/time.ts";
import { typeName } from "../values/type-of.ts";
import { Failure, type Result, TypeValue } from "../values/value.ts";
import { A, bool, bytes, double, duration, int, some, string, timestamp, uint } from "./kinds.ts";

/** Conversions between types, each named after the type it gives. */
export const conversion: readonly FunctionDeclaration[] = [
  {
    name: "bool",
    overloads: [
      overload({ id: "bool_to_bool", parameters: [bool], result: bool.type, run: (value) => value }),
      overload({ id: "string_to_bool", parameters: [string], result: bool.type, run: boolOfText }),
    ],
  },
  {
    name: "bytes",
    overloads: [
      overload({ id: "bytes_to_bytes", parameters: [bytes], result: bytes.type, run: (value) => value }),
      overload({
        id: "string_to_bytes",
        parameters: [string],
        result: bytes.type,
        run: (text) => new TextEncoder().encode(text),
      }),
    ],
  },
  {
    name: "double",
    overloads: [
      overload({ id: "double_to_double", parameters: [double], result: double.type, run: (value) => value }),
      overload({ id: "int64_to_double", parameters: [int], result: double.type, run: Number }),
      overload({ id: "string_to_double", parameters: [string], result: double.type, run: doubleOfText }),
      overload({
        id: "uint64_to_double",
        parameters: [uint],
        result: double.type,
        run: ({ value }) => Number(value),
      }),
    ],
  },
  {
    name: "duration",
    overloads: [
      overload({ id: "duration_to_duration", parameters: [duration], result: duration.type, run: (value) => value }),
      // Declared by the language, but nothing can do it.
      overload({
        id: "int64_to_duration",
        parameters: [int],
        result: duration.type,
        run: () => cannotConvert("int", "google.protobuf.Duration"),
      }),
      overload({
        id: "string_to_duration",
        parameters: [string],
        result: duration.type,
        run: (text) => durationOfText(text) ?? cannotConvert("string", "google.protobuf.Duration"),
      }),
    ],
  },
  {
    name: "dyn",
    overloads: [overload({ id: "to_dyn", parameters: [some(A)], result: dynType, run: (value) => value })],
  },
  {
    name: "int",
    overloads: [
      overload({ id: "int64_to_int64", parameters: [int], result: int.type, run: (value) => value }),
      overload({
        id: "double_to_int64",
        parameters: [double],
        result: int.type,
        run: (value) => doubleToInt(value),
      }),
      overload({
        id: "duration_to_int64",
        parameters: [duration],
        result: int.type,
        run: ({ nanoseconds }) => nanoseconds,
      }),
      overload({ id: "string_to_int64", parameters: [string], result: int.type, run: intOfText }),
      overload({
        id: "timestamp_to_int64",
        parameters: [timestamp],
        result: int.type,
        run: ({ nanoseconds }) => split(nanoseconds).seconds,
      }),
      overload({ id: "uint64_to_int64", parameters: [uint], result: int.type, run: ({ value }) => intOf(value) }),
    ],
  },
  {
    name: "string",
    overloads: [
      overload({ id: "string_to_string", parameters: [string], result: string.type, run: (value) => value }),
      overload({ id: "bool_to_string", parameters: [bool], result: string.type, run: String }),
      overload({ id: "bytes_to_string", parameters: [bytes], result: string.type, run: textOfBytes }),
      overload({ id: "double_to_string", parameters: [double], result: string.type, run: formatDouble }),
      overload({ id: "duration_to_string", parameters: [duration], result: string.type, run: formatSeconds }),
      overload({ id: "int64_to_string", parameters: [int], result: string.type, run: String }),
      overload({ id: "timestamp_to_string", parameters: [timestamp], result: string.type, run: formatTimestamp }),
      overload({
        id: "uint64_to_string",
        parameters: [uint],
        result: string.type,
        run: ({ value }) => String(value),
      }),
    ],
  },
  {
    name: "timestamp",
    overloads: [
      overload({ id: "timestamp_to_timestamp", parameters: [timestamp], result: timestamp.type, run: (t) => t }),
      overload({
        id: "int64_to_timestamp",
        parameters: [int],
        result: timestamp.type,
        run: (seconds) => timestampOf(seconds * 1_000_000_000n),
      }),
      overload({
        id: "string_to_timestamp",
        parameters: [string],
        result: timestamp.type,
        run: (text) => timestampOfText(text) ?? cannotConvert("string", "google.protobuf.Timestamp"),
      }),
    ],
  },
  {
    name: "type",
    overloads: [
      overload({
        id: "type",
        parameters: [some(A)],
        result: typeType(A),
        run: (value) => new TypeValue(typeName(value)),
      }),
    ],
  },
  {
    name: "uint",
    overloads: [
      overload({ id: "uint64_to_uint64", parameters: [uint], result: uint.type, run: (value) => value }),
      overload({
        id: "double_to_uint64",
        parameters: [double],
        result: uint.type,
        run: (value) => truncated(value, uintOf, "unsigned integer overflow"),
      }),
      overload({ id: "int64_to_uint64", parameters: [int], result: uint.type, run: uintOf }),
      overload({ id: "string_to_uint64", parameters: [string], result: uint.type, run: uintOfText }),
    ],
  },
];

/** The names of functions that only convert; of a constant they are computed before anything runs. */
export const conversionNames: ReadonlySet<string> = new Set(conversion.map(({ name }) => name));

// The ends of the range are open: a double there may have been rounded from beyond it.
function doubleToInt(value: number): Result {
  const inside = value > -(2 ** 63) && value < 2 ** 63;
  return inside ? truncated(value, intOf, "integer overflow") : new Failure("integer overflow");
}

const truths: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);
const untruths: ReadonlySet<string> = new Set(["0", "f", "F", "FALSE", "false", "False"]);

function boolOfText(text: string): Result {
  if (truths.has(text)) return true;
  return untruths.has(text) ? false : cannotConvert("string", "bool");
}

function intOfText(text: string): Result {
  const value = /^[+-]?\d{1,40}$/.test(text) ? intOf(BigInt(text.replace("+", ""))) : undefined;
  return value === undefined || value instanceof Failure ? cannotConvert("string", "int") : value;
}

function uintOfText(text: string): Result {
  const value = /^\d{1,40}$/.test(text) ? uintOf(BigInt(text)) : undefined;
  return value === undefined || value instanceof Failure ? cannotConvert("string", "uint") : value;
}

const decimal = /^[+-]?(?:\d+(?:_\d+)*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d{1,5})$/;
const infinities: Readonly<Record<string, number>> = { inf: Infinity, infinity: Infinity, nan: NaN };

function doubleOfText(text: string): Result {
  const [, sign = "", word = ""] = /^([+-]?)([a-z]+)$/i.exec(text) ?? [];
  const named = infinities[word.toLowerCase()];
  if (named !== undefined) return sign === "-" ? -named : named;
  const [, hexSign = "", whole = "", fraction = "", exponent = "0"] = hexadecimal.exec(text) ?? [];
  if (whole + fraction !== "") {
    const value = Number.parseInt(whole + fraction, 16) * 2 ** (Number(exponent) - fraction.length * 4);
    return hexSign === "-" ? -value : value;
  }
  const value = decimal.test(text) ? Number(text.replaceAll("_", "")) : NaN;
  return Number.isFinite(value) ? value : cannotConvert("string", "double");
}

function textOfBytes(value: Uint8Array): Result {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(value);
  } catch {
    return new Failure("invalid UTF-8 in bytes, cannot convert to string");
  }
}

function cannotConvert(from: string, to: string): Failure {
  return new Failure(`type conversion error from '${from}' to '${to}'`);
}
