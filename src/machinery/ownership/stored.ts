import type { JsonObject } from "../json.ts";
import { assertOfType } from "./check-type.ts";
import { type ValueType, fieldType } from "./value-type.ts";

const known = new WeakMap<ValueType, WeakSet<object>>();

/**
 * Throws a TypedValueError unless a stored object, or one about to be stored, is of its type. The parts of an object
 * are remembered, since most of them come again with the next write.
 */
export function assertStored(object: JsonObject, type: ValueType): void {
  const { map } = type;
  for (const name in object) {
    const part = object[name] ?? null;
    const inner = map === undefined ? undefined : fieldType(map, name);
    if (inner === undefined || typeof part !== "object" || part === null) {
      assertOfType({ [name]: part }, type, { duplicates: "allowed" });
      continue;
    }
    const sound = soundPartsOf(inner);
    if (sound.has(part)) continue;
    assertOfType({ [name]: part }, type, { duplicates: "allowed" });
    sound.add(part);
  }
}

function soundPartsOf(type: ValueType): WeakSet<object> {
  let parts = known.get(type);
  if (parts === undefined) known.set(type, (parts = new WeakSet()));
  return parts;
}
