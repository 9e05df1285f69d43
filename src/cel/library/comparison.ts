import { type FunctionDeclaration, type Kind, type Overload, overload } from "../check/declaration.ts";
import { boolType } from "../check/type.ts";
import { compare } from "../values/compare.ts";
import { equal } from "../values/equal.ts";
import { Failure, type Value } from "../values/value.ts";
import { A, bool, bytes, double, duration, int, some, string, timestamp, uint } from "./kinds.ts";

const numbers: readonly (readonly [string, Kind<Value>])[] = [
  ["int64", int],
  ["uint64", uint],
  ["double", double],
];

/** `<`, `<=`, `>`, `>=`, `==` and `!=`. */
export const comparison: readonly FunctionDeclaration[] = [
  { name: "_<_", overloads: ordered("less", (order) => order < 0) },
  { name: "_<=_", overloads: ordered("less_equals", (order) => order <= 0) },
  { name: "_>_", overloads: ordered("greater", (order) => order > 0) },
  { name: "_>=_", overloads: ordered("greater_equals", (order) => order >= 0) },
  {
    name: "_==_",
    overloads: [overload({ id: "equals", parameters: [some(A), some(A)], result: boolType, run: equal })],
  },
  {
    name: "_!=_",
    overloads: [
      overload({
        id: "not_equals",
        parameters: [some(A), some(A)],
        result: boolType,
        run: (a, b) => {
          const same = equal(a, b);
          return same instanceof Failure ? same : !same;
        },
      }),
    ],
  },
];

function ordered(name: string, holds: (order: number) => boolean): readonly Overload[] {
  const run = (a: Value, b: Value) => {
    const order = compare(a, b);
    return order === undefined ? new Failure("NaN values cannot be ordered") : holds(order);
  };
  const same = (id: string, kind: Kind<Value>) =>
    overload({ id: `${name}_${id}`, parameters: [kind, kind], result: boolType, run });
  const crossing = numbers.flatMap(([first, kind]) =>
    numbers
      .filter(([second]) => second !== first)
      .map(([second, other]) => ({
        ...overload({ id: `${name}_${first}_${second}`, parameters: [kind, other], result: boolType, run }),
        crossType: true,
      })),
  );
  return [
    same("bool", bool),
    same("int64", int),
    same("uint64", uint),
    same("double", double),
    ...crossing,
    same("string", string),
    same("bytes", bytes),
    same("timestamp", timestamp),
    same("duration", duration),
  ];
}
