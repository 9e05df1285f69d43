import type { FieldError } from "../field-error.ts";
import type { FieldPath } from "../field-path.ts";
import type { Json } from "../json.ts";
import type { JsonSchema } from "./json-schema.ts";
import { report } from "./report.ts";
import { partReader, type SchemaNode } from "./schema-node.ts";
import { fieldErrorsOf } from "./violation.ts";

/** Checks the values that a schema itself holds, such as its examples, against the parts that hold them. */
export interface PartChecks {
  /** What is wrong with a value by one part of the schema, found at a path. */
  keywords(part: JsonSchema, value: Json, path: FieldPath): readonly FieldError[];
  /** The same for one of the part's own choices, which are not compared with each other. */
  choice(part: JsonSchema, value: Json, path: FieldPath): readonly FieldError[];
}

/** Checks values against parts of one schema, each of which is read when it is first needed. */
export function partChecks(): PartChecks {
  const nodeOf = partReader("object");
  return {
    keywords: (part, value, path) => check(nodeOf(part), value, path),
    choice: (part, value, path) => check({ ...nodeOf(part), enumeration: undefined }, value, path),
  };
}

function check(node: SchemaNode, value: Json, path: FieldPath): readonly FieldError[] {
  return fieldErrorsOf(report(node, value, { at: "", before: undefined }).violations, path);
}
