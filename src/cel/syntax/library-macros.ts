import type { Expression } from "./ast.ts";
import type { Macro, MacroCall, MacroProblem } from "./macro.ts";
import { isProblem } from "./macro.ts";
import { standardMacros } from "./standard-macros.ts";

/** The macros of optional values. */
export const optionalMacros: readonly Macro[] = [
  { name: "optMap", receiver: true, argumentCount: 2, expand: (call) => expandOptional(call, "optMap") },
  { name: "optFlatMap", receiver: true, argumentCount: 2, expand: (call) => expandOptional(call, "optFlatMap") },
];

/** The macro that sorts a list by a key computed from each element. */
export const sortMacros: readonly Macro[] = [
  { name: "sortBy", receiver: true, argumentCount: 2, expand: expandSortBy },
];

// A loop over nothing whose accumulator carries the value: how a macro gives an expression a name.
function bind(call: MacroCall, name: string, value: Expression, result: Expression): Expression {
  const { make, offset } = call;
  return make.comprehension(offset, {
    range: make.list(offset, []),
    variable: "#unused",
    variable2: undefined,
    accumulator: name,
    initial: value,
    condition: make.literal(offset, false),
    step: make.identifier(offset, name),
    result,
  });
}

function expandOptional(call: MacroCall, name: "optMap" | "optFlatMap"): Expression | MacroProblem {
  const { make, offset, target } = call;
  const [variable, body] = call.arguments;
  if (target === undefined || variable === undefined || body === undefined) return misuse(call, name);
  if (variable.kind !== "identifier") {
    return { problem: `${name}() variable name must be a simple identifier`, at: variable };
  }
  const mapped = bind(call, variable.name, make.memberCall(offset, "value", make.copy(target), []), body);
  return make.call(offset, "_?_:_", [
    make.memberCall(offset, "hasValue", target, []),
    name === "optMap" ? make.call(offset, "optional.of", [mapped]) : mapped,
    make.call(offset, "optional.none", []),
  ]);
}

const sortInput = "@__sortBy_input__";
const sortable: ReadonlySet<Expression["kind"]> = new Set(["list", "select", "identifier", "comprehension", "call"]);

function expandSortBy(call: MacroCall): Expression | MacroProblem {
  const { make, offset, target } = call;
  if (target === undefined) return misuse(call, "sortBy");
  if (!sortable.has(target.kind)) {
    const problem = "sortBy can only be applied to a list, identifier, comprehension, call or select expression";
    return { problem, at: target };
  }
  const map = standardMacros.find((macro) => macro.name === "map" && macro.argumentCount === 2);
  const keys = map?.expand({ ...call, target: make.identifier(offset, sortInput) }) ?? misuse(call, "sortBy");
  if (isProblem(keys)) return keys;
  const sorted = make.memberCall(offset, "@sortByAssociatedKeys", make.identifier(offset, sortInput), [keys]);
  return bind(call, sortInput, target, sorted);
}

function misuse({ make, offset }: MacroCall, name: string): MacroProblem {
  return { problem: `${name}() is called in the wrong way`, at: make.unspecified(offset) };
}
