import {
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonObjectDraft,
  setMember,
  sharing,
} from "#machinery";
import type { WireField, WireType } from "../types/wire-type.ts";
import { defaultsByType } from "./defaults-by-type.ts";
import { filled, isLacking } from "./filled.ts";

const worthVisiting = new Map<string, boolean>();

/** Fills in the defaults of a type and of everything inside it; the same object where there is nothing to fill in. */
export function applyTypeDefaults(type: WireType, object: JsonObject): JsonObject {
  if (!hasDefaults(type)) return object;
  const own = ownDefaults(type, object);
  let draft: JsonObjectDraft | undefined;
  for (const field of type.fields.values()) {
    const value = own[field.name];
    const full = isLacking(value) ? field.default : defaultField(field, value ?? null);
    if (full === undefined) continue;
    if (full === value) continue;
    draft ??= { ...own };
    draft[field.name] = full;
  }
  return draft ?? own;
}

function ownDefaults(type: WireType, object: JsonObject): JsonObject {
  const defaults = defaultsByType.get(type.name);
  if (defaults === undefined) return object;
  return typeof defaults === "function" ? sharing(defaults(object), object) : filled(object, defaults);
}

function defaultField(field: WireField, value: Json): Json {
  if (field.element.kind === "scalar") return value;
  const type = field.element.type();
  if (!hasDefaults(type)) return value;
  const whole = (each: Json): Json => (isJsonObject(each) ? applyTypeDefaults(type, each) : each);
  if (field.shape === "single") return whole(value);
  if (isJsonList(value)) {
    const items = value.map(whole);
    return items.every((each, index) => each === value[index]) ? value : items;
  }
  if (!isJsonObject(value)) return value;
  const draft: JsonObjectDraft = {};
  for (const key of Object.keys(value)) setMember(draft, key, whole(value[key] ?? null));
  return draft;
}

/** True where the type, or one inside it, has defaults. */
function hasDefaults(type: WireType): boolean {
  const known = worthVisiting.get(type.name);
  if (known !== undefined) return known;
  // A type that holds itself must not be asked again while it is being asked.
  worthVisiting.set(type.name, false);
  const has =
    defaultsByType.has(type.name) ||
    [...type.fields.values()].some(
      (field) => field.default !== undefined || (field.element.kind === "object" && hasDefaults(field.element.type())),
    );
  worthVisiting.set(type.name, has);
  return has;
}
