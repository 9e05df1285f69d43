import { WeakCache } from "#base";
import {
  asJson,
  encodeJson,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonObjectDraft,
  type KubeObject,
  setMember,
} from "#machinery";

const texts = new WeakCache<object, string>(16 * 1024 * 1024);

/**
 * A stored object as JSON. What is the very same as in its previous version, such as a status, will most likely be so in
 * the next one too: its text is kept as long as it is in demand.
 */
export function joinedText(object: KubeObject, previous?: KubeObject): string {
  return textOf(asJson(object), previous && asJson(previous));
}

function textOf(value: Json, before: Json | undefined): string {
  if (typeof value !== "object" || value === null) return jsonText(value);
  if (value === before) return keptText(value);
  if (isJsonList(value)) return isJsonList(before) ? listText(value, before) : jsonText(value);
  return isJsonObject(before) ? membersText(value, before) : jsonText(value);
}

function listText(list: readonly Json[], before: readonly Json[]): string {
  return `[${list.map((item, index) => textOf(item ?? null, before[index])).join(",")}]`;
}

/** Scalars come first, then the lists and objects. */
function membersText(object: JsonObject, before: JsonObject): string {
  const scalars: JsonObjectDraft = {};
  let parts = "";
  for (const name in object) {
    const value = object[name];
    if (value === undefined) continue;
    if (typeof value !== "object" || value === null) setMember(scalars, name, value);
    else parts += `,${JSON.stringify(name)}:${textOf(value, before[name])}`;
  }
  const text = jsonText(scalars);
  if (parts === "") return text;
  return text === "{}" ? `{${parts.slice(1)}}` : `${text.slice(0, -1)}${parts}}`;
}

function keptText(part: object & Json): string {
  const known = texts.get(part);
  if (known !== undefined) return known;
  const text = jsonText(part);
  texts.set(part, text, text.length);
  return text;
}

function jsonText(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify refuses bigints, which are rare.
    if (!(error instanceof TypeError)) throw error;
    return encodeJson(value);
  }
}
