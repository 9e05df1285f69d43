import { parseInstant, parseNanoseconds } from "#base";
import { encodeJson, isJsonList, isJsonObject, type Json, type JsonObject } from "#machinery";
import { type WireType, wireType } from "#apiserver/builtin";
import { ByteWriter } from "./byte-writer.ts";
import type { SpecialScalar } from "./special-messages.ts";

type Nested = (type: WireType, object: JsonObject) => Buffer;
type Writer = (value: Json, nested: Nested) => Buffer;

const empty = Buffer.alloc(0);

const writers: Readonly<Record<SpecialScalar, Writer>> = {
  time: (value) => timeMessage(value, 0),
  microTime: (value) => timeMessage(value, Number(/\.(\d{6})/.exec(textOf(value))?.[1] ?? 0) * 1000),
  duration: (value) => new ByteWriter().number(1, parseNanoseconds(textOf(value) || "0")).finish(),
  quantity: (value) => new ByteWriter().text(1, textOf(value)).finish(),
  intOrString: (value) =>
    typeof value === "string"
      ? new ByteWriter().number(1, 1).number(2, 0).text(3, value).finish()
      : new ByteWriter().number(1, 0).number(2, numberOf(value)).text(3, "").finish(),
  rawExtension: rawJson,
  fieldsV1: rawJson,
  json: rawJson,
  strings: (value) => textsMessage(value, 1),
  schemaOrArray,
  schemaOrBool: (value, nested) =>
    isJsonObject(value)
      ? new ByteWriter().number(1, 1).bytes(2, schemaMessage(value, nested)).finish()
      : new ByteWriter().number(1, value === true ? 1 : 0).finish(),
  schemaOrStrings: (value, nested) =>
    isJsonObject(value) ? new ByteWriter().bytes(1, schemaMessage(value, nested)).finish() : textsMessage(value, 2),
};

/** Writes a value that is a message only in protobuf. */
export function encodeSpecial(scalar: SpecialScalar, value: Json, nested: Nested): Buffer {
  return writers[scalar](value, nested);
}

function timeMessage(value: Json, nanos: number): Buffer {
  if (textOf(value) === "") return empty;
  const seconds = Math.floor(parseInstant(textOf(value)) / 1000);
  return new ByteWriter().number(1, seconds).number(2, nanos).finish();
}

function rawJson(value: Json): Buffer {
  return value === null ? empty : new ByteWriter().text(1, encodeJson(value)).finish();
}

function schemaOrArray(value: Json, nested: Nested): Buffer {
  const writer = new ByteWriter();
  if (isJsonList(value)) for (const schema of value) writer.bytes(2, schemaMessage(schema, nested));
  else if (isJsonObject(value)) writer.bytes(1, schemaMessage(value, nested));
  return writer.finish();
}

function schemaMessage(schema: Json, nested: Nested): Buffer {
  return isJsonObject(schema) ? nested(wireType("apiextensions/v1.JSONSchemaProps"), schema) : empty;
}

function textsMessage(value: Json, field: number): Buffer {
  const writer = new ByteWriter();
  if (isJsonList(value)) for (const text of value) writer.text(field, textOf(text));
  return writer.finish();
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : "";
}

function numberOf(value: Json): number | bigint {
  return typeof value === "number" || typeof value === "bigint" ? value : 0;
}
