import { complaints, formatClauses } from "../library/format-clause.ts";
import { compilePattern } from "../library/pattern.ts";
import { type Call, childrenOf, type Expression } from "../syntax/ast.ts";
import type { SourceProblem } from "../syntax/source.ts";
import { durationOfText, timestampOf, timestampOfText } from "../values/time.ts";
import { Failure, type Value } from "../values/value.ts";
import type { Checked } from "./checker.ts";
import { describeType, dynType, sameType, type Type, unwrapOptional } from "./type.ts";

const literalChecks: ReadonlyMap<string, (value: Value) => boolean> = new Map([
  ["duration", (value: Value) => typeof value === "string" && durationOfText(value) !== undefined],
  ["timestamp", isTimestamp],
  ["matches", (value: Value) => typeof value !== "string" || !(compilePattern(value) instanceof Failure)],
]);

/** Finds literal durations, times and patterns that can never work. */
export function inspectLiterals(expression: Expression): readonly SourceProblem[] {
  const problems: SourceProblem[] = [];
  visit(expression, (node) => {
    if (node.kind !== "call") return;
    const [first] = node.arguments;
    const isFine = literalChecks.get(node.name);
    if (isFine === undefined || first?.kind !== "literal" || isFine(first.value)) return;
    problems.push({ offset: first.offset, message: `invalid ${node.name} argument` });
  });
  return problems;
}

function isTimestamp(value: Value): boolean {
  if (typeof value === "bigint") return !(timestampOf(value * 1_000_000_000n) instanceof Failure);
  return typeof value === "string" && timestampOfText(value) !== undefined;
}

/** Finds list and map literals whose elements are not of one type, dyn counting as a type; format() takes any. */
export function inspectAggregates(expression: Expression, { types }: Checked): readonly SourceProblem[] {
  const problems: SourceProblem[] = [];
  const typeOf = (node: Expression, isOptional: boolean): Type => {
    const type = types[node.id] ?? dynType;
    return isOptional ? unwrapOptional(type) : type;
  };
  const compare = (node: Expression, first: Type, type: Type): boolean => {
    if (isEquivalent(first, type)) return true;
    const message = `expected type '${describeType(first)}' but found '${describeType(type)}'`;
    problems.push({ offset: node.offset, message });
    return false;
  };
  visit(
    expression,
    (node) => {
      if (node.kind === "list") {
        const found = node.elements.map((element, index) => typeOf(element, node.optional.has(index)));
        node.elements.every((element, index) => compare(element, found[0] ?? dynType, found[index] ?? dynType));
      }
      if (node.kind !== "map") return;
      const [first, ...rest] = node.entries;
      if (first === undefined) return;
      for (const { key, value, optional } of rest) {
        compare(key, typeOf(first.key, false), typeOf(key, false));
        compare(value, typeOf(first.value, first.optional), typeOf(value, optional));
      }
    },
    { skip: (node) => node.kind === "call" && node.name === "format" },
  );
  return problems;
}

/** Equal but for type parameters, which fit anything here. */
function isEquivalent(a: Type, b: Type): boolean {
  if (a.kind !== b.kind || a.parameters.length !== b.parameters.length) return sameType(a, b);
  if (a.parameters.length === 0) return a.name === b.name;
  return a.parameters.every((part, index) => isEquivalent(part, b.parameters[index] ?? dynType));
}

const acceptedKinds: Readonly<Record<string, readonly Type["kind"][]>> = {
  s: ["list", "map", "int", "uint", "double", "bool", "string", "timestamp", "bytes", "duration", "type", "null"],
  d: ["int", "uint"],
  f: ["double", "string"],
  e: ["double", "string"],
  b: ["int", "uint", "bool"],
  o: ["int", "uint"],
  x: ["int", "uint", "string", "bytes"],
  X: ["int", "uint", "string", "bytes"],
};

/** Finds calls of format() on a literal template whose values do not fit it. */
export function inspectFormats(expression: Expression, { types }: Checked): readonly SourceProblem[] {
  const problems: SourceProblem[] = [];
  visit(expression, (node) => {
    if (node.kind !== "call" || node.name !== "format" || node.target?.kind !== "literal") return;
    const [values] = node.arguments;
    if (typeof node.target.value !== "string" || values?.kind !== "list") return;
    const problem = formatProblem(node, node.target.value, values.elements, types);
    if (problem !== undefined) problems.push(problem);
  });
  return problems;
}

function formatProblem(
  call: Call,
  template: string,
  values: readonly Expression[],
  types: Checked["types"],
): SourceProblem | undefined {
  let used = 0;
  for (const clause of formatClauses(template)) {
    if (clause.kind === "text") continue;
    if (clause.kind === "problem") return { offset: call.offset, message: clause.problem };
    const value = values[used];
    if (value === undefined) return { offset: call.offset, message: `index ${used} out of range` };
    const misfit = findMisfit(value, clause.verb, types);
    if (misfit !== undefined) {
      const name = types[misfit.id]?.name ?? "dyn";
      return { offset: misfit.offset, message: `error during formatting: ${complaints[clause.verb] ?? ""}${name}` };
    }
    used += 1;
  }
  if (values.length <= used) return undefined;
  const counts = `(expected ${used}, got ${values.length})`;
  return { offset: call.offset, message: `too many arguments supplied to string.format ${counts}` };
}

/** The value, or the part of a literal one, that a verb cannot print. */
function findMisfit(value: Expression, verb: string, types: Checked["types"]): Expression | undefined {
  const kind = types[value.id]?.kind ?? "dyn";
  if (kind !== "dyn" && !(acceptedKinds[verb] ?? []).includes(kind)) return value;
  if (verb !== "s" || (value.kind !== "list" && value.kind !== "map")) return undefined;
  for (const part of childrenOf(value)) {
    const misfit = findMisfit(part, verb, types);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}

function visit(
  node: Expression,
  see: (node: Expression) => void,
  { skip = () => false }: { readonly skip?: (node: Expression) => boolean } = {},
): void {
  see(node);
  if (skip(node)) return;
  for (const child of childrenOf(node)) visit(child, see, { skip });
}
