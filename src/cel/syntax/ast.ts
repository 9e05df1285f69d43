import type { Value } from "../values/value.ts";

/** A node of an expression after macros were expanded. The id names it in the checker's tables. */
export type Expression =
  | Literal
  | Identifier
  | Select
  | Call
  | ListLiteral
  | MapLiteral
  | StructLiteral
  | Comprehension
  | Unspecified;

interface Node {
  readonly id: number;
  /** Where the node is in the source, in UTF-16 units. */
  readonly offset: number;
}

export interface Literal extends Node {
  readonly kind: "literal";
  readonly value: Value;
}

export interface Identifier extends Node {
  readonly kind: "identifier";
  readonly name: string;
}

export interface Select extends Node {
  readonly kind: "select";
  readonly operand: Expression;
  readonly field: string;
  /** True inside has(): the question is whether the field is there. */
  readonly testOnly: boolean;
}

export interface Call extends Node {
  readonly kind: "call";
  readonly target: Expression | undefined;
  readonly name: string;
  readonly arguments: readonly Expression[];
}

export interface ListLiteral extends Node {
  readonly kind: "list";
  readonly elements: readonly Expression[];
  readonly optional: ReadonlySet<number>;
}

export interface MapEntry extends Node {
  readonly key: Expression;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface MapLiteral extends Node {
  readonly kind: "map";
  readonly entries: readonly MapEntry[];
}

export interface StructField extends Node {
  readonly name: string;
  readonly value: Expression;
  readonly optional: boolean;
}

export interface StructLiteral extends Node {
  readonly kind: "struct";
  readonly type: string;
  readonly fields: readonly StructField[];
}

/** A loop over a list or map, which is what macros such as all() and map() expand to. */
export interface Comprehension extends Node {
  readonly kind: "comprehension";
  readonly range: Expression;
  readonly variable: string;
  /** The second variable of a two-variable macro. */
  readonly variable2: string | undefined;
  readonly accumulator: string;
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

/** Stands where the source could not be understood; the problem is reported beside it. */
export interface Unspecified extends Node {
  readonly kind: "unspecified";
}

/** The parts of a node, in the order in which they were written or expanded. */
export function childrenOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "literal":
    case "identifier":
    case "unspecified":
      return [];
    case "select":
      return [node.operand];
    case "call":
      return node.target === undefined ? node.arguments : [node.target, ...node.arguments];
    case "list":
      return node.elements;
    case "map":
      return node.entries.flatMap((entry) => [entry.key, entry.value]);
    case "struct":
      return node.fields.map((field) => field.value);
    case "comprehension":
      return [node.range, node.initial, node.condition, node.step, node.result];
  }
}

/** The dotted name that a chain of selects spells, such as `a.b.c`. */
export function qualifiedName(node: Expression): string | undefined {
  if (node.kind === "identifier") return node.name;
  if (node.kind !== "select" || node.testOnly) return undefined;
  const operand = qualifiedName(node.operand);
  return operand === undefined ? undefined : `${operand}.${node.field}`;
}
