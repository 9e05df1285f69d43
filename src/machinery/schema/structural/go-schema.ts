import { encodeJson } from "../../json-encode.ts";
import type { Json } from "../../json.ts";
import type { JsonSchema, ValidationRule } from "../json-schema.ts";
import { additionalSchema, itemsOf, keyword } from "./subschemas.ts";

type Print = (schema: JsonSchema) => string;

/** A field of the Go struct, the keyword it holds, and how it prints. */
interface GoField {
  readonly name: string;
  readonly keyword: string;
  readonly print: Print;
}

/** The fields of the Go struct that Kubernetes holds schemas in: its messages print them all, in this order. */
const fields: readonly GoField[] = [
  text("ID", "id"),
  text("Schema", "$schema"),
  value("Ref", "$ref"),
  text("Description", "description"),
  text("Type", "type"),
  flag("Nullable", "nullable"),
  text("Format", "format"),
  text("Title", "title"),
  value("Default", "default"),
  value("Maximum", "maximum"),
  flag("ExclusiveMaximum", "exclusiveMaximum"),
  value("Minimum", "minimum"),
  flag("ExclusiveMinimum", "exclusiveMinimum"),
  value("MaxLength", "maxLength"),
  value("MinLength", "minLength"),
  text("Pattern", "pattern"),
  value("MaxItems", "maxItems"),
  value("MinItems", "minItems"),
  flag("UniqueItems", "uniqueItems"),
  value("MultipleOf", "multipleOf"),
  value("Enum", "enum"),
  value("MaxProperties", "maxProperties"),
  value("MinProperties", "minProperties"),
  value("Required", "required"),
  { name: "Items", keyword: "items", print: printItems },
  { name: "AllOf", keyword: "allOf", print: ({ allOf }) => printList(allOf) },
  { name: "OneOf", keyword: "oneOf", print: ({ oneOf }) => printList(oneOf) },
  { name: "AnyOf", keyword: "anyOf", print: ({ anyOf }) => printList(anyOf) },
  { name: "Not", keyword: "not", print: ({ not }) => (not === undefined ? "null" : printGoSchema(not)) },
  { name: "Properties", keyword: "properties", print: ({ properties }) => printMap(properties) },
  { name: "AdditionalProperties", keyword: "additionalProperties", print: printAdditional },
  value("PatternProperties", "patternProperties"),
  value("Dependencies", "dependencies"),
  value("AdditionalItems", "additionalItems"),
  value("Definitions", "definitions"),
  value("ExternalDocs", "externalDocs"),
  value("Example", "example"),
  value("XPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields"),
  flag("XEmbeddedResource", "x-kubernetes-embedded-resource"),
  flag("XIntOrString", "x-kubernetes-int-or-string"),
  value("XListMapKeys", "x-kubernetes-list-map-keys"),
  value("XListType", "x-kubernetes-list-type"),
  value("XMapType", "x-kubernetes-map-type"),
  {
    name: "XValidations",
    keyword: "x-kubernetes-validations",
    print: (schema) => printRules(schema["x-kubernetes-validations"]),
  },
];

/** A schema as Go prints the struct it is held in. */
export function printGoSchema(schema: JsonSchema): string {
  return `{${fields.map(({ name, print }) => `"${name}":${print(schema)}`).join(",")}}`;
}

/** The names of the Go fields that a schema sets, in order. */
export function goFieldsSet(schema: JsonSchema): readonly string[] {
  return fields.filter((field) => isNonZero(keyword(schema, field.keyword))).map(({ name }) => name);
}

function isNonZero(set: unknown): boolean {
  return set !== undefined && set !== "" && set !== false;
}

function text(name: string, word: string): GoField {
  return { name, keyword: word, print: (schema) => JSON.stringify(keyword(schema, word) ?? "") };
}

function flag(name: string, word: string): GoField {
  return { name, keyword: word, print: (schema) => String(keyword(schema, word) === true) };
}

function value(name: string, word: string): GoField {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema is JSON all through
  return { name, keyword: word, print: (schema) => encodeJson((keyword(schema, word) ?? null) as Json) };
}

function printItems(schema: JsonSchema): string {
  if (schema.items === undefined) return "null";
  const single = itemsOf(schema);
  if (single !== undefined) return `{"Schema":${printGoSchema(single)},"JSONSchemas":null}`;
  return `{"Schema":null,"JSONSchemas":${Array.isArray(schema.items) ? printList(schema.items) : "null"}}`;
}

function printAdditional(schema: JsonSchema): string {
  if (schema.additionalProperties === undefined) return "null";
  const single = additionalSchema(schema);
  const allows = schema.additionalProperties !== false;
  return `{"Allows":${allows},"Schema":${single === undefined ? "null" : printGoSchema(single)}}`;
}

function printList(list: readonly JsonSchema[] | undefined): string {
  return list === undefined ? "null" : `[${list.map(printGoSchema).join(",")}]`;
}

function printMap(map: { readonly [name: string]: JsonSchema } | undefined): string {
  if (map === undefined) return "null";
  const members = Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, schema]) => `${JSON.stringify(name)}:${printGoSchema(schema)}`).join(",")}}`;
}

function printRules(rules: readonly ValidationRule[] | undefined): string {
  if (rules === undefined) return "null";
  const printed = rules.map(({ rule, message = "", messageExpression = "", reason, fieldPath = "", optionalOldSelf }) =>
    JSON.stringify({
      Rule: rule,
      Message: message,
      MessageExpression: messageExpression,
      Reason: reason ?? null,
      FieldPath: fieldPath,
      OptionalOldSelf: optionalOldSelf ?? null,
    }),
  );
  return `[${printed.join(",")}]`;
}
