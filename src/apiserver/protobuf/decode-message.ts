import { isJsonObject, type Json, type JsonObject, type JsonObjectDraft, setMember } from "#machinery";
import type { WireField, WireType } from "#apiserver/builtin";
import type { ByteReader, WireKind } from "./byte-reader.ts";
import { InvalidProtobufError } from "./errors.ts";
import { type MessagePlan, planOf } from "./message-plan.ts";
import { decodeSpecial } from "./special-messages.ts";

// Nothing that a cluster holds is nested or numerous like this; a hostile message would be.
const deepest = 250;
const mostValues = 2_000_000;

type Element = WireField["element"];

/** How far down a message lies, and how much has been read in all. */
export interface Depth {
  readonly level: number;
  readonly budget: { left: number };
}

/** Reads a message of a type as the JSON object that it stands for. */
export function decodeMessage(type: WireType, reader: ByteReader): JsonObject {
  return messageOf(type, reader, { level: 0, budget: { left: mostValues } });
}

function messageOf(type: WireType, reader: ByteReader, depth: Depth): JsonObject {
  const object: JsonObjectDraft = {};
  readInto(object, planOf(type), reader, deeper(depth));
  return object;
}

function readInto(object: JsonObjectDraft, plan: MessagePlan, reader: ByteReader, depth: Depth): void {
  while (!reader.isDone) {
    const { number, wire } = reader.tag();
    const entry = plan.get(number);
    if (entry === undefined) reader.skip(wire);
    else if (entry.kind === "inlined") readInto(object, entry.plan, bytesOf(reader, wire), deeper(depth));
    else readField(object, entry.field, { reader, wire, depth });
  }
}

interface Reading {
  readonly reader: ByteReader;
  readonly wire: WireKind;
  readonly depth: Depth;
}

function readField(object: JsonObjectDraft, field: WireField, reading: Reading): void {
  spend(reading.depth);
  switch (field.shape) {
    case "single":
      object[field.name] = valueOf(field.element, reading);
      return;
    case "list": {
      const list = object[field.name];
      const items = itemsOf(field.element, reading);
      if (Array.isArray(list)) for (const item of items) list.push(item);
      else object[field.name] = items;
      return;
    }
    case "map": {
      const map = object[field.name];
      const draft: JsonObjectDraft = isJsonObject(map) ? map : {};
      object[field.name] = draft;
      readEntry(draft, field.element, reading);
    }
  }
}

/** Usually one item; numbers may come packed together. */
function itemsOf(element: Element, reading: Reading): Json[] {
  const { reader, wire, depth } = reading;
  const packed = wire === "bytes" && element.kind === "scalar" && isNumeric(element.scalar);
  if (!packed) return [valueOf(element, reading)];
  const inside = reader.inside();
  const items: Json[] = [];
  while (!inside.isDone) {
    spend(depth);
    items.push(valueOf(element, { reader: inside, wire: element.scalar === "double" ? "fixed64" : "varint", depth }));
  }
  return items;
}

function readEntry(map: JsonObjectDraft, element: Element, { reader, wire, depth }: Reading): void {
  const entry = bytesOf(reader, wire);
  let key = "";
  let value: Json | undefined;
  while (!entry.isDone) {
    const tag = entry.tag();
    if (tag.number === 1) key = bytesOf(entry, tag.wire).text();
    else if (tag.number === 2) value = valueOf(element, { reader: entry, wire: tag.wire, depth: deeper(depth) });
    else entry.skip(tag.wire);
  }
  // A value that says nothing is left out of its entry; null stands for it until the object is read by its type.
  setMember(map, key, value ?? null);
}

function valueOf(element: Element, reading: Reading): Json {
  const { reader, wire, depth } = reading;
  if (element.kind === "object") return messageOf(element.type(), bytesOf(reader, wire), depth);
  switch (element.scalar) {
    case "string":
      return bytesOf(reader, wire).text();
    case "bytes":
      return bytesOf(reader, wire).rest().toString("base64");
    case "bool":
      return numberOf(reader, wire) !== 0;
    case "int32":
      return Number(BigInt.asIntN(32, BigInt(numberOf(reader, wire))));
    case "int64":
      return numberOf(reader, wire);
    case "double":
      if (wire !== "fixed64") throw new InvalidProtobufError(`a number with a fraction cannot be a ${wire}`);
      return reader.double();
    case "time":
    case "microTime":
    case "duration":
    case "quantity":
    case "intOrString":
    case "rawExtension":
    case "fieldsV1":
    case "json":
    case "strings":
    case "schemaOrArray":
    case "schemaOrBool":
    case "schemaOrStrings": {
      const level = deeper(depth);
      const nested = (type: WireType, inside: ByteReader): JsonObject => messageOf(type, inside, level);
      return decodeSpecial(element.scalar, bytesOf(reader, wire), nested);
    }
  }
}

function bytesOf(reader: ByteReader, wire: WireKind): ByteReader {
  if (wire !== "bytes") throw new InvalidProtobufError(`a text or message cannot be a ${wire}`);
  return reader.inside();
}

function numberOf(reader: ByteReader, wire: WireKind): number | bigint {
  if (wire !== "varint") throw new InvalidProtobufError(`a whole number cannot be a ${wire}`);
  return reader.signed();
}

function isNumeric(scalar: string): boolean {
  return scalar === "int32" || scalar === "int64" || scalar === "double" || scalar === "bool";
}

function deeper({ level, budget }: Depth): Depth {
  if (level >= deepest) throw new InvalidProtobufError(`messages are nested more than ${deepest} levels deep`);
  return { level: level + 1, budget };
}

function spend({ budget }: Depth): void {
  budget.left -= 1;
  if (budget.left < 0) throw new InvalidProtobufError(`a message has more than ${mostValues} values`);
}
