import type { Checked } from "../check/checker.ts";
import type { Overload } from "../check/declaration.ts";
import { dynType, isOptionalType, type Type } from "../check/type.ts";
import type { Call, Comprehension, Expression, Select } from "../syntax/ast.ts";
import { codePoints } from "../values/text.ts";
import { estimateCall } from "./call-estimate.ts";
import { exactly, limitless, one, plus, type Range, sum, times, union, unknown, zero } from "./range.ts";

/** How large what lies at a path can be; undefined where nobody knows. A path starts with the name of a variable. */
export type SizeOfPath = (path: readonly string[]) => Range | undefined;

/** A part of a call, as those who estimate its cost see it. */
export interface Part {
  readonly expression: Expression | undefined;
  readonly type: Type;
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
}

/** What a call costs, and how large its result is where that is known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range | undefined;
}

/** The least and the most that evaluating an expression can cost, from sizes that a schema allows. */
export function estimateCost(expression: Expression, checked: Checked, sizeOfPath: SizeOfPath): Range {
  return new Estimator(checked, sizeOfPath).cost(expression);
}

/** The sizes of what is in a container. */
interface EntrySize {
  readonly container: "list" | "map";
  readonly key: Range;
  readonly value: Range;
}

interface Local {
  readonly name: string;
  readonly path: readonly string[] | undefined;
  readonly size: Range | undefined;
  readonly entries: EntrySize | undefined;
}

const listCost = exactly(10n);
const mapCost = exactly(30n);
const nothingYet: Range = { least: limitless, most: 0n };

class Estimator {
  readonly #checked: Checked;
  readonly #sizeOfPath: SizeOfPath;
  readonly #paths = new Map<number, readonly string[]>();
  readonly #sizes = new Map<number, Range>();
  readonly #entries = new Map<number, EntrySize>();
  readonly #locals: Local[] = [];

  constructor(checked: Checked, sizeOfPath: SizeOfPath) {
    this.#checked = checked;
    this.#sizeOfPath = sizeOfPath;
  }

  cost(node: Expression): Range {
    switch (node.kind) {
      case "literal":
      case "unspecified":
        return zero;
      case "identifier":
        return this.#identifier(node.id, node.name);
      case "select":
        return this.#select(node);
      case "call":
        return this.#call(node);
      case "list":
        return this.#list(node);
      case "map":
        return this.#map(node);
      case "struct":
        return sum(node.fields.map((field) => this.cost(field.value)));
      case "comprehension":
        return isBinding(node) ? this.#binding(node) : this.#comprehension(node);
    }
  }

