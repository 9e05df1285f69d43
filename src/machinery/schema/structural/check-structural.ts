import { bracketed } from "#base";
import { describeFieldError, type FieldError, forbidden, invalid, PrintedValue } from "../../field-error.ts";
import type { FieldPath } from "../../field-path.ts";
import type { JsonSchema } from "../json-schema.ts";
import { deepestSchema } from "../nesting.ts";
import { completenessErrors } from "./completeness.ts";
import { defaultErrors, type DefaultRules } from "./default-checks.ts";
import { goFieldsSet, printGoSchema } from "./go-schema.ts";
import { structuralErrors } from "./invariants.ts";
import { isSet, keywordRules, type RuleOptions } from "./keyword-rules.ts";
import { isTooDeep, keyword, someSchema } from "./subschemas.ts";

/** How strictly a schema is checked. All rules hold unless an older form of the same definition broke them. */
export interface StructuralOptions extends Partial<RuleOptions> {
  /** True where the resource has a status subresource: then fewer keywords are allowed at the root. */
  readonly hasStatus?: boolean;
  readonly requireStructural?: boolean;
  readonly requirePrunedDefaults?: boolean;
  /** Checks the CEL rules of a schema that is fine otherwise. */
  readonly checkRules?: (schema: JsonSchema, path: FieldPath) => readonly FieldError[];
}

const allowedAtRoot = [
  "Description",
  "Type",
  "Format",
  "Title",
  "Maximum",
  "ExclusiveMaximum",
  "Minimum",
  "ExclusiveMinimum",
  "MaxLength",
  "MinLength",
  "Pattern",
  "MaxItems",
  "MinItems",
  "UniqueItems",
  "MultipleOf",
  "Required",
  "Items",
  "Properties",
  "ExternalDocs",
  "Example",
  "XPreserveUnknownFields",
  "XValidations",
];

/** What a CustomResourceDefinition write holds against the schema of one of its versions, found at a path. */
export function checkStructural(
  schema: JsonSchema,
  path: FieldPath,
  options: StructuralOptions = {},
): readonly FieldError[] {
  if (isTooDeep(schema)) return [tooDeep(path)];
  const { requireStructural = true, requirePrunedDefaults = true, checkRules } = options;
  const rules: RuleOptions = {
    requireKnownTypes: options.requireKnownTypes ?? true,
    requireAtomicSets: options.requireAtomicSets ?? true,
    requireMapKeys: options.requireMapKeys ?? true,
  };
  const readable = isReadable(schema);
  const errors = [
    ...(options.hasStatus === true ? statusErrors(schema, path) : []),
    ...(schema.nullable === true ? [forbidden(path.child("nullable"), "nullable cannot be true at the root")] : []),
    ...(requireStructural && readable ? structureErrors(schema, path, requirePrunedDefaults) : []),
    ...keywordRules(schema, path, rules),
  ];
  return errors.length === 0 && checkRules !== undefined ? checkRules(schema, path) : errors;
}

/** True where a schema is not structural; older definitions may have such. */
export function isNonStructural(schema: JsonSchema, path: FieldPath): boolean {
  return isTooDeep(schema) || !isReadable(schema) || shapeErrors(schema, path).length > 0;
}

function structureErrors(schema: JsonSchema, path: FieldPath, requirePruned: boolean): readonly FieldError[] {
  const shape = shapeErrors(schema, path);
  return shape.length > 0 ? shape : defaultErrors(schema, path, { requirePruned, root: "resource" });
}

/**
 * What keeps the schema of a value that is no resource, such as a variable, from being structural: the checks of its
 * structure alone, in the order of their texts. Whoever read the schema made sure that it is not nested too deeply.
 */
export function valueSchemaErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  return inOrderOfText(structuralErrors(schema, "field", path));
}

/** What is wrong with the defaults in the structural schema of such a value. */
export function valueDefaultErrors(
  schema: JsonSchema,
  path: FieldPath,
  { checkRules }: { readonly checkRules?: DefaultRules } = {},
): readonly FieldError[] {
  return defaultErrors(schema, path, { requirePruned: true, root: "value", checkRules });
}

function shapeErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  return inOrderOfText([...structuralErrors(schema, "root", path), ...completenessErrors(schema, path)]);
}

function tooDeep(path: FieldPath): FieldError {
  return forbidden(path, `must not be nested deeper than ${deepestSchema} levels`);
}

function inOrderOfText(errors: readonly FieldError[]): readonly FieldError[] {
  if (errors.length < 2) return errors;
  const texts = new Map(errors.map((error) => [error, describeFieldError(error)]));
  return errors.toSorted((a, b) => ((texts.get(a) ?? "") < (texts.get(b) ?? "") ? -1 : 1));
}

/** Schemas with these keywords are refused for them alone; their structure is not looked at. */
function isReadable(schema: JsonSchema): boolean {
  const unsupported = ["id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"];
  return !someSchema(
    schema,
    (below) =>
      Array.isArray(below.items) ||
      below["x-kubernetes-preserve-unknown-fields"] === false ||
      unsupported.some((name) => isSet(keyword(below, name))),
  );
}

function statusErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  for (const name of goFieldsSet(schema)) {
    if (name === "Type" && schema.type !== "object") {
      const why = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled';
      return [invalid(path.child("type"), schema.type ?? "", why)];
    }
    if (!allowedAtRoot.includes(name)) {
      const why = `only ${bracketed(allowedAtRoot)} fields are allowed at the root of the schema if the status subresource is enabled`;
      return [invalid(path, new PrintedValue(printGoSchema(schema)), why)];
    }
  }
  return [];
}
