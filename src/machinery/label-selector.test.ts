import { describe, expect, test } from "vitest";
import { describeFieldError } from "./field-error.ts";
import { FieldPath } from "./field-path.ts";
import {
  compileLabelSelector,
  everything,
  nothing,
  parseLabelSelector,
  printLabelSelector,
  validateLabelSelector,
} from "./label-selector.ts";

const name =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

describe("selectors are read and written in one way", () => {
  const cases: Record<string, string> = {
    "": "",
    "  ": "",
    a: "a",
    "!a": "!a",
    "a=b": "a=b",
    "a==b": "a=b",
    "\ta\n= b ": "a=b",
    "a!=b": "a!=b",
    "a=": "a=",
    "a!=": "a!=",
    "x in (c,a,b)": "x in (a,b,c)",
    "x notin (b,b)": "x notin (b)",
    "a in ()": "a in ()",
    "a in (,)": "a in ()",
    "a in (b,)": "a in (,b)",
    "a in (,b)": "a in (,b)",
    "a in (b,,c)": "a in (,b,c)",
    "in in (in,notin)": "in in (in,notin)",
    notin: "notin",
    "a,notin,in": "a,in,notin",
    "a=in": "a=in",
    "a>1": "a>1",
    "a < 1 , b": "a<1,b",
    "z,b=1,!c": "b=1,!c,z",
    "a=b,a=c": "a=b,a=c",
  };
  test.each(Object.entries(cases))("%j is %j", (text, canonical) => {
    expect(printLabelSelector(parseLabelSelector(text))).toBe(canonical);
    expect(printLabelSelector(parseLabelSelector(canonical))).toBe(canonical);
  });
});

