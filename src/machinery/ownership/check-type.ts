import { CapstanError } from "#base";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { goPlain, goSyntax, goType } from "./go-value.ts";
import { itemElement, refusalOf } from "./list-item.ts";
import { describePathElement, fieldElement, type PathElement } from "./path-element.ts";
import { fieldType, isAnything, valueKindOf, type ListType, type MapType, type ValueType } from "./value-type.ts";

/** One place where a value is not of its type. */
export interface TypeProblem {
  readonly path: string;
  readonly message: string;
}

/** A value that is not of its type; the message is the one Kubernetes gives. */
export class TypedValueError extends CapstanError {
  readonly code = "TYPED_VALUE_INVALID";
  readonly problems: readonly TypeProblem[];

  constructor(problems: readonly TypeProblem[]) {
    super(describeProblems(problems));
    this.problems = problems;
  }
}

/** How strictly to look: an object that is stored already may hold the same item of a list twice. */
export interface CheckOptions {
  readonly duplicates: "allowed" | "refused";
}

/** Throws a TypedValueError unless a value is of its type. */
export function assertOfType(value: Json, type: ValueType, options: CheckOptions): void {
  const problems = check(value, type, options);
  if (problems !== undefined) throw new TypedValueError(problems);
}

/**
 * True where a stored value, or one about to be stored, is of its type. What is the very same in an older one that is of it
 * is passed over.
 */
export function isOfType(value: Json, type: ValueType, older?: Json): boolean {
  return check(value, type, stored, older) === undefined;
}

const stored: CheckOptions = { duplicates: "allowed" };
const noMembers: JsonObject = Object.freeze({});
const noItems: readonly Json[] = Object.freeze([]);

function describeProblems(problems: readonly TypeProblem[]): string {
  const texts = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  const [only, second] = texts;
  return only !== undefined && second === undefined
    ? only
    : ["errors:", ...texts.map((text) => `  ${text}`)].join("\n");
}

type Problems = TypeProblem[] | undefined;

function check(value: Json, type: ValueType, options: CheckOptions, older?: Json): Problems {
  if (value === null || isAnything(type)) return undefined;
  switch (valueKindOf(type, value)) {
    case "map":
      return type.map === undefined ? undefined : checkMap(value, type.map, options, older);
    case "list":
      return type.list === undefined ? undefined : checkList(value, type.list, options, older);
    case "scalar":
      return checkScalar(value, type.scalar);
  }
}

function checkScalar(value: NonNullable<Json>, scalar: ValueType["scalar"]): Problems {
  switch (scalar) {
    case "string":
      if (typeof value === "string") return undefined;
      return problem(`expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`);
    case "numeric":
      if (typeof value === "number" || typeof value === "bigint") return undefined;
      return problem(`expected numeric (int or float), got ${goType(value)}`);
    case "boolean":
      return typeof value === "boolean" ? undefined : problem(`expected boolean, got &{${goPlain(value)}}`);
    case "untyped":
    case undefined:
      return typeof value === "object" ? problem(`expected any scalar, got &{${goPlain(value)}}`) : undefined;
  }
}

function checkMap(value: NonNullable<Json>, type: MapType, options: CheckOptions, older?: Json): Problems {
  if (!isJsonObject(value)) return problem(`expected map, got &{${goPlain(value)}}`);
  const before = isJsonObject(older) ? older : noMembers;
  let problems: Problems;
  for (const name in value) {
    const part = value[name] ?? null;
    if (part === before[name]) continue;
    const inner = fieldType(type, name);
    if (inner === undefined) {
      // Kubernetes looks no further in a map once it has met a field that does not belong there.
      return join(problems, below(fieldElement(name), problem("field not declared in schema")));
    }
    const found = check(part, inner, options, before[name]);
    if (found !== undefined) problems = join(problems, below(fieldElement(name), found));
  }
  return problems;
}

function checkList(value: NonNullable<Json>, type: ListType, options: CheckOptions, older?: Json): Problems {
  if (!Array.isArray(value)) return problem(`expected list, got &{${goPlain(value)}}`);
  if (type.kind === "atomic") return checkItems(value, type, options, older);
  const before = isJsonList(older) ? older : noItems;
  let problems: Problems;
  const seen = options.duplicates === "allowed" ? undefined : new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    if (seen === undefined && item === before[index]) continue;
    const element = itemElement(type, item);
    // Where an item stands cannot be told without its keys, so nothing behind it is looked at.
    if (element === undefined) return join(problems, problem(`element ${index}: ${refusalOf(type, item)}`));
    if (seen?.has(element) === true) {
      problems = join(problems, problem(`duplicate entries for key ${describePathElement(element)}`));
    }
    seen?.add(element);
    const found = check(item, type.element, options, before[index]);
    if (found !== undefined) problems = join(problems, below(element, found));
  }
  return problems;
}

/** The items of a list that is written as a whole have no names of their own. */
function checkItems(list: readonly Json[], type: ListType, options: CheckOptions, older?: Json): Problems {
  const before = isJsonList(older) ? older : noItems;
  let problems: Problems;
  for (let index = 0; index < list.length; index += 1) {
    const item = list[index] ?? null;
    const found = item === before[index] ? undefined : check(item, type.element, options, before[index]);
    if (found !== undefined) problems = join(problems, below(`i:${index}`, found));
  }
  return problems;
}

function problem(message: string): TypeProblem[] {
  return [{ path: "", message }];
}

function below(element: PathElement, problems: TypeProblem[]): TypeProblem[] {
  const prefix = describePathElement(element);
  return problems.map(({ path, message }) => ({ path: `${prefix}${path}`, message }));
}

function join(problems: Problems, more: TypeProblem[]): TypeProblem[] {
  return problems === undefined ? more : [...problems, ...more];
}
