import { expect, test } from "vitest";
import { parseInt32 } from "./go-integer.ts";
import { intOrPercentProblem } from "./int-or-percent.ts";

test.each([
  [3, undefined],
  [-1, undefined],
  ["40%", undefined],
  ["+7%", undefined],
  ["3", "invalid value for IntOrString: invalid type: string is not a percentage"],
  ["abc", "invalid value for IntOrString: invalid type: string is not a percentage"],
  ["x%", 'invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax'],
  ["%", 'invalid value for IntOrString: invalid value "%": strconv.Atoi: parsing "": invalid syntax'],
  [
    "99999999999999999999%",
    'invalid value for IntOrString: invalid value "99999999999999999999%": ' +
      'strconv.Atoi: parsing "99999999999999999999": value out of range',
  ],
])("%j: %s", (value, problem) => {
  expect(intOrPercentProblem(value)).toBe(problem);
});

test.each([
  ["7", { kind: "integer", value: 7 }],
  ["-7", { kind: "integer", value: -7 }],
  ["2147483647", { kind: "integer", value: 2147483647 }],
  ["2147483648", { kind: "none", why: 'strconv.ParseInt: parsing "2147483648": value out of range' }],
  ["7.0", { kind: "none", why: 'strconv.ParseInt: parsing "7.0": invalid syntax' }],
])("%j as an integer of 32 bits: %j", (text, expected) => {
  expect(parseInt32(text)).toEqual(expected);
});
