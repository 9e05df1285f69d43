import {
  checkRules,
  type CompiledRules,
  compileRules,
  createCostBudget,
  hasRules,
  type MinorVersion,
  type PlaceChecks,
  wordsOfVariables,
} from "#cel";
import {
  type FieldError,
  type FieldPath,
  forbidden,
  type Json,
  type JsonSchema,
  notSupported,
  type PartChecks,
  partChecks,
  valueDefaultErrors,
  valueSchemaErrors,
} from "#machinery";

/** What checking a schema can take into account besides it. */
export interface SchemaOptions {
  /** The schema before the change: expressions that it has already may go on using everything. */
  readonly oldSchema?: JsonSchema | undefined;
  /** What new expressions may use. */
  readonly celVersion?: MinorVersion | undefined;
}

const types = ["array", "boolean", "integer", "number", "object", "string"];

/** What is wrong with the schema of a variable. What one stage finds keeps the later ones from being asked. */
export function schemaErrors(schema: JsonSchema, path: FieldPath, options: SchemaOptions = {}): readonly FieldError[] {
  const structure = valueSchemaErrors(schema, path);
  if (structure.length > 0) return structure;
  const defaults = defaultErrors(schema, path);
  return defaults.length > 0 ? defaults : ruleErrors(schema, path, options);
}

/** All defaults of a variable share one budget; a default must also be one that a value can stay at. */
function defaultErrors(schema: JsonSchema, path: FieldPath): readonly FieldError[] {
  const budget = createCostBudget();
  const rulesOf = lazyRules(schema);
  return valueDefaultErrors(schema, path, {
    checkRules: (value, { schema: part, at, isRoot }) => {
      if (budget.remaining < 0 || !hasRules(part)) return [];
      const own = isRoot ? rulesOf() : rulesOf().part(part);
      return own.validate(value, { oldValue: value, path: at, budget, ratcheting: false });
    },
  });
}

function ruleErrors(schema: JsonSchema, path: FieldPath, options: SchemaOptions): readonly FieldError[] {
  const { oldSchema, celVersion } = options;
  const rulesOf = lazyRules(schema);
  return checkRules(schema, path, {
    words: wordsOfVariables,
    checks: valueChecks(partChecks(), (part) =>
      part === schema ? compileRules(schema, { isResource: false }) : rulesOf().part(part),
    ),
    ...(oldSchema === undefined ? {} : { oldSchema }),
    ...(celVersion === undefined ? {} : { version: celVersion }),
  });
}

/** Most defaults and examples stand where there are no rules. */
function lazyRules(schema: JsonSchema): () => CompiledRules {
  let compiled: CompiledRules | undefined;
  return () => (compiled ??= compileRules(schema));
}

/** What is checked at every place of a schema: its type, and the values that it holds. */
function valueChecks(parts: PartChecks, rulesOf: (part: JsonSchema) => CompiledRules): PlaceChecks {
  return {
    enter: (schema, path) => placeErrors(schema, path, parts),
    leave: (schema, path) => combinationErrors(schema, path, parts),
    values: (schema, path) => {
      const values = heldValues(schema, path);
      if (values.length === 0) return [];
      const rules = rulesOf(schema);
      return values.flatMap(({ value, at }) => rules.validate(value, { path: at }));
    },
  };
}

function placeErrors(schema: JsonSchema, path: FieldPath, parts: PartChecks): ReturnType<PlaceChecks["enter"]> {
  const { type = "" } = schema;
  if (type !== "" && !types.includes(type)) {
    return { errors: [notSupported(path.child("type"), type, types)], closed: true };
  }
  return { errors: [...heldValueErrors(schema, path, parts), ...exclusionErrors(schema, path)] };
}

function heldValueErrors(schema: JsonSchema, path: FieldPath, parts: PartChecks): readonly FieldError[] {
  const { example, enum: choices = [] } = schema;
  return [
    ...(example === undefined ? [] : parts.keywords(schema, example, path.child("example"))),
    ...choices.flatMap((choice, index) => parts.choice(schema, choice, path.child("enum").index(index))),
  ];
}

function heldValues({ example, enum: choices = [] }: JsonSchema, path: FieldPath): readonly HeldValue[] {
  return [
    ...(example === undefined ? [] : [{ value: example, at: path.child("example") }]),
    ...choices.map((value, index) => ({ value, at: path.child("enum").index(index) })),
  ];
}

interface HeldValue {
  readonly value: Json;
  readonly at: FieldPath;
}

function exclusionErrors({ additionalProperties, properties }: JsonSchema, path: FieldPath): readonly FieldError[] {
  if (additionalProperties === undefined || properties === undefined) return [];
  return [forbidden(path, "additionalProperties and properties are mutually exclusive")];
}

/** Combinations hold no rules, only values; they are looked at in this order. */
function combinationErrors(schema: JsonSchema, path: FieldPath, parts: PartChecks): readonly FieldError[] {
  const { not, allOf = [], oneOf = [], anyOf = [] } = schema;
  const each = (name: string, list: readonly JsonSchema[]): readonly FieldError[] =>
    list.flatMap((branch, index) => branchErrors(branch, path.child(name).index(index), parts));
  return [
    ...(not === undefined ? [] : branchErrors(not, path.child("not"), parts)),
    ...each("allOf", allOf),
    ...each("oneOf", oneOf),
    ...each("anyOf", anyOf),
  ];
}

function branchErrors(schema: JsonSchema, path: FieldPath, parts: PartChecks): readonly FieldError[] {
  const { errors, closed = false } = placeErrors(schema, path, parts);
  if (closed) return errors;
  const { additionalProperties, properties = {}, items } = schema;
  const below = (part: JsonSchema, at: FieldPath): readonly FieldError[] => branchErrors(part, at, parts);
  return [
    ...errors,
    ...(typeof additionalProperties === "object"
      ? below(additionalProperties, path.child("additionalProperties"))
      : []),
    ...Object.keys(properties)
      .toSorted()
      .flatMap((name) => below(properties[name] ?? {}, path.child("properties").key(name))),
    ...(isSchema(items) ? below(items, path.child("items")) : []),
    ...combinationErrors(schema, path, parts),
  ];
}

function isSchema(items: JsonSchema["items"]): items is JsonSchema {
  return items !== undefined && !Array.isArray(items);
}
