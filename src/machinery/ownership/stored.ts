import type { Json, JsonObject } from "../json.ts";
import { assertOfType } from "./check-type.ts";
import { fieldType, type ValueType } from "./value-type.ts";
import { metadataOf } from "./written-object.ts";

const known = new WeakMap<ValueType, WeakSet<object>>();

/**
 * Throws a TypedValueError unless a stored object, or one about to be stored, is of its type. Its managedFields are
 * not looked at; its parts are remembered, since most of them come again with the next write.
 */
export function assertStored(object: JsonObject, type: ValueType): void {
  for (const name in object) if (name !== "metadata") assertPart(object, name, type);
  const metadataType = type.map === undefined ? undefined : fieldType(type.map, "metadata");
  if (metadataType === undefined) return;
  const metadata = metadataOf(object);
  for (const name in metadata) if (name !== "managedFields") assertPart(metadata, name, metadataType);
}

function assertPart(object: JsonObject, name: string, type: ValueType): void {
  const part: Json = object[name] ?? null;
  const inner = type.map === undefined ? undefined : fieldType(type.map, name);
  if (inner !== undefined && typeof part === "object" && part !== null) {
    const sound = soundPartsOf(inner);
    if (sound.has(part)) return;
    assertOfType({ [name]: part }, type, { duplicates: "allowed" });
    sound.add(part);
  } else assertOfType({ [name]: part }, type, { duplicates: "allowed" });
}

function soundPartsOf(type: ValueType): WeakSet<object> {
  let parts = known.get(type);
  if (parts === undefined) known.set(type, (parts = new WeakSet()));
  return parts;
}
