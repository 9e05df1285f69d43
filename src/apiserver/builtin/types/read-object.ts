import { isJsonList, isJsonObject, type Json, type JsonObject, type JsonObjectDraft, setMember } from "#machinery";
import { readScalar, WireMismatchError, zeroScalar } from "./scalar.ts";
import { type ElementType, type WireField, type WireType, wireType } from "./wire-type.ts";

/** Where in a body something stands; printed only when there is something to say about it. */
export interface Place {
  readonly parent?: Place;
  readonly step: string;
}

type OnUnknown = ((path: string) => void) | undefined;

/**
 * Reads an object as Go would read it into the type and write it again: unknown fields and nulls are gone, empty values
 * too unless the type writes them always. A value of the wrong type throws; an object that is fine comes back as it is.
 */
export function readObject(type: WireType, object: JsonObject, onUnknown?: (path: string) => void): JsonObject {
  return readStruct(type, object, { step: "" }, onUnknown);
}

/** What an object of a type looks like when nobody has set anything: only what is always written. */
export function zeroObject(type: WireType): JsonObject {
  return readStruct(type, {}, { step: "" }, undefined);
}

function readStruct(type: WireType, object: JsonObject, at: Place, onUnknown: OnUnknown): JsonObject {
  let draft: JsonObjectDraft | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const read = readMember(type, key, { value, at, onUnknown });
    if (read === value) continue;
    draft ??= { ...object };
    if (read === undefined) delete draft[key];
    else draft[key] = read;
  }
  for (const field of type.always) {
    if (Object.hasOwn(draft ?? object, field.name)) continue;
    draft ??= { ...object };
    draft[field.name] = zeroOf(field);
  }
  return draft ?? object;
}

interface Reading {
  readonly value: Json;
  readonly at: Place;
  readonly onUnknown: OnUnknown;
}

function readMember(type: WireType, key: string, { value, at, onUnknown }: Reading): Json | undefined {
  const field = type.fields.get(key);
  if (field !== undefined) return readField(field, { value, at: { parent: at, step: key }, onUnknown });
  if (type.typed && (key === "apiVersion" || key === "kind")) {
    return readScalar("string", value, () => describePlace({ parent: at, step: key })) === "" ? undefined : value;
  }
  onUnknown?.(describePlace({ parent: at, step: key }));
  return undefined;
}

/** The value as it would be written; undefined where the field would be left out. */
function readField(field: WireField, reading: Reading): Json | undefined {
  const { value, at } = reading;
  if (value === null) return field.always ? zeroOf(field) : undefined;
  if (field.shape === "list") {
    if (!isJsonList(value)) throw mismatch(value, at, "a list");
    return value.length === 0 ? emptyOf(field) : readList(field.element, value, reading);
  }
  if (field.shape === "map") {
    if (!isJsonObject(value)) throw mismatch(value, at, "a map");
    return Object.keys(value).length === 0 ? emptyOf(field) : readMap(field.element, value, reading);
  }
  const read = readElement(field.element, reading);
  return !field.pointer && !field.always && isEmpty(read) ? undefined : read;
}

/** Objects are kept in a form in which nothing and an empty list are the same: it comes back as null, or not at all. */
function emptyOf(field: WireField): null | undefined {
  return field.always ? null : undefined;
}

function readList(element: ElementType, list: readonly Json[], { at, onUnknown }: Reading): readonly Json[] {
  let draft: Json[] | undefined;
  for (const [index, value] of list.entries()) {
    const read = readItem(element, { value, at: { parent: at, step: `[${index}]` }, onUnknown });
    if (read === value) continue;
    draft ??= [...list];
    draft[index] = read;
  }
  return draft ?? list;
}

function readMap(element: ElementType, map: JsonObject, { at, onUnknown }: Reading): JsonObject {
  let draft: JsonObjectDraft | undefined;
  for (const key of Object.keys(map)) {
    const value = map[key] ?? null;
    const read = readItem(element, { value, at: { parent: at, step: key }, onUnknown });
    if (read === value) continue;
    draft ??= { ...map };
    setMember(draft, key, read);
  }
  return draft ?? map;
}

/** In lists and maps nothing can be left out: a null stands for an empty value. */
function readItem(element: ElementType, reading: Reading): Json {
  return reading.value === null ? zeroElement(element) : readElement(element, reading);
}

function readElement(element: ElementType, reading: Reading): Json {
  const { value, at, onUnknown } = reading;
  if (element.kind === "object") {
    if (!isJsonObject(value)) throw mismatch(value, at, "an object");
    return readStruct(element.type(), value, at, onUnknown);
  }
  const { scalar } = element;
  if (scalar === "strings" || (scalar === "schemaOrStrings" && isJsonList(value))) return readTexts(reading);
  if (scalar === "schemaOrArray" && isJsonList(value)) return readList(schemaProps, value, reading);
  if (scalar === "schemaOrBool" && typeof value === "boolean") return value;
  if (scalar === "schemaOrArray" || scalar === "schemaOrBool" || scalar === "schemaOrStrings") {
    // The real server takes anything else here for nothing at all.
    return isJsonObject(value) || scalar === "schemaOrBool" ? readElement(schemaProps, reading) : null;
  }
  return readScalar(scalar, value, () => describePlace(at));
}

function readTexts(reading: Reading): readonly Json[] {
  const { value, at } = reading;
  if (!isJsonList(value)) throw mismatch(value, at, "[]string");
  return readList(text, value, reading);
}

const text: ElementType = { kind: "scalar", scalar: "string" };
const schemaProps: ElementType = { kind: "object", type: () => wireType("apiextensions/v1.JSONSchemaProps") };

function zeroOf(field: WireField): Json {
  return field.pointer || field.shape !== "single" ? null : zeroElement(field.element);
}

function zeroElement(element: ElementType): Json {
  return element.kind === "object" ? zeroObject(element.type()) : zeroScalar(element.scalar);
}

function isEmpty(value: Json): boolean {
  return value === "" || value === 0 || value === false;
}

function mismatch(value: Json, at: Place, expected: string): WireMismatchError {
  return WireMismatchError.of(value, describePlace(at), expected);
}

/** `spec.containers[0].image`. */
function describePlace(place: Place): string {
  const before = place.parent === undefined ? "" : describePlace(place.parent);
  return before === "" || place.step.startsWith("[") ? `${before}${place.step}` : `${before}.${place.step}`;
}
