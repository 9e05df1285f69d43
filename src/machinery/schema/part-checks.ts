import type { FieldError } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import type { Json } from "../json.ts";
import type { JsonSchema } from "./json-schema.ts";
import { report } from "./report.ts";
import { readSchema, type SchemaNode } from "./schema-node.ts";
import { fieldErrorsOf } from "./violation.ts";

/** Checks the values that a schema itself holds, such as its examples, against the parts that hold them. */
export interface PartChecks {
  /** What is wrong with a value by one part of the schema, found at a path. */
  keywords(part: JsonSchema, value: Json, path: FieldPath): readonly FieldError[];
  /** The same for one of the part's own choices, which are not compared with each other. */
  choice(part: JsonSchema, value: Json, path: FieldPath): readonly FieldError[];
}

/** Reads a schema once, when first needed, so that values can be checked against each of its parts. */
export function partChecks(schema: JsonSchema): PartChecks {
  let known: ReadonlyMap<JsonSchema, SchemaNode> | undefined;
  const nodeOf = (part: JsonSchema): SchemaNode | undefined => (known ??= nodesOf(schema)).get(part);
  const check = (node: SchemaNode | undefined, value: Json, path: FieldPath): readonly FieldError[] =>
    node === undefined ? [] : fieldErrorsOf(report(node, value, { at: "", before: undefined }).violations, path);
  return {
    keywords: (part, value, path) => check(nodeOf(part), value, path),
    choice: (part, value, path) => {
      const node = nodeOf(part);
      return check(node && { ...node, enumeration: undefined }, value, path);
    },
  };
}

function nodesOf(schema: JsonSchema): ReadonlyMap<JsonSchema, SchemaNode> {
  const nodes = new Map<JsonSchema, SchemaNode>();
  collect(readSchema(schema), nodes);
  return nodes;
}

function collect(node: SchemaNode, nodes: Map<JsonSchema, SchemaNode>): void {
  nodes.set(node.schema, node);
  const { properties, additional, items, not, allOf, anyOf, oneOf } = node;
  const single = [items, not, additional?.kind === "schema" ? additional.node : undefined];
  for (const part of [...properties.values(), ...allOf, ...anyOf, ...oneOf]) collect(part, nodes);
  for (const part of single) if (part !== undefined) collect(part, nodes);
}
