import { formatNanoseconds } from "#base";
import { decodeJson, InvalidJsonError, type Json, type JsonObject, JsonTooDeepError } from "#machinery";
import { type WireType, wireType } from "#apiserver/builtin";
import type { ByteReader, Tag } from "./byte-reader.ts";
import { InvalidProtobufError } from "./errors.ts";

/** Messages that are no objects in JSON. */
export type SpecialScalar = keyof typeof readers;

type Nested = (type: WireType, reader: ByteReader) => JsonObject;

// As far as years of four digits go, in seconds since 1970.
const firstSecond = -62_135_596_800;
const lastSecond = 253_402_300_799;

const readers = {
  time: (message: ByteReader) => timeOf(message, "seconds"),
  microTime: (message: ByteReader) => timeOf(message, "microseconds"),
  duration: (message: ByteReader) => formatNanoseconds(BigInt(numbersOf(message).get(1) ?? 0)),
  quantity: (message: ByteReader) => textOf(message) ?? "0",
  intOrString,
  rawExtension: rawJson,
  fieldsV1: rawJson,
  json: rawJson,
  strings: (message: ByteReader) => textsOf(message, 1),
  schemaOrArray,
  schemaOrBool,
  schemaOrStrings,
};

/** Reads a message that JSON shows as something else than an object with its fields. */
export function decodeSpecial(scalar: SpecialScalar, message: ByteReader, nested: Nested): Json {
  return readers[scalar](message, nested);
}

/** A time that says nothing is no time. */
function timeOf(message: ByteReader, precision: "seconds" | "microseconds"): string | null {
  if (message.isDone) return null;
  const numbers = numbersOf(message);
  const seconds = Number(numbers.get(1) ?? 0);
  if (seconds < firstSecond || seconds > lastSecond) throw new InvalidProtobufError("a time is out of range");
  const text = new Date(seconds * 1000).toISOString().replace(".000Z", "");
  if (precision === "seconds") return `${text}Z`;
  const micros = Math.floor(Number(numbers.get(2) ?? 0) / 1000);
  if (micros < 0 || micros >= 1_000_000) throw new InvalidProtobufError("a time has more than a second of nanoseconds");
  return `${text}.${String(micros).padStart(6, "0")}Z`;
}

function intOrString(message: ByteReader): Json {
  let isText = false;
  let number: number | bigint = 0;
  let text = "";
  fieldsOf(message, ({ number: field, wire }) => {
    if (field === 1 && wire === "varint") isText = message.signed() === 1;
    else if (field === 2 && wire === "varint") number = message.signed();
    else if (field === 3 && wire === "bytes") text = message.inside().text();
    else message.skip(wire);
  });
  return isText ? text : Number(BigInt.asIntN(32, BigInt(number)));
}

function rawJson(message: ByteReader): Json {
  const text = textOf(message) ?? "";
  if (text === "") return null;
  try {
    return decodeJson(text).value;
  } catch (error) {
    if (!(error instanceof InvalidJsonError || error instanceof JsonTooDeepError)) throw error;
    throw new InvalidProtobufError("a raw value is not JSON", { cause: error });
  }
}

function schemaOrArray(message: ByteReader, nested: Nested): Json {
  const schemas: Json[] = [];
  let single: Json | undefined;
  fieldsOf(message, ({ number, wire }) => {
    if (number === 1 && wire === "bytes") single = nested(schemaProps(), message.inside());
    else if (number === 2 && wire === "bytes") schemas.push(nested(schemaProps(), message.inside()));
    else message.skip(wire);
  });
  return schemas.length > 0 ? schemas : (single ?? null);
}

function schemaOrBool(message: ByteReader, nested: Nested): Json {
  let allows = false;
  let schema: Json | undefined;
  fieldsOf(message, ({ number, wire }) => {
    if (number === 1 && wire === "varint") allows = message.signed() !== 0;
    else if (number === 2 && wire === "bytes") schema = nested(schemaProps(), message.inside());
    else message.skip(wire);
  });
  return schema ?? allows;
}

function schemaOrStrings(message: ByteReader, nested: Nested): Json {
  const texts: string[] = [];
  let schema: Json | undefined;
  fieldsOf(message, ({ number, wire }) => {
    if (number === 1 && wire === "bytes") schema = nested(schemaProps(), message.inside());
    else if (number === 2 && wire === "bytes") texts.push(message.inside().text());
    else message.skip(wire);
  });
  return texts.length > 0 ? texts : (schema ?? null);
}

function schemaProps(): WireType {
  return wireType("apiextensions/v1.JSONSchemaProps");
}

function textOf(message: ByteReader): string | undefined {
  return textsOf(message, 1).at(-1);
}

function textsOf(message: ByteReader, field: number): readonly string[] {
  const texts: string[] = [];
  fieldsOf(message, ({ number, wire }) => {
    if (number === field && wire === "bytes") texts.push(message.inside().text());
    else message.skip(wire);
  });
  return texts;
}

function numbersOf(message: ByteReader): ReadonlyMap<number, number | bigint> {
  const numbers = new Map<number, number | bigint>();
  fieldsOf(message, ({ number, wire }) => {
    if (wire === "varint") numbers.set(number, message.signed());
    else message.skip(wire);
  });
  return numbers;
}

function fieldsOf(message: ByteReader, read: (tag: Tag) => void): void {
  while (!message.isDone) read(message.tag());
}
