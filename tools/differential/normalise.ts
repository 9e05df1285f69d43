import { fieldAt, isJsonObject, type Json, type JsonObject } from "#machinery";
import { bodyOf } from "./conversation.ts";
import { parsePath, valuesAt, without } from "./json-path.ts";
import type { Answer } from "./remote-server.ts";
import type { Step } from "./script.ts";

const comparedHeaders = ["content-type", "warning", "retry-after", "cache-control"] as const;
const uid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const age = /^(\d+[smhdy])+$/;
const day = 86_400_000;

/** What no two servers have in common: uids, times of today, revisions, generated names. */
export class Normaliser {
  readonly #run: string;
  readonly #now: number;
  readonly #uids = new Map<string, string>();
  readonly #generated = new Map<string, string>();
  readonly #revisions = new Map<string, Set<string>>();

  constructor(run: string, now: number) {
    this.#run = run;
    this.#now = now;
  }

  /** Takes note of what a later answer may mention; called for every answer before the first is normalised. */
  learn({ text }: Answer): void {
    this.#learnFrom(bodyOf(text));
  }

  /** An answer as it is compared. */
  normalise(step: Step, { code, headers, text }: Answer): JsonObject {
    const named = Object.fromEntries(comparedHeaders.map((name) => [name, headers[name] ?? null]));
    const whole = { code, headers: this.#value(named), body: this.#value(withoutBookmarks(bodyOf(text))) };
    const selected = step.only.length === 0 ? whole : { ...whole, body: this.#only(step, whole.body) };
    const kept = step.ignore.reduce<Json>((rest, path) => without(rest, parsePath(path)), selected);
    return isJsonObject(kept) ? kept : {};
  }

  #only({ only }: Step, body: Json): Json {
    return Object.fromEntries(only.map((path) => [path, [...valuesAt(body, parsePath(path.replace(/^body\.?/, "")))]]));
  }

  #learnFrom(value: Json): void {
    if (Array.isArray(value)) value.forEach((member: Json) => this.#learnFrom(member));
    if (!isJsonObject(value)) return;
    const { generateName, name, uid: of, resourceVersion } = value;
    if (typeof name === "string" && typeof of === "string") this.#learnUid(of, name);
    if (typeof generateName === "string" && typeof name === "string" && name.startsWith(generateName)) {
      this.#generated.set(name, `${generateName}<generated>`);
    }
    if (typeof of === "string" && typeof resourceVersion === "string") {
      this.#revisions.set(of, (this.#revisions.get(of) ?? new Set()).add(resourceVersion));
    }
    for (const member of Object.values(value)) this.#learnFrom(member);
  }

  /** A uid is known by the name of its object, and by how many of that name there were before. */
  #learnUid(of: string, name: string): void {
    if (this.#uids.has(of)) return;
    const before = [...this.#uids.values()].filter((known) => known.startsWith(`<uid ${name} `)).length;
    this.#uids.set(of, `<uid ${name} ${before + 1}>`);
  }

  #value(value: Json): Json {
    if (typeof value === "string") return this.#text(value);
    if (Array.isArray(value)) return value.map((member: Json) => this.#value(member));
    if (!isJsonObject(value)) return value;
    if (value["kind"] === "Status") return this.#status(value);
    return this.#members(value);
  }

  #members(value: JsonObject): JsonObject {
    const members = Object.entries(value).map(([name, member]) => [
      this.#text(name),
      this.#member(value, name, member),
    ]);
    return Object.fromEntries(members);
  }

  /** What is invalid is reported in any order: the real server goes through maps. */
  #status(status: JsonObject): JsonObject {
    const normal = this.#members(status);
    const { message, details } = normal;
    const causes = isJsonObject(details) && Array.isArray(details["causes"]) ? details["causes"].map(asText) : [];
    if (!isJsonObject(details) || typeof message !== "string" || causes.length < 2) return normal;
    const ordered = message.replace(`[${causes.join(", ")}]`, `[${causes.toSorted().join(", ")}]`);
    return { ...normal, message: ordered, details: { ...details, causes: causes.toSorted() } };
  }

  #member(parent: JsonObject, name: string, member: Json): Json {
    if (name === "resourceVersion" && typeof member === "string") return this.#revision(parent["uid"], member);
    if (name === "managedFields" && Array.isArray(member))
      return sorted(member.map((entry: Json) => this.#value(entry)));
    if (name === "cells" && Array.isArray(member)) return member.map((cell: Json) => this.#cell(cell));
    return this.#value(member);
  }

  /** An object's revisions become their order; that of a list says nothing, for others write meanwhile. */
  #revision(of: Json | undefined, revision: string): string {
    if (!/^[1-9]\d*$/.test(revision)) return revision;
    const known = typeof of === "string" ? this.#revisions.get(of) : undefined;
    if (known === undefined) return "<revision>";
    const ranks = [...known].toSorted((a, b) => Number(a) - Number(b));
    return `<revision ${ranks.indexOf(revision) + 1}>`;
  }

  #cell(cell: Json): Json {
    return typeof cell === "string" && age.test(cell) ? "<age>" : this.#value(cell);
  }

  #text(text: string): string {
    let result = text.replaceAll(uid, (found) => this.#uids.get(found) ?? "<uid>").replaceAll(this.#run, "<run>");
    result = result.replaceAll(time, (found, micro?: string) => this.#time(found, micro));
    for (const [name, shown] of this.#generated)
      result = result.replaceAll(name.replaceAll(this.#run, "<run>"), shown.replaceAll(this.#run, "<run>"));
    return result
      .replaceAll(/(too old resource version: \d+) \(\d+\)/g, "$1 (<revision>)")
      .replaceAll(/(Too large resource version: \d+), current: \d+/g, "$1, current: <revision>");
  }

  /** Times that a script writes down itself are compared; those of today are the server's. */
  #time(found: string, micro: string | undefined): string {
    if (Math.abs(Date.parse(found) - this.#now) > day) return found;
    return micro === undefined ? "<time>" : "<microtime>";
  }
}

/** The order of entries depends on the second in which each was written. */
function sorted(entries: readonly Json[]): Json {
  return entries.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function orderOf(entry: Json): string {
  if (!isJsonObject(entry)) return "";
  return [entry["manager"], entry["operation"], entry["subresource"], entry["apiVersion"]].map(String).join(" ");
}

function asText(cause: Json): string {
  return isJsonObject(cause)
    ? [cause["field"], cause["message"]].filter((part) => typeof part === "string").join(": ")
    : "";
}

/** Bookmarks come when the clock says so, but for the one that ends the initial events. */
function withoutBookmarks(body: Json): Json {
  if (!Array.isArray(body)) return body;
  return body.filter((event: Json) => {
    if (!isJsonObject(event) || event["type"] !== "BOOKMARK") return true;
    return fieldAt(event, "object", "metadata", "annotations", "k8s.io/initial-events-end") === "true";
  });
}
