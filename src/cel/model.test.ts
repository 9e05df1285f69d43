import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kubernetesEnvironment } from "./kubernetes.ts";
import { Failure } from "./values/value.ts";

/** Expressions over integers and truth values, small enough for an evaluator of a few lines to be obviously right. */
type Model =
  | { readonly kind: "int"; readonly value: bigint }
  | { readonly kind: "bool"; readonly value: boolean }
  | {
      readonly kind: "arithmetic";
      readonly operator: "+" | "-" | "*" | "/" | "%";
      readonly left: Model;
      readonly right: Model;
    }
  | {
      readonly kind: "comparison";
      readonly operator: "<" | "<=" | ">" | ">=" | "==" | "!=";
      readonly left: Model;
      readonly right: Model;
    }
  | { readonly kind: "logic"; readonly operator: "&&" | "||"; readonly left: Model; readonly right: Model }
  | { readonly kind: "not"; readonly operand: Model }
  | { readonly kind: "choice"; readonly condition: Model; readonly whenTrue: Model; readonly whenFalse: Model };

const failed = Symbol("failed");
type Outcome = bigint | boolean | typeof failed;

const largest = 2n ** 63n - 1n;
const edges = [0n, 1n, -1n, 2n, 7n, largest, -largest - 1n, largest - 1n];

const { int, bool } = fc.letrec<{ int: Model; bool: Model }>((tie) => ({
  int: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc
      .oneof(fc.constantFrom(...edges), fc.bigInt({ min: -largest - 1n, max: largest }))
      .map((value) => ({ kind: "int" as const, value })),
    fc.record({
      kind: fc.constant("arithmetic" as const),
      operator: fc.constantFrom("+" as const, "-" as const, "*" as const, "/" as const, "%" as const),
      left: tie("int"),
      right: tie("int"),
    }),
    fc.record({
      kind: fc.constant("choice" as const),
      condition: tie("bool"),
      whenTrue: tie("int"),
      whenFalse: tie("int"),
    }),
  ),
  bool: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.boolean().map((value) => ({ kind: "bool" as const, value })),
    fc.record({
      kind: fc.constant("comparison" as const),
      operator: fc.constantFrom("<" as const, "<=" as const, ">" as const, ">=" as const, "==" as const, "!=" as const),
      left: tie("int"),
      right: tie("int"),
    }),
    fc.record({
      kind: fc.constant("logic" as const),
      operator: fc.constantFrom("&&" as const, "||" as const),
      left: tie("bool"),
      right: tie("bool"),
    }),
    fc.record({ kind: fc.constant("not" as const), operand: tie("bool") }),
    fc.record({
      kind: fc.constant("choice" as const),
      condition: tie("bool"),
      whenTrue: tie("bool"),
      whenFalse: tie("bool"),
    }),
  ),
}));

describe("a model of a few lines agrees", () => {
  test("on arithmetic: exact, and failing where 64 bits do not suffice", () => {
    fc.assert(fc.property(int, agree), { numRuns: 500 });
  });

  test("on comparisons and on logic, which absorbs failures", () => {
    fc.assert(fc.property(bool, agree), { numRuns: 500 });
  });

  test("on all() and exists(), which absorb failures of elements", () => {
    const elements = fc.array(fc.constantFrom<Outcome>(true, false, failed), { maxLength: 6 });
    fc.assert(
      fc.property(elements, (list) => {
        const source = `[${list.map((element) => (element === failed ? 2n : element ? 1n : 0n)).join(", ")}]`;
        const predicate = "x == 2 ? 1 / 0 == 1 : x == 1";
        expect(run(`${source}.all(x, ${predicate})`)).toBe(list.reduce(and, true));
        expect(run(`${source}.exists(x, ${predicate})`)).toBe(list.reduce(or, false));
      }),
    );
  });
});

function agree(model: Model): void {
  expect(outcomeOf(model)).toBe(expectationOf(model));
}

function expectationOf(model: Model): Outcome {
  switch (model.kind) {
    case "int":
    case "bool":
      return model.value;
    case "not": {
      const operand = expectationOf(model.operand);
      return operand === failed ? failed : !operand;
    }
    case "choice": {
      const condition = expectationOf(model.condition);
      if (condition === failed) return failed;
      return expectationOf(condition === true ? model.whenTrue : model.whenFalse);
    }
    case "logic":
      return (model.operator === "&&" ? and : or)(expectationOf(model.left), expectationOf(model.right));
    case "arithmetic":
    case "comparison": {
      const [left, right] = [expectationOf(model.left), expectationOf(model.right)];
      if (typeof left !== "bigint" || typeof right !== "bigint") return failed;
      return model.kind === "arithmetic"
        ? arithmetic(model.operator, left, right)
        : comparison(model.operator, left, right);
    }
  }
}

function and(left: Outcome, right: Outcome): Outcome {
  if (left === false || right === false) return false;
  return left === true && right === true ? true : failed;
}

function or(left: Outcome, right: Outcome): Outcome {
  if (left === true || right === true) return true;
  return left === false && right === false ? false : failed;
}

function arithmetic(operator: "+" | "-" | "*" | "/" | "%", left: bigint, right: bigint): Outcome {
  if ((operator === "/" || operator === "%") && right === 0n) return failed;
  // The quotient of these does not fit, and then there is no remainder either.
  if (operator === "%" && left === -largest - 1n && right === -1n) return failed;
  const results = { "+": left + right, "-": left - right, "*": left * right };
  const result = operator === "/" ? left / right : operator === "%" ? left % right : results[operator];
  return result > largest || result < -largest - 1n ? failed : result;
}

function comparison(operator: "<" | "<=" | ">" | ">=" | "==" | "!=", left: bigint, right: bigint): boolean {
  const order = left < right ? -1 : left > right ? 1 : 0;
  const holds = {
    "<": order < 0,
    "<=": order <= 0,
    ">": order > 0,
    ">=": order >= 0,
    "==": order === 0,
    "!=": order !== 0,
  };
  return holds[operator];
}

function outcomeOf(model: Model): Outcome {
  return run(sourceOf(model));
}

function sourceOf(model: Model): string {
  switch (model.kind) {
    case "int":
    case "bool":
      return `(${model.value})`;
    case "not":
      return `(!${sourceOf(model.operand)})`;
    case "choice":
      return `(${sourceOf(model.condition)} ? ${sourceOf(model.whenTrue)} : ${sourceOf(model.whenFalse)})`;
    case "arithmetic":
    case "comparison":
    case "logic":
      return `(${sourceOf(model.left)} ${model.operator} ${sourceOf(model.right)})`;
  }
}

function run(source: string): Outcome {
  const compiled = kubernetesEnvironment().compile(source, { variables: new Map() });
  if (compiled.kind === "refused") throw new Error(compiled.problem);
  const program = compiled.program();
  if ("problem" in program) throw new Error(program.problem);
  const outcome = program.evaluate(new Map());
  if (outcome.kind === "cancelled") throw new Error(outcome.reason);
  const { result } = outcome;
  if (result instanceof Failure) return failed;
  if (typeof result !== "bigint" && typeof result !== "boolean")
    throw new Error("neither an integer nor a truth value");
  return result;
}
