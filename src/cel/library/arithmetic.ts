import { type FunctionDeclaration, type Kind, overload } from "../check/declaration.ts";
import { listType } from "../check/type.ts";
import { intOf, uintOf } from "../values/integer.ts";
import { durationOf, timestampOf } from "../values/time.ts";
import { Failure, type Result, Uint, type Value } from "../values/value.ts";
import { A, bytes, double, duration, int, listOfSome, string, timestamp, uint } from "./kinds.ts";

const list = listOfSome(A);

/** `+`, `-`, `*`, `/`, `%` and the minus sign. Integers are exact and never wrap around. */
export const arithmetic: readonly FunctionDeclaration[] = [
  {
    name: "_+_",
    overloads: [
      overload({
        id: "add_bytes",
        parameters: [bytes, bytes],
        result: bytes.type,
        run: (a, b) => new Uint8Array(Buffer.concat([a, b])),
      }),
      binary("add_double", double, (a, b) => a + b),
      binary("add_duration_duration", duration, (a, b) => durationOf(a.nanoseconds + b.nanoseconds)),
      overload({
        id: "add_duration_timestamp",
        parameters: [duration, timestamp],
        result: timestamp.type,
        run: (a, b) => timestampOf(a.nanoseconds + b.nanoseconds, b.zone),
      }),
      overload({
        id: "add_timestamp_duration",
        parameters: [timestamp, duration],
        result: timestamp.type,
        run: (a, b) => timestampOf(a.nanoseconds + b.nanoseconds, a.zone),
      }),
      binary("add_int64", int, (a, b) => intOf(a + b)),
      overload({ id: "add_list", parameters: [list, list], result: listType(A), run: (a, b) => a.concat(b) }),
      binary("add_string", string, (a, b) => a + b),
      binary("add_uint64", uint, (a, b) => uintOf(a.value + b.value)),
    ],
  },
  {
    name: "_-_",
    overloads: [
      binary("subtract_double", double, (a, b) => a - b),
      binary("subtract_duration_duration", duration, (a, b) => durationOf(a.nanoseconds - b.nanoseconds)),
      binary("subtract_int64", int, (a, b) => intOf(a - b)),
      overload({
        id: "subtract_timestamp_duration",
        parameters: [timestamp, duration],
        result: timestamp.type,
        run: (a, b) => timestampOf(a.nanoseconds - b.nanoseconds, a.zone),
      }),
      overload({
        id: "subtract_timestamp_timestamp",
        parameters: [timestamp, timestamp],
        result: duration.type,
        run: (a, b) => durationOf(a.nanoseconds - b.nanoseconds),
      }),
      binary("subtract_uint64", uint, (a, b) => uintOf(a.value - b.value)),
    ],
  },
  {
    name: "_*_",
    overloads: [
      binary("multiply_double", double, (a, b) => a * b),
      binary("multiply_int64", int, (a, b) => intOf(a * b)),
      binary("multiply_uint64", uint, (a, b) => uintOf(a.value * b.value)),
    ],
  },
  {
    name: "_/_",
    overloads: [
      binary("divide_double", double, (a, b) => a / b),
      binary("divide_int64", int, (a, b) => (b === 0n ? new Failure("division by zero") : intOf(a / b))),
      binary("divide_uint64", uint, (a, b) =>
        b.value === 0n ? new Failure("division by zero") : new Uint(a.value / b.value),
      ),
    ],
  },
  {
    name: "_%_",
    overloads: [
      // The smallest int has no remainder by -1 for the processor, and so none in the language.
      binary("modulo_int64", int, (a, b) => {
        if (b === 0n) return new Failure("modulus by zero");
        return a === -(2n ** 63n) && b === -1n ? new Failure("integer overflow") : a % b;
      }),
      binary("modulo_uint64", uint, (a, b) =>
        b.value === 0n ? new Failure("modulus by zero") : new Uint(a.value % b.value),
      ),
    ],
  },
  {
    name: "-_",
    overloads: [
      overload({ id: "negate_double", parameters: [double], result: double.type, run: (a) => -a }),
      overload({ id: "negate_int64", parameters: [int], result: int.type, run: (a) => intOf(-a) }),
    ],
  },
];

function binary<T extends Value>(id: string, kind: Kind<T>, run: (a: T, b: T) => Result) {
  return overload({ id, parameters: [kind, kind], result: kind.type, run });
}