describe("selectors that kube-apiserver refuses, in its words", () => {
  const cases: Record<string, string> = {
    "a in (b": "unable to parse requirement: found '', expected: ',' or ')'",
    "a in": "unable to parse requirement: found '' expected: '('",
    "a notin": "unable to parse requirement: found '' expected: '('",
    "a,": "found '', expected: identifier after ','",
    "a,,b": "found ',', expected: identifier after ','",
    ",": "found ',', expected: !, identifier, or 'end of string'",
    "a b": "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
    "!": "unable to parse requirement: found '', expected: identifier",
    "!!a": "unable to parse requirement: found '!', expected: identifier",
    "!a=b": "found '=', expected: ',' or 'end of string'",
    "!a in (b)": "found 'in', expected: ',' or 'end of string'",
    "a=b c": "found 'c', expected: ',' or 'end of string'",
    "=b": "found '=', expected: !, identifier, or 'end of string'",
    "a===b": "unable to parse requirement: found '=', expected: identifier",
    "a!b": "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt",
    "a>x": `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    "a>": `unable to parse requirement: values[0]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer`,
    "a>99999999999999999999": `unable to parse requirement: values[0]: Invalid value: "99999999999999999999": for 'Gt', 'Lt' operators, the value must be an integer`,
    "a>-1": `unable to parse requirement: values[0][a]: Invalid value: "-1": ${value}`,
    "a >= 1": "unable to parse requirement: found '=', expected: identifier",
    "(a)": "found '(', expected: !, identifier, or 'end of string'",
    "a=(b)": "unable to parse requirement: found '(', expected: identifier",
    "a in b": "unable to parse requirement: found 'b' expected: '('",
    "a in (((": "unable to parse requirement: found '(', expected: ',', ')' or identifier",
    "a in (=)": "unable to parse requirement: found '=', expected: ',', ')' or identifier",
    "a in (b c)": "unable to parse requirement: found 'c', expected: ',' or ')'",
    "a=b)": "found ')', expected: ',' or 'end of string'",
    "a=b,!": "unable to parse requirement: found '', expected: identifier",
    "a=-b": `unable to parse requirement: values[0][a]: Invalid value: "-b": ${value}`,
    "a notin (b,-)": `unable to parse requirement: values[0][a]: Invalid value: "-": ${value}`,
    "a in (-,_)": `unable to parse requirement: [values[0][a]: Invalid value: "-": ${value}, values[1][a]: Invalid value: "_": ${value}]`,
    "-a": `unable to parse requirement: <nil>: Invalid value: "-a": ${name}`,
    "a/": `unable to parse requirement: <nil>: Invalid value: "a/": name part must be non-empty; ${name}`,
  };
  test.each(Object.entries(cases))("%j", (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(
      expect.objectContaining({ code: "INVALID_LABEL_SELECTOR", message }),
    );
  });
});

describe("matching", () => {
  const labels = { app: "web", tier: "3", empty: "" };
  const cases: Record<string, boolean> = {
    "": true,
    app: true,
    other: false,
    "!other": true,
    "!app": false,
    "app=web": true,
    "app=api": false,
    "other=web": false,
    "other=": false,
    "empty=": true,
    "app!=api": true,
    "app!=web": false,
    "other!=web": true,
    "app in (api,web)": true,
    "app in (api)": false,
    "other in (api,)": false,
    "empty in ()": true,
    "app notin (api)": true,
    "app notin (web)": false,
    "other notin (web)": true,
    "tier>2": true,
    "tier>3": false,
    "tier<4": true,
    "tier<3": false,
    "app>1": false,
    "other<1": false,
    "app=web,tier>2,!other": true,
    "app=web,tier>5": false,
    "!constructor": true,
    constructor: false,
    "constructor!=x": true,
  };
  test.each(Object.entries(cases))("%j is %s", (text, matches) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(matches);
  });

  test("absent labels are no labels", () => {
    expect(parseLabelSelector("!a").matches(undefined)).toBe(true);
    expect(parseLabelSelector("a").matches(undefined)).toBe(false);
  });
});

describe("selectors of objects", () => {
  test("none selects nothing, an empty one everything", () => {
    expect(compileLabelSelector(undefined)).toBe(nothing);
    expect(compileLabelSelector({})).toBe(everything);
    expect([nothing.matches({}), everything.matches({})]).toEqual([false, true]);
  });

  test("labels and expressions must all hold", () => {
    const selector = compileLabelSelector({
      matchLabels: { app: "web" },
      matchExpressions: [
        { key: "tier", operator: "In", values: ["b", "a"] },
        { key: "zone", operator: "NotIn", values: ["x"] },
        { key: "ready", operator: "Exists" },
        { key: "gone", operator: "DoesNotExist", values: [] },
      ],
    });
    expect(printLabelSelector(selector)).toBe("app=web,!gone,ready,tier in (a,b),zone notin (x)");
    expect(selector.matches({ app: "web", tier: "a", ready: "" })).toBe(true);
    expect(selector.matches({ app: "web", tier: "c", ready: "" })).toBe(false);
  });

  test.each([
    [{ matchLabels: { "-": "x" } }, `key: Invalid value: "-": ${name}`],
    [{ matchLabels: { a: "-" } }, `values[0][a]: Invalid value: "-": ${value}`],
    [
      { matchExpressions: [{ key: "a", operator: "In" }] },
      "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
    ],
    [
      { matchExpressions: [{ key: "a", operator: "Exists", values: ["x"] }] },
      'values: Invalid value: ["x"]: values set must be empty for exists and does not exist',
    ],
    [{ matchExpressions: [{ key: "a", operator: "Like" }] }, '"Like" is not a valid label selector operator'],
  ])("%j is refused", (selector, message) => {
    expect(() => compileLabelSelector(selector)).toThrow(expect.objectContaining({ message }));
  });

  test("a selector in an object is checked field by field", () => {
    const errors = validateLabelSelector(
      {
        matchLabels: { "-": "x" },
        matchExpressions: [
          { key: "a", operator: "In" },
          { key: "a", operator: "Exists", values: ["x"] },
          { key: "-", operator: "Foo", values: ["-"] },
        ],
      },
      FieldPath.of("spec", "selector"),
    );
    expect(errors.map(describeFieldError)).toEqual([
      `spec.selector.matchLabels: Invalid value: "-": ${name}`,
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator: Invalid value: "Foo": not a valid selector operator',
      `spec.selector.matchExpressions[2].key: Invalid value: "-": ${name}`,
      `spec.selector.matchExpressions[2].values[0]: Invalid value: "-": ${value}`,
    ]);
  });
});
