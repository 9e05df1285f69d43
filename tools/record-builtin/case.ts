import type { Json, JsonObject } from "#machinery";

/** A request to make of the real server; with `change`, an update of what it made. */
export interface Case {
  readonly name: string;
  /** `secrets`, `leases.coordination.k8s.io`. */
  readonly resource: string;
  readonly body: JsonObject;
  /** Fields that the update changes; null takes one away. */
  readonly change?: JsonObject;
  /** Where the update goes, if not to the object itself. */
  readonly subresource?: string;
}

/** One request and its answer, as the fixtures keep them. */
export interface Recorded {
  readonly name: string;
  readonly resource: string;
  readonly version: string;
  readonly verb: "create" | "update";
  readonly subresource?: string;
  readonly old?: Json;
  readonly body: Json;
  readonly code: number;
  readonly answer: Json;
}

/** Cases of one resource: the body of each is made from what is said about it and from what they all say. */
export function casesOf(
  resource: string,
  common: JsonObject,
  cases: Readonly<
    Record<string, JsonObject | { readonly from: JsonObject; readonly to: JsonObject; readonly at?: string }>
  >,
): readonly Case[] {
  return Object.entries(cases).map(([name, given]): Case => {
    if (!isUpdate(given)) return { name, resource, body: merged(common, given) };
    const at = given.at === undefined ? {} : { subresource: given.at };
    return { name, resource, body: merged(common, given.from), change: given.to, ...at };
  });
}

/** A JSON merge. */
export function merged(base: JsonObject, change: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(change)) {
    const old = result[key];
    if (value === null) delete result[key];
    else result[key] = isPlain(value) && isPlain(old) ? merged(old, value) : value;
  }
  return result;
}

function isUpdate(
  given: object,
): given is { readonly from: JsonObject; readonly to: JsonObject; readonly at?: string } {
  return "from" in given && "to" in given;
}

function isPlain(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
