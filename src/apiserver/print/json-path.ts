import { CapstanError } from "#base";

/** A path that is not understood. */
export class InvalidColumnPathError extends CapstanError {
  readonly code = "INVALID_COLUMN_PATH";
}

type Step =
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "every" }
  | { readonly kind: "filter"; readonly path: readonly Step[]; readonly operator: string; readonly value: string };

/** Finds what a path such as `.status.conditions[?(@.type=="Ready")].status` leads to, in order. */
export type ColumnPath = (object: unknown) => readonly unknown[];

/** Reads the path of a printer column. */
export function compileColumnPath(text: string): ColumnPath {
  const steps = parse(text);
  return (object) => walk(steps, object);
}

const field = /\.((?:[^.[\]\\]|\\.)+)/y;
const index = /\[(-?\d+)\]/y;
const every = /\[\*\]|\.\*/y;
const quoted = /\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/y;
const filter =
  /\[\?\(\s*@((?:\.(?:[^.[\]\\\s=!<>]|\\.)+)+)\s*(?:(==|!=|<=|>=|<|>)\s*((?:"[^"]*")|(?:'[^']*')|[^)\s]+))?\s*\)\]/y;

function parse(text: string): readonly Step[] {
  const steps: Step[] = [];
  const source = text.startsWith(".") || text.startsWith("[") ? text : `.${text}`;
  let at = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  while (at < source.length) {
    let found = match(every);
    if (found !== null) {
      steps.push({ kind: "every" });
    } else if ((found = match(field)) !== null) {
      steps.push({ kind: "field", name: unescaped(found[1] ?? "") });
    } else if ((found = match(index)) !== null) {
      steps.push({ kind: "index", index: Number(found[1]) });
    } else if ((found = match(quoted)) !== null) {
      steps.push({ kind: "field", name: unescaped(found[1] ?? found[2] ?? "") });
    } else if ((found = match(filter)) !== null) {
      const [, path = "", operator = "", value = ""] = found;
      steps.push({ kind: "filter", path: parse(path), operator, value: value.replaceAll(/^["']|["']$/g, "") });
    } else {
      throw new InvalidColumnPathError(`the path ${text} is not understood from ${source.slice(at)} on`);
    }
  }
  return steps;
}

function walk(steps: readonly Step[], object: unknown): readonly unknown[] {
  let found: readonly unknown[] = [object];
  for (const step of steps) found = found.flatMap((each) => taken(step, each));
  return found;
}

function taken(step: Step, value: unknown): readonly unknown[] {
  switch (step.kind) {
    case "field":
      if (!isObject(value) || !Object.hasOwn(value, step.name)) return [];
      return [Reflect.get(value, step.name)];
    case "index":
      return Array.isArray(value) && value.at(step.index) !== undefined ? [value.at(step.index)] : [];
    case "every":
      return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    case "filter":
      return Array.isArray(value) ? value.filter((each) => passes(step, each)) : [];
  }
}

function passes({ path, operator, value }: Extract<Step, { kind: "filter" }>, item: unknown): boolean {
  const [found] = walk(path, item);
  if (found === undefined) return false;
  const [left, right] = typeof found === "number" ? [found, Number(value)] : [printed(found), value];
  switch (operator) {
    case "":
      return true;
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return left < right;
    case ">":
      return left > right;
    case "<=":
      return left <= right;
    default:
      return left >= right;
  }
}

function printed(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, "$1");
}
