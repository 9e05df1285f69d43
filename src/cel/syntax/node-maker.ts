import type { Value } from "../values/value.ts";
import { TooDeepError } from "./depth-gauge.ts";
import type { Call, Comprehension, Expression, ListLiteral, MapLiteral } from "./ast.ts";

/** The name of the variable in which a macro gathers its result; no source can spell it. */
export const accumulator = "@result";

// Macros that copy what they are called on can double an expression again and again.
const mostNodes = 100_000;

/** Makes the nodes of one expression and numbers them. */
export class NodeMaker {
  #last = 0;

  id(): number {
    this.#last += 1;
    if (this.#last > mostNodes) throw new TooDeepError(`expression node count exceeds limit: ${mostNodes}`);
    return this.#last;
  }

  literal(offset: number, value: Value): Expression {
    return { kind: "literal", id: this.id(), offset, value };
  }

  identifier(offset: number, name: string): Expression {
    return { kind: "identifier", id: this.id(), offset, name };
  }

  call(offset: number, name: string, parts: readonly Expression[]): Call {
    return { kind: "call", id: this.id(), offset, target: undefined, name, arguments: parts };
  }

  memberCall(offset: number, name: string, target: Expression, parts: readonly Expression[]): Call {
    return { kind: "call", id: this.id(), offset, target, name, arguments: parts };
  }

  list(offset: number, elements: readonly Expression[], optional: ReadonlySet<number> = new Set()): ListLiteral {
    return { kind: "list", id: this.id(), offset, elements, optional };
  }

  map(offset: number): MapLiteral {
    return { kind: "map", id: this.id(), offset, entries: [] };
  }

  unspecified(offset: number): Expression {
    return { kind: "unspecified", id: this.id(), offset };
  }

  comprehension(offset: number, parts: Omit<Comprehension, "kind" | "id" | "offset">): Comprehension {
    return { kind: "comprehension", id: this.id(), offset, ...parts };
  }

  /** The same expression under new ids, for macros that use a part twice. */
  copy(node: Expression): Expression {
    const id = this.id();
    switch (node.kind) {
      case "literal":
      case "identifier":
      case "unspecified":
        return { ...node, id };
      case "select":
        return { ...node, id, operand: this.copy(node.operand) };
      case "call":
        return {
          ...node,
          id,
          target: node.target === undefined ? undefined : this.copy(node.target),
          arguments: node.arguments.map((part) => this.copy(part)),
        };
      case "list":
        return { ...node, id, elements: node.elements.map((element) => this.copy(element)) };
      case "map":
        return {
          ...node,
          id,
          entries: node.entries.map((entry) => ({
            ...entry,
            id: this.id(),
            key: this.copy(entry.key),
            value: this.copy(entry.value),
          })),
        };
      case "struct":
        return {
          ...node,
          id,
          fields: node.fields.map((field) => ({ ...field, id: this.id(), value: this.copy(field.value) })),
        };
      case "comprehension":
        return {
          ...node,
          id,
          range: this.copy(node.range),
          initial: this.copy(node.initial),
          condition: this.copy(node.condition),
          step: this.copy(node.step),
          result: this.copy(node.result),
        };
    }
  }
}
