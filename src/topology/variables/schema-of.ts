import {
  deepestSchema,
  type FieldError,
  type FieldPath,
  forbidden,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonSchema,
  member,
  omitted,
  typeInvalid,
  type ValidationRule,
} from "#machinery";

/** The schema of a variable in the form that checks work on, and what kept parts of it from being read. */
export interface ReadSchema {
  readonly schema: JsonSchema;
  readonly errors: readonly FieldError[];
  /** True where a part of the schema has labels or annotations, or may have them. */
  readonly hasMetadata: boolean;
}

/** Reads the schema of a variable, found at a path. Descriptions and metadata say nothing about values and are left out. */
export function schemaOf(source: unknown, path: FieldPath): ReadSchema {
  const reading = new Reading();
  const schema = reading.node(source, path) ?? {};
  if (!reading.isTooDeep) return { schema, errors: reading.errors, hasMetadata: reading.hasMetadata };
  const error = forbidden(path, `must not be nested deeper than ${deepestSchema} levels`);
  return { schema: {}, errors: [error], hasMetadata: true };
}

/** Reads what a keyword says, which is never null; undefined where it says nothing. */
type KeywordReader = (reading: Reading, value: Json, at: FieldPath) => unknown;

const keywords: ReadonlyMap<string, KeywordReader> = new Map<string, KeywordReader>([
  ...all(["type", "format", "pattern"], (reading, value, at) => reading.text(value, at) || undefined),
  ...all(["uniqueItems", "exclusiveMinimum", "exclusiveMaximum"], readFlag),
  ...all(["x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields"], readFlag),
  ...all(["minProperties", "maxProperties", "minItems", "maxItems", "minLength", "maxLength"], readCount),
  ...all(["minimum", "maximum"], (reading, value, at) => reading.integer(value, at)),
  ...all(["default", "example"], (_, value) => value),
  ...all(["items", "additionalProperties", "not"], (reading, value, at) => reading.node(value, at)),
  ...all(["allOf", "anyOf", "oneOf"], readParts),
  ["properties", readProperties],
  ["enum", readChoices],
  ["required", readNames],
  ["x-kubernetes-validations", readRules],
  ["x-metadata", noteMetadata],
]);

class Reading {
  readonly errors: FieldError[] = [];
  isTooDeep = false;
  hasMetadata = false;
  depth = 0;

  node(source: unknown, path: FieldPath): JsonSchema | undefined {
    const object = this.object(source, path);
    this.isTooDeep ||= this.depth > deepestSchema;
    if (object === undefined || this.isTooDeep) return undefined;
    const schema: { [keyword: string]: unknown } = {};
    this.depth += 1;
    for (const name of Object.keys(object)) {
      const read = keywords.get(name);
      const value = object[name] ?? null;
      const said = read === undefined || value === null ? undefined : read(this, value, path.child(name));
      if (said !== undefined) schema[name] = said;
    }
    this.depth -= 1;
    return schema;
  }

  text(value: Json | undefined, at: FieldPath): string {
    if (typeof value === "string") return value;
    this.#refuse(value, at, "a text");
    return "";
  }

  flag(value: Json, at: FieldPath): boolean {
    if (typeof value === "boolean") return value;
    this.#refuse(value, at, "true or false");
    return false;
  }

  integer(value: Json, at: FieldPath): number | bigint | undefined {
    if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) return value;
    this.#refuse(value, at, "an integer");
    return undefined;
  }

  list(value: Json, at: FieldPath): readonly Json[] {
    if (isJsonList(value)) return value;
    this.#refuse(value, at, "a list");
    return [];
  }

  object(value: unknown, at: FieldPath): JsonObject | undefined {
    if (isJsonObject(value)) return value;
    this.#refuse(value, at, "an object");
    return undefined;
  }

  #refuse(value: unknown, at: FieldPath, expected: string): void {
    if (value !== undefined && value !== null) this.errors.push(typeInvalid(at, omitted, `must be ${expected}`));
  }
}

function all(names: readonly string[], read: KeywordReader): readonly (readonly [string, KeywordReader])[] {
  return names.map((name) => [name, read]);
}

function readFlag(reading: Reading, value: Json, at: FieldPath): true | undefined {
  return reading.flag(value, at) || undefined;
}

function readCount(reading: Reading, value: Json, at: FieldPath): number | undefined {
  const count = reading.integer(value, at);
  return count === undefined ? undefined : Number(count);
}

function readParts(reading: Reading, value: Json, at: FieldPath): readonly JsonSchema[] | undefined {
  const parts = reading.list(value, at).map((part, index) => reading.node(part, at.index(index)) ?? {});
  return parts.length === 0 ? undefined : parts;
}

function readProperties(reading: Reading, value: Json, at: FieldPath): JsonSchema["properties"] {
  const read = Object.entries(reading.object(value, at) ?? {}).map(
    ([name, part]) => [name, reading.node(part, at.key(name)) ?? {}] as const,
  );
  return read.length === 0 ? undefined : Object.fromEntries(read);
}

function readChoices(reading: Reading, value: Json, at: FieldPath): readonly Json[] | undefined {
  const choices = reading.list(value, at).filter((choice) => choice !== null);
  return choices.length === 0 ? undefined : choices;
}

function readNames(reading: Reading, value: Json, at: FieldPath): readonly string[] | undefined {
  const names = reading.list(value, at).map((name, index) => reading.text(name, at.index(index)));
  return names.length === 0 ? undefined : names;
}

function readRules(reading: Reading, value: Json, at: FieldPath): readonly ValidationRule[] | undefined {
  const rules = reading.list(value, at).map((item, index) => readRule(reading, item, at.index(index)));
  return rules.length === 0 ? undefined : rules;
}

function readRule(reading: Reading, item: Json, at: FieldPath): ValidationRule {
  const object = reading.object(item, at) ?? {};
  const text = (name: string): string => reading.text(member(object, name), at.child(name));
  const message = text("message");
  const messageExpression = text("messageExpression");
  const fieldPath = text("fieldPath");
  const reason = text("reason");
  return {
    rule: text("rule"),
    ...(message === "" ? {} : { message }),
    ...(messageExpression === "" ? {} : { messageExpression }),
    ...(fieldPath === "" ? {} : { fieldPath }),
    ...(isReason(reason) ? { reason } : {}),
  };
}

/** Reasons that nobody knows are let through: the check of rules names them. */
function isReason(reason: string): reason is NonNullable<ValidationRule["reason"]> {
  return reason !== "";
}

function noteMetadata(reading: Reading): undefined {
  reading.hasMetadata = true;
  return undefined;
}
