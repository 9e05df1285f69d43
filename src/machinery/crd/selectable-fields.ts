import { duplicate, type FieldError, invalid, required, tooMany } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { additionalSchema } from "../schema/structural/subschemas.ts";
import type { SelectableField } from "./definition.ts";

const mostFields = 8;
const selectableTypes = ["string", "boolean", "integer"];

export interface SelectableOptions {
  /** True for a list that was too long before there was a limit, and has not changed. */
  readonly allowTooMany: boolean;
}

/** What is wrong with the fields that a resource can be selected by. */
export function selectableErrors(
  fields: readonly SelectableField[],
  schema: JsonSchema,
  { path, allowTooMany }: SelectableOptions & { readonly path: FieldPath },
): readonly FieldError[] {
  const seen = new Set<string>();
  const errors = fields.flatMap(({ jsonPath }, index) => {
    const at = path.index(index).child("jsonPath");
    if (jsonPath === "") return [required(at)];
    const found = fieldIn(schema, jsonPath);
    if (found.kind === "nowhere") return [invalid(at, jsonPath, `is an invalid path: ${found.why}`)];
    const repeated = seen.has(found.path);
    seen.add(found.path);
    return [
      ...(found.first === "metadata" ? [invalid(at, jsonPath, "must not point to fields in metadata")] : []),
      ...typeErrors(found.schema, at, jsonPath),
      ...(repeated ? [duplicate(at, jsonPath)] : []),
    ];
  });
  return seen.size > mostFields && !allowTooMany ? [...errors, tooMany(path, seen.size, mostFields)] : errors;
}

/** True where a list has more fields than may be. */
export function isTooLong(fields: readonly SelectableField[] | undefined): boolean {
  return (fields ?? []).length > mostFields;
}

function typeErrors(schema: JsonSchema, at: FieldPath, jsonPath: string): readonly FieldError[] {
  if (selectableTypes.includes(schema.type ?? "")) return [];
  const why =
    "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
  return [invalid(at, jsonPath, why)];
}

type Found =
  | { readonly kind: "field"; readonly path: string; readonly first: string; readonly schema: JsonSchema }
  | { readonly kind: "nowhere"; readonly why: string };

/** Follows a path of dots through a schema. */
function fieldIn(root: JsonSchema, jsonPath: string): Found {
  const tokens = jsonPath.match(/[.[\]]|'(?:[^'\\]|\\.)*'|[^.[\]]+/gs) ?? [];
  const names: string[] = [];
  let schema = root;
  for (let index = 0; index < tokens.length; index += 2) {
    const [delimiter = "", name] = tokens.slice(index, index + 2);
    if (delimiter === "[") return nowhere("array notation is not allowed");
    if (delimiter !== ".") return nowhere(`expected [ or . but got: ${delimiter}`);
    if (name === undefined) return nowhere("unexpected end of JSON path");
    const below = stepInto(schema, name);
    if (below === undefined) return nowhere("does not refer to a valid field");
    schema = below;
    names.push(name);
  }
  return { kind: "field", path: names.join("."), first: names[0] ?? "", schema };
}

function stepInto(schema: JsonSchema, name: string): JsonSchema | undefined {
  const { properties = {} } = schema;
  if (Object.keys(properties).length === 0) return additionalSchema(schema);
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function nowhere(why: string): Found {
  return { kind: "nowhere", why };
}
