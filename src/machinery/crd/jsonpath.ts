import { deepestJson, isJsonList, isJsonObject, type Json, JsonTooDeepError } from "../json.ts";
import { typeName } from "../schema/value-type.ts";
import { goJson, goText, goTypeName } from "./go-text.ts";
import { type Filter, JsonPathError, parseTemplate, type PathNode, type Slice } from "./jsonpath-parse.ts";

/** A JSONPath template as kubectl understands it, ready to be applied. */
export interface JsonPath {
  /** What each action of the template finds. Throws a JsonPathError where the template does not fit the value. */
  find(value: Json): readonly (readonly Json[])[];
  /** What the template prints for a value. */
  print(value: Json): string;
}

export interface JsonPathOptions {
  /** True to find nothing, instead of failing, where a field is missing. */
  readonly allowMissingKeys?: boolean;
}

/** Compiles a template such as `{.spec.name}`. Throws a JsonPathError where it cannot be read. */
export function compileJsonPath(template: string, { allowMissingKeys = false }: JsonPathOptions = {}): JsonPath {
  const nodes = parseTemplate(template);
  const find = (value: Json): readonly (readonly Json[])[] => new Evaluation(allowMissingKeys).run(nodes, value);
  return { find, print: (value) => find(value).map(printResults).join("") };
}

/** Results as kubectl prints them: separated by blanks, lists and objects as JSON. */
export function printResults(results: readonly Json[]): string {
  return results.map((result) => (isContainer(result) ? goJson(result) : printScalar(result))).join(" ");
}

const judges: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ["==", (order) => order === 0],
  ["!=", (order) => order !== 0],
  ["<", (order) => order < 0],
  ["<=", (order) => order <= 0],
  [">", (order) => order > 0],
  [">=", (order) => order >= 0],
]);

class Evaluation {
  readonly #allowMissingKeys: boolean;

  constructor(allowMissingKeys: boolean) {
    this.#allowMissingKeys = allowMissingKeys;
  }

  run(nodes: readonly PathNode[], value: Json): readonly (readonly Json[])[] {
    const results: (readonly Json[])[] = [];
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index];
      if (node === undefined) continue;
      if (identifierOf(node) === "end") throw new JsonPathError("not in range, nothing to end");
      if (identifierOf(node) === "range") {
        const end = matchingEnd(nodes, index);
        const body = nodes.slice(index + 1, end);
        for (const item of this.#evaluate(node, [value])) results.push(...this.run(body, item));
        index = end;
        continue;
      }
      results.push(this.#evaluate(node, [value]));
    }
    return results;
  }

  #evaluate(node: PathNode, input: readonly Json[]): readonly Json[] {
    switch (node.kind) {
      case "action":
        return this.#evaluateAll(node.nodes, input);
      case "text":
        return [node.text];
      case "literal":
        return input.map(() => node.value);
      case "identifier":
        if (node.name === "range") return input;
        throw new JsonPathError(`unrecognized identifier ${node.name}`);
      case "field":
        return this.#field(node.name, input);
      case "slice":
        return input.flatMap((value) => (value === null ? [] : sliceOf(value, node.slice)));
      case "wildcard":
        return input.flatMap(childrenOf);
      case "recursive":
        return input.flatMap((value) => descendantsOf(value));
      case "union":
        return node.members.flatMap((member) => this.#evaluateAll(member, input));
      case "filter":
        return input.flatMap((value) => this.#filter(value, node.filter));
    }
  }

  #evaluateAll(nodes: readonly PathNode[], input: readonly Json[]): readonly Json[] {
    return nodes.reduce<readonly Json[]>((values, node) => this.#evaluate(node, values), input);
  }

  #field(name: string, input: readonly Json[]): readonly Json[] {
    const found = input.flatMap((value) =>
      isJsonObject(value) && Object.hasOwn(value, name) ? [value[name] ?? null] : [],
    );
    if (found.length === 0 && input.length > 0 && !this.#allowMissingKeys) {
      throw new JsonPathError(`${name} is not found`);
    }
    return found;
  }

