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
}

/** Reads the schema of a variable, found at a path. Descriptions and metadata say nothing about values and are left out. */
export function schemaOf(source: unknown, path: FieldPath): ReadSchema {
  const reading = new Reading();
  const schema = reading.node(source, path) ?? {};
  if (!reading.isTooDeep) return { schema, errors: reading.errors };
  return { schema: {}, errors: [forbidden(path, `must not be nested deeper than ${deepestSchema} levels`)] };
}

type Draft = { -readonly [keyword in keyof JsonSchema]: JsonSchema[keyword] };

const texts = ["type", "format", "pattern"] as const;
const counts = ["minProperties", "maxProperties", "minItems", "maxItems", "minLength", "maxLength"] as const;
const limits = ["minimum", "maximum"] as const;
const flags = [
  "uniqueItems",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "x-kubernetes-int-or-string",
  "x-kubernetes-preserve-unknown-fields",
] as const;
const lists = ["allOf", "anyOf", "oneOf"] as const;

class Reading {
  readonly errors: FieldError[] = [];
  isTooDeep = false;
  #depth = 0;

  node(source: unknown, path: FieldPath): JsonSchema | undefined {
    const object = this.#object(source, path);
    this.isTooDeep ||= this.#depth > deepestSchema;
    if (object === undefined || this.isTooDeep) return undefined;
    const schema: Draft = {};
    this.#readScalars(object, path, schema);
    this.#readValues(object, path, schema);
    this.#depth += 1;
    this.#readParts(object, path, schema);
    this.#depth -= 1;
    const rules = this.#rules(member(object, "x-kubernetes-validations"), path.child("x-kubernetes-validations"));
    if (rules.length > 0) schema["x-kubernetes-validations"] = rules;
    return schema;
  }

  /** What is empty or false says nothing, so it is left out. */
  #readScalars(object: JsonObject, path: FieldPath, schema: Draft): void {
    for (const name of texts) {
      const text = this.#text(member(object, name), path.child(name));
      if (text !== "") schema[name] = text;
    }
    for (const name of flags) if (this.#flag(member(object, name), path.child(name))) schema[name] = true;
    for (const name of counts) {
      const count = this.#integer(member(object, name), path.child(name));
      if (count !== undefined) schema[name] = Number(count);
    }
    for (const name of limits) {
      const limit = this.#integer(member(object, name), path.child(name));
      if (limit !== undefined) schema[name] = limit;
    }
  }

  /** A default or an example that is null is none, and so is a choice. */
  #readValues(object: JsonObject, path: FieldPath, schema: Draft): void {
    for (const name of ["default", "example"] as const) {
      const value = member(object, name) ?? null;
      if (value !== null) schema[name] = value;
    }
    const choices = this.#list(member(object, "enum"), path.child("enum")).filter((choice) => choice !== null);
    if (choices.length > 0) schema.enum = choices;
    const required = this.#list(member(object, "required"), path.child("required"));
    if (required.length > 0) {
      schema.required = required.map((name, index) => this.#text(name, path.child("required").index(index)));
    }
  }

  #readParts(object: JsonObject, path: FieldPath, schema: Draft): void {
    for (const name of ["items", "additionalProperties", "not"] as const) {
      const part = this.node(member(object, name), path.child(name));
      if (part !== undefined) schema[name] = part;
    }
    for (const name of lists) {
      const parts = this.#list(member(object, name), path.child(name));
      if (parts.length === 0) continue;
      schema[name] = parts.map((part, index) => this.node(part, path.child(name).index(index)) ?? {});
    }
    const properties = this.#object(member(object, "properties"), path.child("properties"));
    if (properties === undefined || Object.keys(properties).length === 0) return;
    schema.properties = Object.fromEntries(
      Object.entries(properties).map(([name, part]) => [
        name,
        this.node(part, path.child("properties").key(name)) ?? {},
      ]),
    );
  }

  #rules(source: Json | undefined, path: FieldPath): readonly ValidationRule[] {
    return this.#list(source, path).map((item, index) => {
      const at = path.index(index);
      const object = this.#object(item, at) ?? {};
      const text = (name: string): string => this.#text(member(object, name), at.child(name));
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
    });
  }

  #text(value: Json | undefined, at: FieldPath): string {
    if (typeof value === "string") return value;
    this.#refuse(value, at, "a text");
    return "";
  }

  #flag(value: Json | undefined, at: FieldPath): boolean {
    if (typeof value === "boolean") return value;
    this.#refuse(value, at, "true or false");
    return false;
  }

  #integer(value: Json | undefined, at: FieldPath): number | bigint | undefined {
    if (typeof value === "bigint" || (typeof value === "number" && Number.isInteger(value))) return value;
    this.#refuse(value, at, "an integer");
    return undefined;
  }

  #list(value: Json | undefined, at: FieldPath): readonly Json[] {
    if (isJsonList(value)) return value;
    this.#refuse(value, at, "a list");
    return [];
  }

  #object(value: unknown, at: FieldPath): JsonObject | undefined {
    if (isJsonObject(value)) return value;
    this.#refuse(value, at, "an object");
    return undefined;
  }

  #refuse(value: unknown, at: FieldPath, expected: string): void {
    if (value !== undefined && value !== null) this.errors.push(typeInvalid(at, omitted, `must be ${expected}`));
  }
}

/** Reasons that nobody knows are let through: the check of rules names them. */
function isReason(reason: string): reason is NonNullable<ValidationRule["reason"]> {
  return reason !== "";
}
