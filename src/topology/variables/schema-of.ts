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

/** The schema that a keyword goes into, and where the keyword stands. */
interface Target {
  readonly schema: { -readonly [keyword in keyof JsonSchema]: JsonSchema[keyword] };
  readonly at: FieldPath;
}

class Reading {
  readonly errors: FieldError[] = [];
  isTooDeep = false;
  hasMetadata = false;
  #depth = 0;

  node(source: unknown, path: FieldPath): JsonSchema | undefined {
    const object = this.#object(source, path);
    this.isTooDeep ||= this.#depth > deepestSchema;
    if (object === undefined || this.isTooDeep) return undefined;
    const schema: Target["schema"] = {};
    this.#depth += 1;
    for (const [name, value] of Object.entries(object)) {
      if (value !== null) this.#scalar(name, value, { schema, at: path.child(name) });
    }
    this.#depth -= 1;
    return schema;
  }

  /** What is empty or false says nothing, so it is left out; null is never there. */
  #scalar(name: string, value: Json, { schema, at }: Target): void {
    switch (name) {
      case "type":
      case "format":
      case "pattern": {
        const text = this.#text(value, at);
        if (text !== "") schema[name] = text;
        return;
      }
      case "uniqueItems":
      case "exclusiveMinimum":
      case "exclusiveMaximum":
      case "x-kubernetes-int-or-string":
      case "x-kubernetes-preserve-unknown-fields":
        if (this.#flag(value, at)) schema[name] = true;
        return;
      case "minProperties":
      case "maxProperties":
      case "minItems":
      case "maxItems":
      case "minLength":
      case "maxLength": {
        const count = this.#integer(value, at);
        if (count !== undefined) schema[name] = Number(count);
        return;
      }
      case "minimum":
      case "maximum": {
        const limit = this.#integer(value, at);
        if (limit !== undefined) schema[name] = limit;
        return;
      }
      default:
        this.#value(name, value, { schema, at });
    }
  }

  #value(name: string, value: Json, { schema, at }: Target): void {
    switch (name) {
      case "default":
      case "example":
        schema[name] = value;
        return;
      case "x-metadata":
        this.hasMetadata = true;
        return;
      case "enum": {
        const choices = this.#list(value, at).filter((choice) => choice !== null);
        if (choices.length > 0) schema.enum = choices;
        return;
      }
      case "required": {
        const names = this.#list(value, at);
        if (names.length > 0) schema.required = names.map((each, index) => this.#text(each, at.index(index)));
        return;
      }
      default:
        this.#part(name, value, { schema, at });
    }
  }

  #part(name: string, value: Json, { schema, at }: Target): void {
    switch (name) {
      case "items":
      case "additionalProperties":
      case "not": {
        const part = this.node(value, at);
        if (part !== undefined) schema[name] = part;
        return;
      }
      case "allOf":
      case "anyOf":
      case "oneOf": {
        const parts = this.#list(value, at);
        if (parts.length > 0) schema[name] = parts.map((part, index) => this.node(part, at.index(index)) ?? {});
        return;
      }
      case "properties": {
        const properties = Object.entries(this.#object(value, at) ?? {});
        const read = properties.map(([key, part]) => [key, this.node(part, at.key(key)) ?? {}] as const);
        if (read.length > 0) schema.properties = Object.fromEntries(read);
        return;
      }
      case "x-kubernetes-validations": {
        const rules = this.#rules(value, at);
        if (rules.length > 0) schema["x-kubernetes-validations"] = rules;
      }
    }
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
