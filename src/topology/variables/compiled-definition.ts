import type { ClusterClassVariable } from "#api";
import { quote } from "#base";
import { type CompiledRules, compileRules } from "#cel";
import {
  type CompiledSchema,
  compileSchema,
  encodeJson,
  type FieldError,
  FieldPath,
  invalid,
  isJsonObject,
  type Json,
  type JsonSchema,
  member,
} from "#machinery";
import { schemaOf } from "./schema-of.ts";

/** A definition made ready to be applied to many values. */
export interface CompiledDefinition {
  /** What a Cluster gets that does not set the variable. */
  readonly default: Json | undefined;
  /** The value with the defaults of its parts; null counts as not set. */
  fillIn(value: Json): Json;
  /** What is wrong with a value that stands at a path, given what it was before. */
  validate(value: Json, options: { readonly path: FieldPath; readonly old: Json | undefined }): readonly FieldError[];
}

type VariableSchema = ClusterClassVariable["schema"];

// Classes are frozen and shared, and many Clusters are measured by the same one.
const compiled = new WeakMap<VariableSchema, CompiledDefinition>();

/** Makes a definition ready, once for each schema. */
export function compileDefinition(name: string, source: VariableSchema): CompiledDefinition {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const definition = new Definition(name, schemaOf(source.openAPIV3Schema, FieldPath.of("schema")).schema);
  compiled.set(source, definition);
  return definition;
}

const wrapper = "variableValue";

/** Values of any type are wrapped in an object, because only objects are filled in and have fields that nobody knows. */
class Definition implements CompiledDefinition {
  readonly default: Json | undefined;
  readonly #name: string;
  readonly #value: CompiledSchema;
  readonly #wrapped: CompiledSchema;
  readonly #rules: CompiledRules;

  constructor(name: string, schema: JsonSchema) {
    this.default = schema.default;
    this.#name = name;
    this.#value = compileSchema(schema, { root: "value" });
    this.#wrapped = compileSchema({ type: "object", properties: { [wrapper]: schema } }, { root: "value" });
    this.#rules = compileRules(schema, { isResource: false });
  }

  fillIn(value: Json): Json {
    const filled = this.#wrapped.applyDefaults({ [wrapper]: value });
    return isJsonObject(filled) ? (member(filled, wrapper) ?? null) : value;
  }

  validate(
    value: Json,
    { path, old }: { readonly path: FieldPath; readonly old: Json | undefined },
  ): readonly FieldError[] {
    const at = path.child("value");
    const text = encodeJson(value);
    const broken = this.#value.parts.keywords(value, at);
    if (broken.length > 0) return broken.map((error) => ({ ...error, value: text, detail: trimmed(error.detail) }));
    const unknown = this.#unknownFields(value);
    if (unknown.length > 0) return [invalid(path, text, this.#unknownText(unknown))];
    return this.#rules
      .validate(value, { path: at, ratcheting: false, ...(old === undefined ? {} : { oldValue: old }) })
      .map((error) => ({ ...error, value: text }));
  }

  #unknownFields(value: Json): readonly string[] {
    return this.#wrapped
      .unknownFields({ [wrapper]: value })
      .map((field) => (field.startsWith(`${wrapper}.`) ? field.slice(wrapper.length + 1) : field));
  }

  #unknownText(fields: readonly string[]): string {
    const where = `in the variable schema of variable ${quote(this.#name)}`;
    return `failed validation: ${quote(fields.join(","))} field(s) are not specified ${where}`;
  }
}

/** What is wrong with the whole value is said without a place. */
function trimmed(detail: string): string {
  const start = " in body ";
  return detail.startsWith(start) ? detail.slice(start.length) : detail;
}
