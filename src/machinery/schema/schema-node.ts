import type { Json } from "../json.ts";
import { formatCheck } from "./formats/known-formats.ts";
import { isLeaf, type JsonSchema } from "./json-schema.ts";
import { deepestSchema, SchemaTooDeepError } from "./nesting.ts";
import { compilePattern, type Pattern } from "./pattern.ts";

/** A schema read once: keywords in the shape the walks need, patterns and formats compiled, children read too. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  /** What `type` allows; empty where it says nothing. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  readonly format: Format | undefined;
  readonly pattern: Pattern | undefined;
  readonly enumeration: readonly Json[] | undefined;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly additional: AdditionalProperties | undefined;
  readonly items: SchemaNode | undefined;
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | undefined;
  readonly preserve: boolean;
  readonly embedded: boolean;
  readonly listType: "set" | "map" | undefined;
  readonly listKeys: readonly string[];
  /** As the schema has it; undefined where there is none. */
  readonly default: Json | undefined;
  /** True where this node or one below, outside of allOf, anyOf, oneOf and not, says so. */
  readonly below: { readonly defaults: boolean; readonly embedded: boolean; readonly listTypes: boolean };
}

export interface Format {
  readonly name: string;
  readonly accepts: ((text: string) => boolean) | undefined;
}

export type AdditionalProperties =
  | { readonly kind: "schema"; readonly node: SchemaNode }
  | { readonly kind: "anything" }
  | { readonly kind: "nothing" };

/** How a schema is read: as it applies to objects, or as a CustomResourceDefinition write checks its defaults. */
export type Reading = "object" | "default";

/** Reads a schema and everything below it. */
export function readSchema(schema: JsonSchema, depth = 0): SchemaNode {
  if (depth > deepestSchema) throw new SchemaTooDeepError();
  return readNode(schema, "object", (below) => readSchema(below, depth + 1));
}

/** Reads those parts of a schema that it is asked for, each once. The schema is known not to be nested too deeply. */
export function partReader(reading: Reading): (part: JsonSchema) => SchemaNode {
  const known = new Map<JsonSchema, SchemaNode>();
  return read;

  function read(part: JsonSchema): SchemaNode {
    const node = known.get(part) ?? readNode(part, reading, read);
    known.set(part, node);
    return node;
  }
}

type Child = (below: JsonSchema) => SchemaNode;

function readNode(schema: JsonSchema, reading: Reading, child: Child): SchemaNode {
  const { structure, combinations } = isLeaf(schema) ? noParts : readParts(schema, child);
  const listType = readListType(schema);
  const embedded = schema["x-kubernetes-embedded-resource"] === true;
  const value = schema.default ?? undefined;
  return {
    schema,
    types: typesOf(schema, reading),
    nullable: schema.nullable === true,
    format: readFormat(schema.format, reading),
    pattern: readPattern(schema.pattern),
    enumeration: readEnumeration(schema.enum),
    required: schema.required ?? none,
    properties: structure.properties,
    additional: structure.additional,
    items: structure.items,
    allOf: combinations.allOf,
    anyOf: combinations.anyOf,
    oneOf: combinations.oneOf,
    not: combinations.not,
    preserve: schema["x-kubernetes-preserve-unknown-fields"] === true,
    embedded,
    listType,
    listKeys: schema["x-kubernetes-list-map-keys"] ?? none,
    default: value,
    below: withOwn(structure.below, { defaults: value !== undefined, embedded, listTypes: listType !== undefined }),
  };
}

type Structure = Pick<SchemaNode, "properties" | "additional" | "items" | "below">;

interface Parts {
  readonly structure: Structure;
  readonly combinations: Pick<SchemaNode, "allOf" | "anyOf" | "oneOf" | "not">;
}

const none: readonly never[] = [];

/** What the many schemas share that have no others inside. */
const noParts: Parts = {
  structure: {
    properties: new Map(),
    additional: undefined,
    items: undefined,
    below: { defaults: false, embedded: false, listTypes: false },
  },
  combinations: { allOf: none, anyOf: none, oneOf: none, not: undefined },
};

function readParts(schema: JsonSchema, child: Child): Parts {
  const { allOf, anyOf, oneOf, not } = schema;
  const properties = new Map(Object.entries(schema.properties ?? {}).map(([name, below]) => [name, child(below)]));
  const additional = readAdditional(schema.additionalProperties, child);
  const items = isSingle(schema.items) ? child(schema.items) : undefined;
  const others = [items, additional?.kind === "schema" ? additional.node : undefined];
  const parts = [...properties.values(), ...others.filter((part) => part !== undefined)];
  return {
    structure: {
      properties,
      additional,
      items,
      below: {
        defaults: parts.some(({ below }) => below.defaults),
        embedded: parts.some(({ below }) => below.embedded),
        listTypes: parts.some(({ below }) => below.listTypes),
      },
    },
    combinations: {
      allOf: allOf?.map(child) ?? none,
      anyOf: anyOf?.map(child) ?? none,
      oneOf: oneOf?.map(child) ?? none,
      not: not && child(not),
    },
  };
}

function withOwn(parts: SchemaNode["below"], own: SchemaNode["below"]): SchemaNode["below"] {
  return {
    defaults: own.defaults || parts.defaults,
    embedded: own.embedded || parts.embedded,
    listTypes: own.listTypes || parts.listTypes,
  };
}

/** The schema that a field of an object has; undefined where nothing is said about it. */
export function fieldNode(node: SchemaNode, name: string): SchemaNode | undefined {
  const property = node.properties.get(name);
  if (property !== undefined) return property;
  return node.additional?.kind === "schema" ? node.additional.node : undefined;
}

function isSingle(items: JsonSchema["items"]): items is JsonSchema {
  return items !== undefined && !Array.isArray(items);
}

function readAdditional(schema: JsonSchema["additionalProperties"], child: Child): AdditionalProperties | undefined {
  if (schema === undefined) return undefined;
  if (typeof schema === "boolean") return { kind: schema ? "anything" : "nothing" };
  return { kind: "schema", node: child(schema) };
}

function typesOf(schema: JsonSchema, reading: Reading): readonly string[] {
  // Kubernetes checks defaults against a form of the schema in which int-or-string restricts nothing.
  if (schema["x-kubernetes-int-or-string"] === true && reading === "object") return ["integer", "string"];
  return schema.type === undefined || schema.type === "" ? [] : [schema.type];
}

/** A format that nobody knows is dropped for objects; for defaults its name still weighs in when types are compared. */
function readFormat(name: string | undefined, reading: Reading): Format | undefined {
  if (name === undefined || name === "") return undefined;
  const accepts = formatCheck(name);
  return accepts === undefined && reading === "object" ? undefined : { name, accepts };
}

function readPattern(text: string | undefined): Pattern | undefined {
  return text === undefined || text === "" ? undefined : compilePattern(text);
}

function readEnumeration(choices: readonly Json[] | undefined): readonly Json[] | undefined {
  return choices === undefined || choices.length === 0 ? undefined : choices;
}

function readListType(schema: JsonSchema): "set" | "map" | undefined {
  const type = schema["x-kubernetes-list-type"];
  return type === "set" || type === "map" ? type : undefined;
}
