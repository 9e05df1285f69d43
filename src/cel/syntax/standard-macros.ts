import type { Expression } from "./ast.ts";
import type { Macro, MacroCall, MacroProblem } from "./macro.ts";
import { accumulator, type NodeMaker } from "./node-maker.ts";

/** The macros of the language: has, all, exists, exists_one, map and filter. */
export const standardMacros: readonly Macro[] = [
  { name: "has", receiver: false, argumentCount: 1, expand: expandHas },
  ...quantifiers(1),
  receiver("map", 2, (call) => expandMap(call, { variables: 1, plain: "argument is not an identifier" })),
  receiver("map", 3, (call) => expandMap(call, { variables: 1, plain: "argument is not an identifier" })),
  receiver("filter", 2, expandFilter),
];

/** The macros with a variable for the index or key and one for the value. */
export const twoVariableMacros: readonly Macro[] = [
  ...quantifiers(2),
  receiver("transformList", 3, (call) => expandMap(call, { variables: 2, plain: simpleName })),
  receiver("transformList", 4, (call) => expandMap(call, { variables: 2, plain: simpleName })),
  receiver("transformMap", 3, (call) => expandTransformMap(call, "key-value")),
  receiver("transformMap", 4, (call) => expandTransformMap(call, "key-value")),
  receiver("transformMapEntry", 3, (call) => expandTransformMap(call, "entry")),
  receiver("transformMapEntry", 4, (call) => expandTransformMap(call, "entry")),
];

const simpleName = "argument must be a simple name";

function receiver(name: string, argumentCount: number, expand: Macro["expand"]): Macro {
  return { name, receiver: true, argumentCount, expand };
}

function quantifiers(variables: 1 | 2): readonly Macro[] {
  const count = variables + 1;
  return [
    receiver("all", count, (call) => expandQuantifier(call, variables, all)),
    receiver("exists", count, (call) => expandQuantifier(call, variables, exists)),
    receiver("exists_one", count, (call) => expandQuantifier(call, variables, existsOne)),
    receiver("existsOne", count, (call) => expandQuantifier(call, variables, existsOne)),
  ];
}

function expandHas({ make, offset, arguments: [field] }: MacroCall): Expression | MacroProblem {
  if (field?.kind === "select") return { ...field, id: make.id(), offset, testOnly: true };
  return refuse(field, "invalid argument to has() macro");
}

interface Loop {
  readonly initial: Expression;
  readonly condition: Expression;
  readonly step: Expression;
  readonly result: Expression;
}

type Quantifier = (make: NodeMaker, offset: number, predicate: Expression) => Loop;

function expandQuantifier(call: MacroCall, variables: 1 | 2, quantifier: Quantifier): Expression | MacroProblem {
  const names = namesOf(call, variables, simpleName);
  if ("problem" in names) return names;
  const predicate = call.arguments[variables];
  if (predicate === undefined) return refuse(predicate, simpleName);
  return loopOver(call, names, quantifier(call.make, call.offset, predicate));
}

function all(make: NodeMaker, offset: number, predicate: Expression): Loop {
  const gathered = () => make.identifier(offset, accumulator);
  return {
    initial: make.literal(offset, true),
    condition: make.call(offset, "@not_strictly_false", [gathered()]),
    step: make.call(offset, "_&&_", [gathered(), predicate]),
    result: gathered(),
  };
}

function exists(make: NodeMaker, offset: number, predicate: Expression): Loop {
  const gathered = () => make.identifier(offset, accumulator);
  return {
    initial: make.literal(offset, false),
    condition: make.call(offset, "@not_strictly_false", [make.call(offset, "!_", [gathered()])]),
    step: make.call(offset, "_||_", [gathered(), predicate]),
    result: gathered(),
  };
}

function existsOne(make: NodeMaker, offset: number, predicate: Expression): Loop {
  const gathered = () => make.identifier(offset, accumulator);
  const one = () => make.literal(offset, 1n);
  return {
    initial: make.literal(offset, 0n),
    condition: make.literal(offset, true),
    step: make.call(offset, "_?_:_", [predicate, make.call(offset, "_+_", [gathered(), one()]), gathered()]),
    result: make.call(offset, "_==_", [gathered(), one()]),
  };
}