  #identifier(id: number, name: string): Range {
    const local = this.#local(name);
    this.#setPath(id, local === undefined ? [name] : local.path);
    return one;
  }

  #select(node: Select): Range {
    const referred = this.#checked.references[node.id];
    if (referred !== undefined) return this.#identifier(node.id, referred);
    const operand = this.cost(node.operand);
    if (node.testOnly) return operand;
    const { kind } = this.#type(node.operand);
    const path = this.#path(node.operand);
    // What the operand's path is unknown for starts a path of its own, which no schema knows.
    this.#setPath(node.id, [...(path ?? []), node.field]);
    return kind === "map" || kind === "struct" || kind === "parameter" ? plus(operand, one) : operand;
  }

  #call(node: Call): Range {
    const [first] = node.arguments;
    if (node.name === "dyn" && first !== undefined) return this.#dyn(node, first);
    const costs = node.arguments.map((part) => this.cost(part));
    const parts = node.arguments.map((part) => this.#part(part));
    const overloads = this.#checked.overloads[node.id];
    if (overloads === undefined && node.name !== "_?._") return zero;
    const isMember = node.target !== undefined && this.#checked.references[node.id] === undefined;
    const targetCost = isMember && node.target !== undefined ? this.cost(node.target) : zero;
    const target = isMember && node.target !== undefined ? this.#part(node.target) : undefined;
    const ids = overloads?.map((overload: Overload) => overload.id) ?? ["select_optional_field"];
    const name = this.#checked.references[node.id] ?? node.name;
    let total = nothingYet;
    let size: Range | undefined;
    for (const id of ids) {
      const estimate = this.#callEstimate(node, { name, id, target, parts, costs });
      total = union(total, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : union(size, estimate.size);
      size = this.#indexed(node, id, size) ?? this.#size(node);
    }
    if (size !== undefined) this.#sizes.set(node.id, size);
    return plus(targetCost, total);
  }

  /** What an index gives has the size of the entries, and a path of its own. */
  #indexed(node: Call, overload: string, size: Range | undefined): Range | undefined {
    const [operand] = node.arguments;
    if (operand === undefined || (overload !== "index_list" && overload !== "index_map")) return size;
    this.#setPath(node.id, [...(this.#path(operand) ?? []), overload === "index_list" ? "@items" : "@values"]);
    return this.#entriesOf(operand)?.value;
  }

  #dyn(node: Call, operand: Expression): Range {
    const cost = this.cost(operand);
    this.#copySizes(node, operand);
    return plus(one, cost);
  }

  #callEstimate(
    node: Call,
    call: {
      readonly name: string;
      readonly id: string;
      readonly target: Part | undefined;
      readonly parts: readonly Part[];
      readonly costs: readonly Range[];
    },
  ): CallEstimate {
    const [first = zero, second = zero, third = zero] = call.costs;
    if (call.id === "logical_and" || call.id === "logical_or") {
      return { cost: { least: first.least, most: plus(first, second).most } };
    }
    if (call.id === "conditional") return this.#conditional(node, call.parts, plus(first, union(second, third)));
    const estimate = estimateCall(call.name, call.id, {
      target: call.target,
      parts: call.parts,
      sizeOf: (part) => part.size ?? (part.path === undefined ? undefined : this.#sizeAt(part.path)) ?? unknown,
    });
    const [left, right] = node.arguments;
    if (/^add_(?:string|bytes|list)$/.test(call.id) && left !== undefined && right !== undefined) {
      this.#setEntries(node, unionOfEntries(this.#entriesOf(left), this.#entriesOf(right)));
    }
    return { ...estimate, cost: plus(estimate.cost, sum(call.costs)) };
  }

  #conditional(node: Call, parts: readonly Part[], cost: Range): CallEstimate {
    const [, whenTrue, whenFalse] = node.arguments;
    if (whenTrue !== undefined && whenFalse !== undefined) {
      this.#setEntries(node, unionOfEntries(this.#entriesOf(whenTrue), this.#entriesOf(whenFalse)));
    }
    return { cost, size: union(parts[1]?.size ?? unknown, parts[2]?.size ?? unknown) };
  }

  #list(node: Extract<Expression, { kind: "list" }>): Range {
    let cost = listCost;
    let value = node.elements.length === 0 ? zero : nothingYet;
    for (const element of node.elements) {
      cost = plus(cost, this.cost(element));
      value = union(value, this.#size(element) ?? unknown);
    }
    this.#setEntries(node, { container: "list", key: one, value });
    return cost;
  }

  #map(node: Extract<Expression, { kind: "map" }>): Range {
    let cost = mapCost;
    let key = node.entries.length === 0 ? zero : nothingYet;
    let value = key;
    for (const entry of node.entries) {
      cost = sum([cost, this.cost(entry.key), this.cost(entry.value)]);
      key = union(key, this.#size(entry.key) ?? unknown);
      value = union(value, this.#size(entry.value) ?? unknown);
    }
    this.#setEntries(node, { container: "map", key, value });
    return cost;
  }

  #comprehension(node: Comprehension): Range {
    const before = plus(this.cost(node.range), this.cost(node.initial));
    const depth = this.#locals.length;
    this.#locals.push(this.#localOf(node.accumulator, node.initial));
    this.#pushVariables(node);
    const iteration = plus(this.cost(node.condition), this.cost(node.step));
    this.#locals.length = depth + 1;
    const result = this.cost(node.result);
    this.#locals.length = depth;
    const count = this.#size(node.range) ?? unknown;
    if (node.initial.kind === "literal") this.#setSize(node, this.#size(node.initial));
    else if (node.initial.kind === "list" || node.initial.kind === "map") {
      this.#setSize(node, count);
      this.#setEntries(node, this.#entriesOf(node.step));
    }
    return sum([before, result, times(count, iteration)]);
  }

  #pushVariables(node: Comprehension): void {
    const entries = this.#entriesOf(node.range);
    const path = this.#path(node.range) ?? [];
    const isList = (entries?.container ?? this.#type(node.range).kind) === "list";
    const key = { path: [...path, isList ? "@indices" : "@keys"], size: entries?.key, entries: undefined };
    const value = { path: [...path, isList ? "@items" : "@values"], size: entries?.value, entries: undefined };
    if (node.variable2 === undefined) this.#locals.push({ name: node.variable, ...(isList ? value : key) });
    else this.#locals.push({ name: node.variable, ...key }, { name: node.variable2, ...value });
  }

  /** A loop over nothing that only gives its result a name. */
  #binding(node: Comprehension): Range {
    const before = plus(this.cost(node.range), this.cost(node.initial));
    this.#locals.push(this.#localOf(node.accumulator, node.initial));
    const result = this.cost(node.result);
    this.#copySizes(node, node.result);
    this.#locals.pop();
    return plus(before, result);
  }

  #localOf(name: string, value: Expression): Local {
    return { name, path: this.#path(value), size: this.#size(value), entries: this.#entriesOf(value) };
  }

  #local(name: string): Local | undefined {
    return this.#locals.findLast((local) => local.name === name);
  }

  #part(node: Expression): Part {
    const path = this.#path(node);
    const isGathered = path?.[0] === "@result" || path?.[0] === "__result__";
    return { expression: node, type: this.#type(node), path: isGathered ? undefined : path, size: this.#size(node) };
  }

  #type(node: Expression): Type {
    return this.#checked.types[node.id] ?? dynType;
  }

  #path(node: Expression): readonly string[] | undefined {
    const local = node.kind === "identifier" ? this.#local(node.name) : undefined;
    return local === undefined ? this.#paths.get(node.id) : local.path;
  }

  #setPath(id: number, path: readonly string[] | undefined): void {
    if (path !== undefined) this.#paths.set(id, path);
  }

  #sizeAt(path: readonly string[]): Range | undefined {
    return path.length === 0 ? undefined : this.#sizeOfPath(path);
  }

  #size(node: Expression): Range | undefined {
    const known = this.#sizes.get(node.id) ?? literalSize(node);
    if (known !== undefined) return known;
    const found = this.#sizeAt(this.#path(node) ?? []);
    if (found !== undefined) {
      this.#sizes.set(node.id, found);
      return found;
    }
    if (isScalar(this.#type(node))) return one;
    return node.kind === "identifier" ? this.#local(node.name)?.size : undefined;
  }

  #setSize(node: Expression, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(node.id, size);
  }

  #entriesOf(node: Expression): EntrySize | undefined {
    const known = this.#entries.get(node.id);
    if (known !== undefined || node.kind !== "identifier") return known;
    return this.#local(node.name)?.entries;
  }

  #setEntries(node: Expression, entries: EntrySize | undefined): void {
    if (entries !== undefined) this.#entries.set(node.id, entries);
  }

  #copySizes(to: Expression, from: Expression): void {
    this.#setSize(to, this.#size(from));
    this.#setEntries(to, this.#entriesOf(from));
  }
}

function isBinding({ range, condition, accumulator }: Comprehension): boolean {
  const isOverNothing = range.kind === "list" && range.elements.length === 0;
  return isOverNothing && condition.kind === "literal" && condition.value === false && accumulator !== "__result__";
}

function unionOfEntries(a: EntrySize | undefined, b: EntrySize | undefined): EntrySize | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { container: a.container, key: union(a.key, b.key), value: union(a.value, b.value) };
}

function literalSize(node: Expression): Range | undefined {
  if (node.kind === "list") return exactly(BigInt(node.elements.length));
  if (node.kind === "map") return exactly(BigInt(node.entries.length));
  if (node.kind !== "literal") return undefined;
  if (typeof node.value === "string") return exactly(BigInt(codePoints(node.value)));
  return node.value instanceof Uint8Array ? exactly(BigInt(node.value.length)) : one;
}

const scalars: ReadonlySet<Type["kind"]> = new Set(["bool", "double", "duration", "int", "timestamp", "uint"]);

function isScalar(type: Type): boolean {
  const [held] = type.parameters;
  return scalars.has(type.kind) || (isOptionalType(type) && held !== undefined && isScalar(held));
}
