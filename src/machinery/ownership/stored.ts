import type { Json, JsonObject } from "../json.ts";
import { assertOfType, isOfType } from "./check-type.ts";
import { fieldType, type ValueType } from "./value-type.ts";
import { metadataOf } from "./written-object.ts";

const known = new WeakMap<ValueType, WeakSet<object>>();
const nothing: JsonObject = Object.freeze({});

/**
 * Throws a TypedValueError unless a stored object, or one about to be stored, is of its type. Its managedFields are
 * not looked at, nor what is the very same in an older one that was asserted; its parts are remembered, since most of
 * them come again with the next write.
 */
export function assertStored(object: JsonObject, type: ValueType, older: JsonObject = nothing): void {
  for (const name in object) if (name !== "metadata" && object[name] !== older[name]) assertPart(object, name, type);
  const metadataType = type.map === undefined ? undefined : fieldType(type.map, "metadata");
  const metadata = metadataOf(object);
  const before = metadataOf(older);
  if (metadataType === undefined || metadata === before) return;
  for (const name in metadata) {
    if (name !== "managedFields" && metadata[name] !== before[name]) assertPart(metadata, name, metadataType);
  }
}

function assertPart(object: JsonObject, name: string, type: ValueType): void {
  const part: Json = object[name] ?? null;
  const inner = type.map === undefined ? undefined : fieldType(type.map, name);
  const sound = inner === undefined || typeof part !== "object" || part === null ? undefined : soundPartsOf(inner);
  if (typeof part === "object" && part !== null && sound?.has(part) === true) return;
  const options = { duplicates: "allowed" } as const;
  // The whole tells more of what is wrong with a part.
  if (inner === undefined || !isOfType(part, inner, options)) assertOfType({ [name]: part }, type, options);
  if (typeof part === "object" && part !== null) sound?.add(part);
}

function soundPartsOf(type: ValueType): WeakSet<object> {
  let parts = known.get(type);
  if (parts === undefined) known.set(type, (parts = new WeakSet()));
  return parts;
}