  #filter(value: Json, { left, operator, right }: Filter): readonly Json[] {
    if (!isJsonList(value)) throw new JsonPathError(`${goText(value)} is not array or slice and cannot be filtered`);
    return value.filter((item) => {
      if (operator === "exists") return this.#exists(left, item);
      const [lefts, rights] = [left, right].map((nodes) => this.#evaluateAll(nodes, [item]));
      if (lefts === undefined || rights === undefined || lefts.length === 0 || rights.length === 0) return false;
      if (lefts.length > 1 || rights.length > 1) throw new JsonPathError("can only compare one element at a time");
      return compare(lefts[0] ?? null, operator, rights[0] ?? null);
    });
  }

  #exists(nodes: readonly PathNode[], item: Json): boolean {
    try {
      return this.#evaluateAll(nodes, [item]).length > 0;
    } catch (error) {
      if (error instanceof JsonPathError) return false;
      throw error;
    }
  }
}

function identifierOf(node: PathNode): string | undefined {
  const [first] = node.kind === "action" ? node.nodes : [];
  return first?.kind === "identifier" ? first.name : undefined;
}

function matchingEnd(nodes: readonly PathNode[], range: number): number {
  let depth = 0;
  for (let index = range; index < nodes.length; index++) {
    const node = nodes[index];
    const identifier = node === undefined ? undefined : identifierOf(node);
    if (identifier === "range") depth++;
    if (identifier === "end" && --depth === 0) return index;
  }
  return nodes.length;
}

function sliceOf(value: Json, { start: first, end: last, isSingle, step = 1 }: Slice): readonly Json[] {
  if (!isJsonList(value)) throw new JsonPathError(`${goTypeName(value)} is not array or slice`);
  const { length } = value;
  const start = first === undefined ? 0 : first < 0 ? first + length : first;
  const written = last ?? length;
  const end = written < 0 || (written === 0 && isSingle) ? written + length : written;
  if (start === end) return [];
  const outside = (index: number): JsonPathError =>
    new JsonPathError(`array index out of bounds: index ${index}, length ${length}`);
  if (start >= length || start < 0) throw outside(start);
  if (end > length || end < 0) throw outside(end - 1);
  if (start > end) throw new JsonPathError(`starting index ${start} is greater than ending index ${end}`);
  if (step <= 0) throw new JsonPathError("step must be > 0");
  return value.slice(start, end).filter((_, index) => index % step === 0);
}

/** Kubernetes takes the members of objects in no fixed order; their names give one. */
function childrenOf(value: Json): readonly Json[] {
  if (isJsonList(value)) return value;
  if (!isJsonObject(value)) return [];
  return Object.keys(value)
    .toSorted()
    .map((name) => value[name] ?? null);
}

/** A value with everything below it; empty lists and objects, numbers and booleans do not count. */
function descendantsOf(value: Json, depth = 0): readonly Json[] {
  if (depth > deepestJson) throw new JsonTooDeepError();
  if (typeof value === "string") return value === "" ? [] : [value];
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap((child) => descendantsOf(child, depth + 1))];
}

function compare(left: Json, operator: string, right: Json): boolean {
  const judge = judges.get(operator);
  if (judge === undefined) throw new JsonPathError(`unrecognized filter operator ${operator}`);
  return judge(orderOf(left, right, operator));
}

function orderOf(left: Json, right: Json, operator: string): number {
  const comparable = typeof left === "boolean" ? operator === "==" || operator === "!=" : !isContainer(left);
  if (!comparable || left === null || right === null || isContainer(right)) {
    throw new JsonPathError("invalid type for comparison");
  }
  // An integer and a fraction are of different types in Go, and not compared.
  if (typeName(left) !== typeName(right)) throw new JsonPathError("incompatible types for comparison");
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function printScalar(value: Json): string {
  return value === null ? "null" : goText(value);
}

function isContainer(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
