import { expect, test } from "vitest";
import {
  describeFieldError,
  describeFieldErrors,
  describeFieldProblem,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFoundAt,
  notSupported,
  omitted,
  PrintedValue,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./field-error.ts";
import { FieldPath } from "./field-path.ts";

const at = FieldPath.of("spec", "list").index(0).child("name");

const cases: Record<string, [error: FieldError, text: string]> = {
  "a required value": [required(at), "spec.list[0].name: Required value"],
  "a required value with its reason": [required(at, "why"), "spec.list[0].name: Required value: why"],
  "a text": [invalid(at, 'a"b', "why"), 'spec.list[0].name: Invalid value: "a\\"b": why'],
  "a number": [invalid(at, 5, "why"), "spec.list[0].name: Invalid value: 5: why"],
  "a flag": [invalid(at, true, "why"), "spec.list[0].name: Invalid value: true: why"],
  "an object, with its keys in order and angle brackets escaped": [
    invalid(at, { b: "<&>", a: [1] }, "why"),
    'spec.list[0].name: Invalid value: {"a":[1],"b":"\\u003c\\u0026\\u003e"}: why',
  ],
  "an object with separators of lines": [
    invalid(at, { a: "\u2028\u2029" }, "why"),
    'spec.list[0].name: Invalid value: {"a":"\\u2028\\u2029"}: why',
  ],
  "a value with an order of its own": [
    invalid(at, new PrintedValue('{"b":1,"a":"<"}'), "why"),
    'spec.list[0].name: Invalid value: {"b":1,"a":"\\u003c"}: why',
  ],
  "a value that is not there": [invalid(at, undefined, "why"), "spec.list[0].name: Invalid value: null: why"],
  "a value not worth printing": [invalid(at, omitted, "why"), "spec.list[0].name: Invalid value: why"],
  "a wrong type": [typeInvalid(at, "string", "why"), 'spec.list[0].name: Invalid value: "string": why'],
  "an unsupported value": [
    notSupported(at, "x", ["a", "b"]),
    'spec.list[0].name: Unsupported value: "x": supported values: "a", "b"',
  ],
  "an unsupported value where nothing is": [notSupported(at, "x", []), 'spec.list[0].name: Unsupported value: "x"'],
  "a duplicate": [duplicate(at, "x"), 'spec.list[0].name: Duplicate value: "x"'],
  "something not found": [notFoundAt(at, "x"), 'spec.list[0].name: Not found: "x"'],
  "something forbidden": [forbidden(at, "why"), "spec.list[0].name: Forbidden: why"],
  "too long": [tooLong(at, 5), "spec.list[0].name: Too long: may not be more than 5 bytes"],
  "too long by one": [tooLong(at, 1), "spec.list[0].name: Too long: may not be more than 1 byte"],
  "too many": [tooMany(at, 3, 2), "spec.list[0].name: Too many: 3: must have at most 2 items"],
  "too many by one": [tooMany(at, 3, 1), "spec.list[0].name: Too many: 3: must have at most 1 item"],
  "a path given as text": [required("<nil>"), "<nil>: Required value"],
};

test.each(Object.entries(cases))("%s", (_, [error, text]) => {
  expect(describeFieldError(error)).toBe(text);
  expect(describeFieldProblem(error)).toBe(text.slice(text.indexOf(": ") + 2));
});

test("several errors stand in brackets, equal ones count once", () => {
  const [a, b] = [required("a"), required("b")];
  expect([describeFieldErrors([a]), describeFieldErrors([a, b, a]), describeFieldErrors([a, a])]).toEqual([
    "a: Required value",
    "[a: Required value, b: Required value]",
    "a: Required value",
  ]);
});