function expandMap(
  call: MacroCall,
  { variables, plain }: { readonly variables: 1 | 2; readonly plain: string },
): Expression | MacroProblem {
  const names = namesOf(call, variables, plain);
  if ("problem" in names) return names;
  const { make, offset } = call;
  const { filter, transform } = filterAndTransform(call, variables);
  if (transform === undefined) return refuse(transform, plain);
  const gathered = () => make.identifier(offset, accumulator);
  const add = make.call(offset, "_+_", [gathered(), make.list(offset, [transform])]);
  return loopOver(call, names, {
    initial: make.list(offset, []),
    condition: make.literal(offset, true),
    step: filter === undefined ? add : make.call(offset, "_?_:_", [filter, add, gathered()]),
    result: gathered(),
  });
}

function expandFilter(call: MacroCall): Expression | MacroProblem {
  const names = namesOf(call, 1, "argument is not an identifier");
  if ("problem" in names) return names;
  const { make, offset } = call;
  const [element, predicate] = call.arguments;
  if (element === undefined || predicate === undefined) return refuse(element, simpleName);
  const gathered = () => make.identifier(offset, accumulator);
  const add = make.call(offset, "_+_", [gathered(), make.list(offset, [element])]);
  return loopOver(call, names, {
    initial: make.list(offset, []),
    condition: make.literal(offset, true),
    step: make.call(offset, "_?_:_", [predicate, add, gathered()]),
    result: gathered(),
  });
}

function expandTransformMap(call: MacroCall, form: "key-value" | "entry"): Expression | MacroProblem {
  const names = namesOf(call, 2, simpleName);
  if ("problem" in names) return names;
  const { make, offset } = call;
  const { filter, transform } = filterAndTransform(call, 2);
  if (transform === undefined) return refuse(transform, simpleName);
  const gathered = () => make.identifier(offset, accumulator);
  const parts =
    form === "entry" ? [gathered(), transform] : [gathered(), make.identifier(offset, names.variable), transform];
  const insert = make.call(offset, "cel.@mapInsert", parts);
  return loopOver(call, names, {
    initial: make.map(offset),
    condition: make.literal(offset, true),
    step: filter === undefined ? insert : make.call(offset, "_?_:_", [filter, insert, gathered()]),
    result: gathered(),
  });
}

function filterAndTransform(
  { arguments: parts }: MacroCall,
  variables: 1 | 2,
): { readonly filter: Expression | undefined; readonly transform: Expression | undefined } {
  const [first, second] = parts.slice(variables);
  return second === undefined ? { filter: undefined, transform: first } : { filter: first, transform: second };
}

interface Names {
  readonly variable: string;
  readonly variable2: string | undefined;
}

function loopOver({ make, offset, target }: MacroCall, names: Names, loop: Loop): Expression {
  return make.comprehension(offset, { ...names, range: target ?? make.unspecified(offset), accumulator, ...loop });
}

/** The variables a macro names; `plain` is the complaint about an argument that is no plain name. */
function namesOf({ arguments: [first, second] }: MacroCall, variables: 1 | 2, plain: string): Names | MacroProblem {
  if (first?.kind !== "identifier") return refuse(first, plain);
  if (variables === 1) {
    return isAccumulator(first.name) ? refuse(first, overwrites) : { variable: first.name, variable2: undefined };
  }
  if (second?.kind !== "identifier") return refuse(second, plain);
  if (first.name === second.name) return refuse(second, `duplicate variable name: ${first.name}`);
  if (isAccumulator(first.name)) return refuse(first, overwrites);
  if (isAccumulator(second.name)) return refuse(second, overwrites);
  return { variable: first.name, variable2: second.name };
}

const overwrites = "iteration variable overwrites accumulator variable";

function isAccumulator(name: string): boolean {
  return name === accumulator || name === "__result__";
}

function refuse(at: Expression | undefined, problem: string): MacroProblem {
  return { problem, at: at ?? { kind: "unspecified", id: 0, offset: 0 } };
}
