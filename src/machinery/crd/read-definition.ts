import { CapstanError } from "#base";
import { deepestJson, isJsonList, isJsonObject, type Json, type JsonObject, JsonTooDeepError } from "../json.ts";
import { asJson, type KubeObject } from "../object.ts";
import { isInt64, isNumeric } from "../schema/number.ts";
import { typeName } from "../schema/value-type.ts";
import type { CustomResourceDefinition } from "./definition.ts";
import { definitionShape, type Shape } from "./definition-shape.ts";

/** A definition with a field of another type than it has to be. */
export class MalformedDefinitionError extends CapstanError {
  readonly code = "MALFORMED_DEFINITION";
}

/** A definition from the wire, and the fields in it that nobody knows. */
export interface ReadDefinition {
  readonly definition: CustomResourceDefinition;
  readonly unknownFields: readonly string[];
}

/**
 * Reads a definition as Go reads it into its struct: unknown and null fields go, fields that have to be there and are
 * not are empty. Throws a MalformedDefinitionError at the first field of a wrong type.
 */
export function readDefinition(object: KubeObject): ReadDefinition {
  const unknown: string[] = [];
  const { spec, status, ...rest } = asJson(object);
  const body = { ...(spec === undefined ? {} : { spec }), ...(status === undefined ? {} : { status }) };
  const read = readShape(body, definitionShape, { at: "", unknown, depth: 0 });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field has just been checked against the shape
  const definition = { ...rest, ...(read as JsonObject) } as unknown as CustomResourceDefinition;
  return { definition, unknownFields: unknown.toSorted() };
}

interface Place {
  readonly at: string;
  readonly unknown: string[];
  readonly depth: number;
}

function readShape(value: Json, shape: Shape, place: Place): Json {
  if (place.depth > deepestJson) throw new JsonTooDeepError();
  switch (shape.kind) {
    case "text":
      return typeof value === "string" ? value : refuse(value, "string", place);
    case "flag":
      return typeof value === "boolean" ? value : refuse(value, "bool", place);
    case "integer":
      return isInt64(value) ? value : refuse(value, "int64", place);
    case "number":
      return isNumeric(value) ? value : refuse(value, "float64", place);
    case "json":
      return value;
    case "list":
      if (!isJsonList(value)) return refuse(value, "[]interface {}", place);
      return value.map((item, index) => readShape(item, shape.items, inside(place, `[${index}]`)));
    case "map":
      if (!isJsonObject(value)) return refuse(value, "map[string]interface {}", place);
      return mapEntries(value, (name, member) => readShape(member, shape.values, inside(place, `.${name}`)));
    case "either":
      return readShape(value, shape.choose(value), place);
    case "struct":
      return isJsonObject(value) ? readStruct(value, shape, place) : refuse(value, shape.name, place);
  }
}

function readStruct(object: JsonObject, shape: Extract<Shape, { kind: "struct" }>, place: Place): JsonObject {
  const fields = shape.fields();
  const read = Object.entries(object).flatMap(([name, value]): readonly [string, Json][] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const at = inside(place, place.at === "" ? name : `.${name}`);
    if (field === undefined) place.unknown.push(at.at);
    return field === undefined || value === null ? [] : [[name, readShape(value, field, at)]];
  });
  return Object.fromEntries([...Object.entries(shape.zero ?? {}), ...read]);
}

function inside({ at, unknown, depth }: Place, step: string): Place {
  return { at: `${at}${step}`, unknown, depth: depth + 1 };
}

function mapEntries(object: JsonObject, map: (name: string, value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(name, value)]));
}

function refuse(value: Json, goType: string, { at }: Place): never {
  const name = typeName(value);
  const words = { boolean: "bool", integer: "number" };
  const printed = name === "boolean" || name === "integer" ? words[name] : name;
  const field = `CustomResourceDefinition.${at}`;
  throw new MalformedDefinitionError(
    `json: cannot unmarshal ${printed} into Go struct field ${field} of type ${goType}`,
  );
}
