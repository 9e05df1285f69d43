import { isJsonList, isJsonObject, type Json, type JsonObject, member } from "#machinery";
import type { WireField, WireType } from "#apiserver/builtin";
import { ByteWriter } from "./byte-writer.ts";
import { type MessagePlan, planOf } from "./message-plan.ts";
import { encodeSpecial } from "./special-encoding.ts";

type Element = WireField["element"];

/** Writes an object as the message of its type. What the type does not know is left out. */
export function encodeMessage(type: WireType, object: JsonObject): Buffer {
  return encodeFields(planOf(type), object);
}

function encodeFields(plan: MessagePlan, object: JsonObject): Buffer {
  const writer = new ByteWriter();
  for (const [number, entry] of plan) {
    if (entry.kind === "inlined") {
      const inside = encodeFields(entry.plan, object);
      if (inside.length > 0) writer.bytes(number, inside);
    } else encodeField(writer, entry.field, member(object, entry.field.name));
  }
  return writer.finish();
}

/** Nothing is written for nothing: whoever reads it finds nothing, too. */
function encodeField(writer: ByteWriter, field: WireField, value: Json | undefined): void {
  if (value === undefined || value === null) return;
  const { number, shape, element } = field;
  if (shape === "single") encodeValue(writer, number, { element, value });
  else if (shape === "list" && isJsonList(value)) {
    for (const item of value) encodeValue(writer, number, { element, value: item });
  } else if (shape === "map" && isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const entry = new ByteWriter().text(1, key);
      encodeValue(entry, 2, { element, value: value[key] ?? null });
      writer.bytes(number, entry.finish());
    }
  }
}

function encodeValue(
  writer: ByteWriter,
  number: number,
  { element, value }: { readonly element: Element; readonly value: Json },
): void {
  if (element.kind === "object") {
    writer.bytes(number, isJsonObject(value) ? encodeMessage(element.type(), value) : Buffer.alloc(0));
    return;
  }
  switch (element.scalar) {
    case "string":
      writer.text(number, typeof value === "string" ? value : "");
      return;
    case "bytes":
      writer.bytes(number, Buffer.from(typeof value === "string" ? value : "", "base64"));
      return;
    case "bool":
      writer.number(number, value === true ? 1 : 0);
      return;
    case "int32":
    case "int64":
      writer.number(number, typeof value === "number" || typeof value === "bigint" ? value : 0);
      return;
    case "double":
      writer.double(number, Number(value));
      return;
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
    case "schemaOrStrings":
      writer.bytes(number, encodeSpecial(element.scalar, value, encodeMessage));
  }
}
