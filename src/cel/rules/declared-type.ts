import type { JsonSchema } from "#machinery";
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  stringType,
  structType,
  timestampType,
  type Type,
} from "../check/type.ts";
import { escapeName } from "./escape.ts";
import { asResource, isEmbedded, itemsOf, valuesOf } from "./structure.ts";

/** A schema as the checker and the estimate of costs see it. */
export interface DeclaredType {
  readonly type: Type;
  /** The most characters, elements or entries that a request can carry. */
  readonly mostElements: number;
  /** The fewest bytes it takes in JSON. */
  readonly leastBytes: number;
  readonly fields?: ReadonlyMap<string, DeclaredType>;
  readonly key?: DeclaredType;
  readonly element?: DeclaredType;
}

/** The largest request that Kubernetes accepts, from which all limits follow that a schema does not set. */
export const largestRequest = 3 * 1024 * 1024;

const leastTextBytes = 2;
const longestDuration = 32;
const longestTime = 32;
const dateBytes = 12;

const plainText: DeclaredType = { type: stringType, mostElements: 0, leastBytes: leastTextBytes };

/** Describes a schema to rules; undefined where rules cannot see what it describes. */
export function declareType(schema: JsonSchema, options: DeclareOptions): DeclaredType | undefined {
  if (schema["x-kubernetes-int-or-string"] === true) return declareIntOrString(schema);
  switch (schema.type ?? "") {
    case "array":
      return declareList(schema, options);
    case "object":
      return valuesOf(schema) === undefined || options.isResource
        ? declareObject(options.isResource ? asResource(schema) : schema, options)
        : declareMap(schema, options);
    case "string":
      return declareText(schema);
    case "boolean":
      return { type: boolType, mostElements: 0, leastBytes: 4 };
    case "number":
      return { type: doubleType, mostElements: 0, leastBytes: 1 };
    case "integer":
      return { type: intType, mostElements: 0, leastBytes: 1 };
    default:
      return undefined;
  }
}

interface DeclareOptions {
  /** Names the struct types below this schema apart from all others. */
  readonly name: string;
  /** True at the root of a custom resource or of an object embedded in one. */
  readonly isResource: boolean;
}

function declareIntOrString({ maxLength }: JsonSchema): DeclaredType {
  return { type: dynType, mostElements: textLimit(maxLength) ?? largestRequest - 2, leastBytes: 1 };
}

function declareList(schema: JsonSchema, { name }: DeclareOptions): DeclaredType | undefined {
  const items = itemsOf(schema);
  const element = items && declareType(items, { name: `${name}.@idx`, isResource: isEmbedded(items) });
  if (element === undefined) return undefined;
  const mostElements = notNegative(schema.maxItems) ?? Math.floor((largestRequest - 2) / (element.leastBytes + 1));
  return { type: listType(element.type), mostElements, leastBytes: 2, element };
}

function declareMap(schema: JsonSchema, { name }: DeclareOptions): DeclaredType | undefined {
  const values = valuesOf(schema);
  const element = values && declareType(values, { name: `${name}.@elem`, isResource: isEmbedded(values) });
  if (element === undefined) return undefined;
  const mostElements = notNegative(schema.maxProperties) ?? Math.floor((largestRequest - 2) / (element.leastBytes + 6));
  return { type: mapType(stringType, element.type), mostElements, leastBytes: 2, key: plainText, element };
}

function declareObject(schema: JsonSchema, { name }: DeclareOptions): DeclaredType {
  const required = new Set(schema.required);
  const fields = new Map<string, DeclaredType>();
  let leastBytes = 2;
  for (const [property, propertySchema] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeName(property);
    const field = declareType(propertySchema, {
      name: `${name}.${escaped ?? property}`,
      isResource: isEmbedded(propertySchema),
    });
    if (field === undefined) continue;
    if (escaped !== undefined) fields.set(escaped, field);
    // What has a default need not be sent.
    const isSent = required.has(property) && propertySchema.default === undefined;
    if (isSent) leastBytes += Buffer.byteLength(property) + field.leastBytes + 4;
  }
  return { type: structType(name), mostElements: 0, leastBytes, fields };
}

function declareText(schema: JsonSchema): DeclaredType {
  const { format, maxLength } = schema;
  switch (format ?? "") {
    case "byte":
      return {
        type: bytesType,
        mostElements: notNegative(maxLength) ?? largestRequest - 2,
        leastBytes: leastTextBytes,
      };
    case "duration":
      return { type: durationType, mostElements: longestDuration, leastBytes: 3 };
    case "date":
      return { type: timestampType, mostElements: dateBytes, leastBytes: dateBytes };
    case "date-time":
      return { type: timestampType, mostElements: longestTime, leastBytes: 21 };
    default: {
      const mostElements = textLimit(maxLength) ?? longestChoice(schema) ?? largestRequest - 2;
      return { type: stringType, mostElements, leastBytes: leastTextBytes };
    }
  }
}

/** A character can take four bytes. */
function textLimit(maxLength: number | undefined): number | undefined {
  const most = notNegative(maxLength);
  return most === undefined ? undefined : most * 4;
}

function longestChoice({ enum: choices = [] }: JsonSchema): number | undefined {
  if (choices.length === 0) return undefined;
  return Math.max(...choices.map((choice) => (typeof choice === "string" ? Buffer.byteLength(choice) : 0)));
}

function notNegative(count: number | undefined): number | undefined {
  return count === undefined ? undefined : Math.max(0, count);
}

/** The declared type at the end of a path such as `self.a.@items`. */
export function declaredAt(root: DeclaredType, path: readonly string[]): DeclaredType | undefined {
  let current: DeclaredType | undefined = root;
  for (const step of path.slice(1)) {
    if (step === "@items" || step === "@values") current = current?.element;
    else if (step === "@keys") current = current?.key;
    else current = current?.fields?.get(step);
  }
  return current;
}
