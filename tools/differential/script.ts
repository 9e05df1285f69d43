import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isJsonObject, type Json, type JsonObject } from "#machinery";

/** One request of a script and what of its answer counts; see test/differential/README.md. */
export interface Step {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  /** JSON, or a text that is sent as it stands. */
  readonly body: Json | undefined;
  /** The body is this many times as long, for bodies too long to be written down. */
  readonly repeat: number;
  readonly anonymous: boolean;
  readonly save: Readonly<Record<string, string>>;
  readonly ignore: readonly string[];
  readonly only: readonly string[];
  readonly until: Condition | undefined;
}

/** What an answer must be before the script goes on; the request is sent again until then. */
export interface Condition {
  readonly code: number | undefined;
  readonly path: string | undefined;
  readonly equals: Json | undefined;
}

/** A sequence of requests that two servers are asked in the same order. */
export interface Script {
  readonly name: string;
  readonly steps: readonly Step[];
}

const stepFields = new Set([
  "name",
  "method",
  "path",
  "headers",
  "contentType",
  "body",
  "repeat",
  "anonymous",
  "save",
  "ignore",
  "only",
  "until",
]);

/** Reads a script from a file: a list of steps, or an object that holds them as `steps`. */
export function readScript(file: string): Script {
  const name = basename(file, ".json");
  const parsed: unknown = JSON.parse(readFileSync(file, "utf8"));
  const steps = isJsonObject(parsed) ? parsed["steps"] : parsed;
  if (!Array.isArray(steps)) throw new Error(`${file}: a script is a list of steps`);
  return { name, steps: steps.map((step: unknown, index) => readStep(step, `${file}: step ${index + 1}`)) };
}

function readStep(step: unknown, where: string): Step {
  if (!isJsonObject(step)) throw new Error(`${where} is not an object`);
  for (const field of Object.keys(step)) if (!stepFields.has(field)) throw new Error(`${where} has a field ${field}`);
  const { method = "GET", path, contentType, body, repeat = 1, anonymous = false } = step;
  if (typeof path !== "string" || !path.startsWith("/")) throw new Error(`${where} has no path that starts with /`);
  if (typeof method !== "string") throw new Error(`${where}: method is not a text`);
  if (typeof repeat !== "number") throw new Error(`${where}: repeat is not a number`);
  if (contentType !== undefined && typeof contentType !== "string") throw new Error(`${where}: contentType is no text`);
  return {
    name: typeof step["name"] === "string" ? step["name"] : `${method} ${path}`,
    method,
    path,
    headers: texts(step["headers"], `${where}: headers`),
    contentType,
    body,
    repeat,
    anonymous: anonymous === true,
    save: texts(step["save"], `${where}: save`),
    ignore: list(step["ignore"], `${where}: ignore`),
    only: list(step["only"], `${where}: only`),
    until: conditionIn(step["until"], `${where}: until`),
  };
}

function conditionIn(value: Json | undefined, where: string): Condition | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw new Error(`${where} is not an object`);
  const { code, path, equals } = value;
  return {
    code: typeof code === "number" ? code : undefined,
    path: typeof path === "string" ? path : undefined,
    equals,
  };
}

function texts(value: Json | undefined, where: string): Record<string, string> {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw new Error(`${where} is not an object`);
  const members = Object.entries(value).map(([name, text]): [string, string] => {
    if (typeof text !== "string") throw new Error(`${where}: ${name} is not a text`);
    return [name, text];
  });
  return Object.fromEntries(members);
}

function list(value: Json | undefined, where: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((text: unknown) => typeof text === "string")) {
    throw new Error(`${where} is not a list of texts`);
  }
  return value.map(String);
}

/** A text, or every text inside a value, with the saved values in place of `${name}`. */
export function fill(value: string, saved: JsonObject): string {
  return value.replaceAll(/\$\{([\w-]+)\}/g, (_, name: string) => {
    const found = saved[name];
    if (found === undefined) throw new Error(`nothing was saved as ${name}`);
    return typeof found === "string" ? found : JSON.stringify(found);
  });
}

export function fillAll(value: Json, saved: JsonObject): Json {
  if (typeof value === "string") return fill(value, saved);
  if (Array.isArray(value)) return value.map((member: Json) => fillAll(member, saved));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [fill(name, saved), fillAll(member, saved)]));
}
