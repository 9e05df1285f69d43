import {
  CapstanError,
  formatNanoseconds,
  InvalidDurationError,
  InvalidTimestampError,
  parseNanoseconds,
  parseTimestamp,
} from "#base";
import {
  printQuantity,
  InvalidQuantityError,
  isJsonObject,
  type Json,
  parseMicroTime,
  parseQuantity,
} from "#machinery";
import type { Scalar } from "./wire-type.ts";

type SimpleScalar = Exclude<Scalar, "strings" | "schemaOrArray" | "schemaOrBool" | "schemaOrStrings">;

/** A value of another type than its field has. */
export class WireMismatchError extends CapstanError {
  readonly code = "WIRE_MISMATCH";

  static of(value: Json, path: string, expected: string): WireMismatchError {
    return new WireMismatchError(
      `json: cannot unmarshal ${goName(value)} into Go struct field ${path} of type ${expected}`,
    );
  }
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Reader = (value: Json, path: () => string) => Json;

const readers: Readonly<Record<SimpleScalar, Reader>> = {
  json: (value) => value,
  fieldsV1: readAnyObject,
  rawExtension: readAnyObject,
  bool: (value, path) => {
    if (typeof value === "boolean") return value;
    throw WireMismatchError.of(value, path(), "bool");
  },
  int32: readInteger("int32"),
  int64: readInteger("int64"),
  double: (value, path) => {
    if (typeof value === "number" || typeof value === "bigint") return value;
    throw WireMismatchError.of(value, path(), "float64");
  },
  intOrString: (value, path) => (typeof value === "string" ? value : readInteger("int32")(value, path)),
  quantity: readQuantity,
  string: readText((text) => text),
  bytes: readText(readBytes),
  duration: readText(readDuration),
  time: readText((text) => (text === "" ? null : readTime(text, "2006-01-02T15:04:05Z07:00", parseTimestamp))),
  microTime: readText((text) =>
    text === "" ? null : readTime(text, "2006-01-02T15:04:05.000000Z07:00", parseMicroTime),
  ),
};

/** What Go writes for values that nobody has set; null for the rest. */
const zeros: Readonly<Partial<Record<Scalar, Json>>> = {
  string: "",
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  intOrString: 0,
  quantity: "0",
  duration: "0s",
};

/** A scalar in its canonical form; throws where the value is none. */
export function readScalar(scalar: SimpleScalar, value: Json, path: () => string): Json {
  return readers[scalar](value, path);
}

/** What Go writes for a value that nobody has set. */
export function zeroScalar(scalar: Scalar): Json {
  return zeros[scalar] ?? null;
}

function readAnyObject(value: Json, path: () => string): Json {
  if (isJsonObject(value)) return value;
  throw WireMismatchError.of(value, path(), "an object");
}

function readText(read: (text: string) => Json): Reader {
  return (value, path) => {
    if (typeof value === "string") return read(value);
    throw WireMismatchError.of(value, path(), "string");
  };
}

function readInteger(type: "int32" | "int64"): Reader {
  const limit = type === "int32" ? 2n ** 31n : 2n ** 63n;
  return (value, path) => {
    if (typeof value !== "number" && typeof value !== "bigint") throw WireMismatchError.of(value, path(), type);
    if (Number.isSafeInteger(value) && type === "int64") return value;
    const whole = typeof value === "bigint" || Number.isInteger(value) ? BigInt(value) : undefined;
    if (whole !== undefined && whole >= -limit && whole < limit) return value;
    throw new WireMismatchError(
      `json: cannot unmarshal number ${value} into Go struct field ${path()} of type ${type}`,
    );
  };
}

function readQuantity(value: Json, path: () => string): string {
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "bigint") {
    throw WireMismatchError.of(value, path(), "resource.Quantity");
  }
  try {
    return printQuantity(parseQuantity(String(value).trim()));
  } catch (error) {
    if (error instanceof InvalidQuantityError) throw new WireMismatchError(error.message);
    throw error;
  }
}

function readBytes(value: string): string {
  if (base64.test(value)) return value;
  // Go skips line ends inside base64, and only those.
  const compact = value.replaceAll(/[\r\n]/g, "");
  if (base64.test(compact)) return compact;
  const wrong = compact.search(/[^A-Za-z0-9+/]/);
  throw new WireMismatchError(
    `illegal base64 data at input byte ${wrong === -1 ? compact.length - (compact.length % 4) : wrong}`,
  );
}

function readDuration(value: string): string {
  try {
    return formatNanoseconds(parseNanoseconds(value));
  } catch (error) {
    if (error instanceof InvalidDurationError) throw new WireMismatchError(error.message);
    throw error;
  }
}

function readTime(value: string, layout: string, parse: (text: string) => string): string {
  try {
    return parse(value);
  } catch (error) {
    if (!(error instanceof InvalidTimestampError)) throw error;
    throw new WireMismatchError(`parsing time ${JSON.stringify(value)} as ${JSON.stringify(layout)}: cannot parse it`);
  }
}

function goName(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}
