import type { Json, JsonObject } from "../json.ts";
import { assertOfType, isOfType } from "./check-type.ts";
import { fieldType, type ValueType } from "./value-type.ts";
import { metadataOf } from "./written-object.ts";

/** The type that a part of an object was found to be of; most parts come again with the next write. */
const knownTypes = new WeakMap<object, ValueType>();
const nothing: JsonObject = Object.freeze({});

/**
 * Throws a TypedValueError unless a stored object, or one about to be stored, is of its type. Its managedFields are
 * not looked at, nor what is the very same in an older one that was asserted.
 */
export function assertStored(object: JsonObject, type: ValueType, older: JsonObject = nothing): void {
  for (const name in object) if (name !== "metadata") assertPart(name, object, older, type);
  const metadataType = type.map === undefined ? undefined : fieldType(type.map, "metadata");
  const metadata = metadataOf(object);
  const before = metadataOf(older);
  if (metadataType === undefined || metadata === before) return;
  for (const name in metadata) if (name !== "managedFields") assertPart(name, metadata, before, metadataType);
}

function assertPart(name: string, object: JsonObject, older: JsonObject, type: ValueType): void {
  const part: Json = object[name] ?? null;
  if (part === older[name]) return;
  const inner = type.map === undefined ? undefined : fieldType(type.map, name);
  const isObject = typeof part === "object" && part !== null;
  if (inner !== undefined && isObject && knownTypes.get(part) === inner) return;
  // Of the whole it can be told what is wrong with a part, and where.
  if (inner === undefined || !isOfType(part, inner, older[name])) {
    assertOfType({ [name]: part }, type, { duplicates: "allowed" });
  } else if (isObject) knownTypes.set(part, inner);
}
