import { deepEqual, isJsonList, isJsonObject, type Json, type JsonObject, type JsonSchema } from "#machinery";
import { dateOfText, dateTimeOfText, spanOfText } from "../values/date.ts";
import { Failure, ObjectValue, type Result } from "../values/value.ts";
import { escapeName, isReserved } from "./escape.ts";
import { SchemaList } from "./schema-list.ts";
import { SchemaMap } from "./schema-map.ts";
import { asResource, isEmbedded, itemsOf, valuesOf } from "./structure.ts";

/** Turns JSON into values of the types that its schema declares. */
export type Reader = (json: Json) => Result;

/** Makes the reader of a schema once, so that reading many objects costs little. */
export function readerOf(schema: JsonSchema, options: { readonly isResource?: boolean } = {}): Reader {
  const read = plainReader(options.isResource === true ? asResource(schema) : schema);
  const { nullable } = schema;
  return (json) => {
    if (json !== null) return read(json);
    return nullable === true ? null : new Failure("invalid data, got null for schema with nullable=false");
  };
}

function plainReader(schema: JsonSchema): Reader {
  if (schema["x-kubernetes-int-or-string"] === true) return readIntOrString;
  switch (schema.type ?? "") {
    case "object":
      return objectReader(isEmbedded(schema) ? asResource(schema) : schema);
    case "array":
      return listReader(schema);
    case "string":
      return textReader(schema);
    case "number":
      return (json) => (isNumber(json) ? Number(json) : unexpected("float", json));
    case "integer":
      return readInteger;
    case "boolean":
      return (json) => (typeof json === "boolean" ? json : unexpected("bool", json));
    default:
      return schema["x-kubernetes-preserve-unknown-fields"] === true ? (json) => new PreservedValue(json) : unreadable;
  }
}

/** A value that its schema says nothing about: rules can only find out whether it changed. */
class PreservedValue extends ObjectValue {
  readonly typeName = "unknown";
  readonly #json: Json;

  constructor(json: Json) {
    super();
    this.#json = json;
  }

  equals(other: ObjectValue): boolean {
    return other instanceof PreservedValue && deepEqual(this.#json, other.#json);
  }
}

function unreadable(): Failure {
  const kinds = "object, array, number, integer, boolean or string";
  const marks = "x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields";
  return new Failure(`invalid type, expected ${kinds}, or no type with ${marks} is true`);
}

function readIntOrString(json: Json): Result {
  if (typeof json === "string") return json;
  const integer = readInteger(json);
  if (!(integer instanceof Failure)) return integer;
  return new Failure("invalid data, expected XIntOrString value to be either a string or integer");
}

function readInteger(json: Json): Result {
  if (typeof json === "bigint") return json;
  return typeof json === "number" && Number.isInteger(json) ? BigInt(json) : unexpected("int", json);
}

function isNumber(json: Json): boolean {
  return typeof json === "number" || typeof json === "bigint";
}

function objectReader(schema: JsonSchema): Reader {
  const { properties } = schema;
  if (properties !== undefined) {
    const fields = lazily(() => {
      const named = Object.entries(properties).map(([name, field]) => [name, readerOf(field)] as const);
      return new Map(named);
    });
    const names = Object.keys(properties);
    const escapedNames = new Map([
      ...names.filter(isReserved).map((name) => [name, name] as const),
      ...names.map((name) => [escapeName(name) ?? name, name] as const),
    ]);
    return mapReader((value) => new SchemaMap(value, { kind: "object", fields: fields(), escapedNames }));
  }
  const values = valuesOf(schema);
  if (values === undefined) return mapReader((value) => new SchemaMap(value, { kind: "opaque" }));
  const reader = lazily(() => readerOf(values));
  return mapReader((value) => new SchemaMap(value, { kind: "map", reader: reader() }));
}

function mapReader(make: (value: JsonObject) => SchemaMap): Reader {
  return (json) => {
    if (isJsonObject(json)) return make(json);
    return new Failure("invalid data, expected a map for the provided schema with type=object");
  };
}

function listReader(schema: JsonSchema): Reader {
  const items = itemsOf(schema);
  if (items === undefined) return () => new Failure("invalid array type, expected Items with a non-empty Schema");
  const reader = lazily(() => readerOf(items));
  const form = schema["x-kubernetes-list-type"] ?? "atomic";
  const keys = (schema["x-kubernetes-list-map-keys"] ?? []).map((key) => escapeName(key) ?? key);
  return (json) => {
    if (isJsonList(json)) return SchemaList.of(json, { form, keys, reader: reader() });
    return new Failure("invalid data, expected an array for the provided schema with type=array");
  };
}

const formatReaders: Readonly<Record<string, (text: string) => Result>> = {
  duration: (text) => {
    const span = spanOfText(text);
    return span instanceof Failure ? new Failure(`Invalid duration ${text}: ${span.message}`) : span;
  },
  date: (text) => dateOfText(text) ?? new Failure(`Invalid date formatted string ${text}`),
  "date-time": (text) => dateTimeOfText(text) ?? new Failure(`Invalid date-time formatted string ${text}`),
  byte: (text) => new Uint8Array(Buffer.from(text, "base64")),
};

function textReader({ format = "" }: JsonSchema): Reader {
  const read = Object.hasOwn(formatReaders, format) ? formatReaders[format] : undefined;
  return (json) => {
    if (typeof json !== "string") return unexpected("string", json);
    return read === undefined ? json : read(json);
  };
}

function unexpected(expected: string, json: Json): Failure {
  return new Failure(`invalid data, expected ${expected}, got ${goTypeOf(json)}`);
}

function goTypeOf(json: Json): string {
  if (typeof json === "string") return "string";
  if (typeof json === "boolean") return "bool";
  if (isNumber(json)) return typeof json === "number" && !Number.isInteger(json) ? "float64" : "int64";
  return Array.isArray(json) ? "[]interface {}" : "map[string]interface {}";
}

/** Made when first needed: most parts of a large schema are never looked at. */
function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
