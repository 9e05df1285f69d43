import { CapstanError, InvalidTimestampError, parseTimestamp } from "#base";
import { isJsonList, isJsonObject, type Json, type JsonObject, type JsonObjectDraft, setMember } from "./json.ts";
import type { ObjectMeta } from "./object.ts";

/** Metadata with a value of the wrong type, in the words of kube-apiserver. */
export class InvalidMetadataError extends CapstanError {
  readonly code = "INVALID_METADATA";
}

/** Metadata as it came over the wire, made sure of. */
export interface DecodedMetadata {
  readonly metadata: ObjectMeta;
  /** What is no field of metadata and was left out, such as `metadata.ownerReferences[0].foo`. */
  readonly unknownFields: readonly string[];
}

/**
 * Reads metadata from JSON: wrong types are refused, unknown fields left out, and what is empty is not there. What needs
 * no change comes back as it is, and what is the very same in older metadata that came from here is not looked at.
 */
export function decodeMetadata(value: Json | undefined, older?: ObjectMeta): DecodedMetadata {
  const unknownFields: string[] = [];
  if (value === undefined || value === null) return { metadata: {}, unknownFields };
  if (!isJsonObject(value)) throw mismatch(value, "Go value of type v1.ObjectMeta");
  const place = { type: "ObjectMeta", name: "", at: "metadata", unknownFields };
  return { metadata: readFields(value, fields, place, older ?? {}), unknownFields };
}

interface Place {
  /** The Go type that holds the field, and the names of the fields down to it, as messages have them. */
  readonly type: string;
  readonly name: string;
  readonly at: string;
  readonly unknownFields: string[];
}

/** Undefined where what was read is as good as nothing. */
type Reader = (value: Json, place: Place) => Json | undefined;

type Fields = Readonly<Record<string, Reader>>;

const owner: Fields = {
  apiVersion: text,
  kind: text,
  name: text,
  uid: text,
  controller: flag,
  blockOwnerDeletion: flag,
};

const managedFields: Fields = {
  manager: nonEmpty(text),
  operation: nonEmpty(text),
  apiVersion: nonEmpty(text),
  time,
  fieldsType: nonEmpty(text),
  // Whatever is in there is looked at by those who need it; a broken one resets the field.
  fieldsV1: (value) => value,
  subresource: nonEmpty(text),
};

const fields: Fields = {
  name: nonEmpty(text),
  generateName: nonEmpty(text),
  namespace: nonEmpty(text),
  // Read and forgotten, as Kubernetes does.
  selfLink: (value, place) => void text(value, place),
  uid: nonEmpty(text),
  resourceVersion: nonEmpty(text),
  generation: integer,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: integer,
  labels: textMap,
  annotations: textMap,
  ownerReferences: listOf("v1.OwnerReference", (item, place) => whole(structOf("OwnerReference", owner)(item, place))),
  finalizers: listOf("string", text),
  managedFields: listOf("v1.ManagedFieldsEntry", structOf("ManagedFieldsEntry", managedFields)),
};

/** The fields as they are to be; the object itself where they are so already. */
function readFields(object: JsonObject, known: Fields, place: Place, older: object = {}): JsonObject {
  const result: JsonObjectDraft = {};
  let isSame = true;
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    if (value === Reflect.get(older, key)) {
      result[key] = value;
      continue;
    }
    const reader = Object.hasOwn(known, key) ? known[key] : undefined;
    if (reader === undefined) {
      place.unknownFields.push(`${place.at}.${key}`);
      isSame = false;
      continue;
    }
    const inside = { ...place, name: place.name === "" ? key : `${place.name}.${key}`, at: `${place.at}.${key}` };
    const read = value === null ? undefined : reader(value, inside);
    isSame &&= read === object[key];
    if (read !== undefined) setMember(result, key, read);
  }
  return isSame ? object : result;
}

function text(value: Json, place: Place): string {
  if (typeof value !== "string") throw mismatchAt(value, place, "string");
  return value;
}

function flag(value: Json, place: Place): boolean {
  if (typeof value !== "boolean") throw mismatchAt(value, place, "bool");
  return value;
}

function integer(value: Json, place: Place): number | bigint {
  if (typeof value !== "number" && typeof value !== "bigint") throw mismatchAt(value, place, "int64");
  const isInt64 = typeof value === "bigint" ? BigInt.asIntN(64, value) === value : Number.isInteger(value);
  if (!isInt64) throw mismatchAt(value, place, "int64", ` ${value}`);
  return value;
}

/** The first moment of the calendar stands for no time at all. */
function time(value: Json, place: Place): string | undefined {
  try {
    const read = parseTimestamp(text(value, place));
    return read === "0001-01-01T00:00:00Z" ? undefined : read;
  } catch (error) {
    throw error instanceof InvalidTimestampError ? new InvalidMetadataError(error.message) : error;
  }
}

function textMap(value: Json, place: Place): JsonObject | undefined {
  if (!isJsonObject(value)) throw mismatchAt(value, place, "map[string]string");
  const keys = Object.keys(value);
  if (keys.length === 0) return undefined;
  // Almost always the map is as it should be and can be taken as it is.
  if (keys.every((key) => typeof value[key] === "string")) return value;
  const result: JsonObjectDraft = {};
  for (const key of keys) setMember(result, key, text(value[key] ?? "", place));
  return result;
}

function nonEmpty(reader: (value: Json, place: Place) => string): Reader {
  return (value, place) => {
    const read = reader(value, place);
    return read === "" ? undefined : read;
  };
}

function listOf(type: string, reader: Reader): Reader {
  return (value, place) => {
    if (!isJsonList(value)) throw mismatchAt(value, place, `[]${type}`);
    if (value.length === 0) return undefined;
    const read = value.map((item, index) => {
      const empty = type === "string" ? "" : {};
      return reader(item ?? empty, { ...place, at: `${place.at}[${index}]` }) ?? empty;
    });
    return read.every((item, index) => item === value[index]) ? value : read;
  };
}

function structOf(type: string, known: Fields): (value: Json, place: Place) => JsonObject {
  return (value, place) => {
    if (!isJsonObject(value)) throw mismatchAt(value, place, `v1.${type}`);
    return readFields(value, known, { ...place, type });
  };
}

/** An owner reference says all that it has to, if only with nothing. */
function whole(reference: JsonObject): JsonObject {
  const isWhole = ["apiVersion", "kind", "name", "uid"].every((name) => Object.hasOwn(reference, name));
  return isWhole ? reference : { apiVersion: "", kind: "", name: "", uid: "", ...reference };
}

function mismatchAt(value: Json, place: Place, expected: string, shown = ""): InvalidMetadataError {
  return mismatch(value, `Go struct field ${place.type}.${place.name} of type ${expected}`, shown);
}

function mismatch(value: Json, expected: string, shown = ""): InvalidMetadataError {
  return new InvalidMetadataError(`json: cannot unmarshal ${typeName(value)}${shown} into ${expected}`);
}

function typeName(value: Json): string {
  if (isJsonList(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}
