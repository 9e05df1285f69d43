import { tests as checking } from "@bufbuild/cel-spec/testdata/checking.js";
import { tests as comprehension } from "@bufbuild/cel-spec/testdata/comprehension.js";
import { tests as conformance } from "@bufbuild/cel-spec/testdata/conformance.js";
import type { SerializedIncrementalTest, SerializedIncrementalTestSuite } from "@bufbuild/cel-spec/testdata/tests.js";
import { isJsonList, isJsonObject, type Json } from "#machinery";
import { afterAll, describe, expect, test } from "vitest";
import { type FunctionDeclaration, mismatch } from "./check/declaration.ts";
import * as types from "./check/type.ts";
import { describeType, type Type } from "./check/type.ts";
import { type Dialect, Environment } from "./environment.ts";
import type { Program } from "./evaluate/program.ts";
import { language } from "./language.ts";
import { lists, moreLists } from "./library/lists.ts";
import { mapInsert } from "./library/map-insert.ts";
import { optionalValues } from "./library/optional.ts";
import { sets } from "./library/sets.ts";
import { joining, laterStrings, strings } from "./library/strings.ts";
import { optionalMacros, sortMacros } from "./syntax/library-macros.ts";
import { twoVariableMacros } from "./syntax/standard-macros.ts";
import { equal } from "./values/equal.ts";
import { PlainList } from "./values/list.ts";
import { PlainMap } from "./values/map.ts";
import { durationOfText, timestampOfText } from "./values/time.ts";
import { typeName } from "./values/type-of.ts";
import { Failure, TypeValue, Uint, type Value } from "./values/value.ts";

// The language with the libraries that Kubernetes has, without the restrictions that it adds to the language.
const libraries = [strings, laterStrings, joining, lists, moreLists, sets, optionalValues, mapInsert];
const dialect: Dialect = {
  ...language,
  functions: [...language.functions, ...libraries.flat()],
  macros: [...language.macros, ...twoVariableMacros, ...optionalMacros, ...sortMacros],
  optionalSyntax: true,
  quotedFields: true,
};

const messages = "needs protobuf messages or enums";
const otherLibrary = "needs a library that Kubernetes leaves out";
const left = new Map<string, Map<string, number>>();

afterAll(() => {
  for (const [reason, suites] of left) {
    const counts = [...suites].map(([suite, count]) => `${suite} ${count}`).join(", ");
    process.stdout.write(`left out, ${reason}: ${counts}\n`);
  }
});

describe("CEL's conformance suite", () => {
  const cases = conformance.suites?.flatMap((suite) => casesOf(suite, suite.name)) ?? [];
  const runnable = cases.filter(isRunnable);

  test("has 2,344 cases", () => {
    expect({ all: cases.length, run: runnable.length }).toEqual({ all: 2344, run: 1417 });
  });

  for (const [index, entry] of runnable.entries()) {
    const name = entry.test.original.name ?? "";
    test(`${entry.suite}: ${name} (${index})`, () => {
      const answer = kubernetesAnswers[`${entry.suite}: ${name}`];
      const found = evaluate(entry.test.original);
      const expected = expectationOf(answer ?? entry.test.original);
      expect(shown(found, expected)).toEqual(expected);
    });
  }
});

describe("CEL's checking suite", () => {
  const cases = casesOf(checking, "checking");
  const runnable = cases.filter(isRunnable);

  test("has 135 cases", () => {
    expect({ all: cases.length, run: runnable.length }).toEqual({ all: 135, run: 89 });
  });

  for (const [index, entry] of runnable.entries()) {
    const { original, type, error = "" } = entry.test;
    test(`${original.expr.slice(0, 80)} (${index})`, () => {
      const compiled = compileWith({ ...language, crossTypeComparisons: false }, original);
      const found = compiled.kind === "compiled" ? describeType(compiled.type) : compiled.problem;
      expect(found).toBe(type ?? error.replaceAll("ERROR: :", "ERROR: <input>:"));
    });
  }
});

describe("CEL's suite of comprehensions with two variables", () => {
  const cases = casesOf(comprehension, "comprehension");
  const runnable = cases.filter(isRunnable);

  test("has 92 cases", () => {
    expect({ all: cases.length, run: runnable.length }).toEqual({ all: 92, run: 80 });
  });

  for (const [index, { test: entry }] of runnable.entries()) {
    const source = entry.original.expr.trim();
    test(`${source.slice(0, 80)} (${index})`, () => {
      const [, failure] = comprehensionFailures.find(([pattern]) => pattern.test(source)) ?? [];
      expect(comprehensionOutcome(source)).toMatch(failure ?? /^(?:true|map)$/);
    });
  }
});

test("what is left out needs what Kubernetes does not have, and nothing else is", () => {
  const table = Object.fromEntries([...left].map(([reason, suites]) => [reason, Object.fromEntries(suites)]));
  expect(table).toEqual({
    [messages]: {
      block_ext: 12,
      comparisons: 72,
      dynamic: 226,
      enums: 85,
      optionals: 11,
      parse: 26,
      proto2: 108,
      proto2_ext: 18,
      proto3: 75,
      string_ext: 3,
      timestamps: 1,
      type_deductions: 21,
      wrappers: 36,
      checking: 45,
    },
    [otherLibrary]: { bindings_ext: 5, block_ext: 25, encoders_ext: 4, math_ext: 199, checking: 1, comprehension: 12 },
  });
});

/**
 * Where Kubernetes answers otherwise than the language asks, Kubernetes is right here: it has an older version of the
 * library of texts. These are the answers of its own validator.
 */
const kubernetesAnswers: Readonly<Record<string, Json>> = {
  "string_ext/format: scientific notation formatting clause": answerOf("1.052033×10⁰³"),
  "string_ext/format: default precision for scientific notation": answerOf("2.718280×10⁰⁰"),
  "string_ext/format: NaN support for scientific notation": answerOf("   NaN"),
  "string_ext/format: positive infinity support for scientific notation": answerOf("     ∞"),
  "string_ext/format: negative infinity support for scientific notation": answerOf("    -∞"),
  "string_ext/format: NaN support for decimal": { evalError: {} },
  "string_ext/format: positive infinity support for decimal": { evalError: {} },
  "string_ext/format: negative infinity support for decimal": { evalError: {} },
  "string_ext/format: positive infinity support for fixed-point": answerOf("∞"),
  "string_ext/format: negative infinity support for fixed-point": answerOf("-∞"),
  "string_ext/format: list support for string": answerOf(
    '["abc", 3.140000, null, [9, 8, 7, 6], timestamp("2023-02-03T23:31:20Z")]',
  ),
  "string_ext/format: map support for string": answerOf(
    '{"key1":b"xyz", "key2":duration("7200s"), "key3":2.718280, "key4":true, "key5":null}',
  ),
  "string_ext/format: map support (all key types)": answerOf('{1:"value1", 2:"value2", true:"NaN"}'),
  "string_ext/format: dyntype support for scientific notation": answerOf("2.718280×10⁰⁰"),
  "string_ext/format: dyntype NaN/infinity support": answerOf('["NaN", "+Inf", "-Inf"]'),
  "string_ext/format: dyntype support for lists": answerOf('[6, 4.200000, "a string"]'),
  "string_ext/format: dyntype support for maps": answerOf('{"strKey":"x", 6:duration("422s"), true:42}'),
  "string_ext/format: scientific notation formatting clause in a string variable": answerOf("1.052033×10⁰³"),
  "string_ext/value_errors: indexof_out_of_range": { value: { boolValue: true } },
  "string_ext/value_errors: lastindexof_out_of_range": { value: { boolValue: true } },
};

function answerOf(stringValue: string): Json {
  return { value: { stringValue } };
}

// The suite does not say what its variables are; these make its claims true.
const comprehensionVariables: Readonly<Record<string, Readonly<Record<string, Value>>>> = {
  "m.all(i, v, i < 5 && v > 0)": { m: mapOf([1n, 1n]) },
  "m.all(k, v, k < v)": { m: mapOf([1n, 2n]) },
  "m.transformMap(k, v, k.startsWith('legacy') && v.size() == 1, v + [2]) == {'legacy-solo': [1, 2]}": {
    m: mapOf(["legacy-solo", new PlainList([1n])], ["other", new PlainList([1n])]),
  },
  "m.transformMapEntry(k, v, {v: k}) == m.transformMapEntry(k, v, {v: k})": { m: mapOf([1n, 2n]) },
  "x.transformMapEntry(i, v, {v: i}).size() < y": { x: new PlainList([1n, 2n]), y: 3n },
  "x.transformMapEntry(i, v, i < y, {v: i})": { x: new PlainList([1n, 2n]), y: 1n },
  "x.exists(key, val, y[?key] == optional.of(val))": { x: mapOf(["a", 1n]), y: mapOf(["a", 1n]) },
  "y.exists(key, y[?key] == x[?key])": { x: mapOf(["a", 1n]), y: mapOf(["a", 1n]) },
};
const otherVariables: Readonly<Record<string, Value>> = {
  x: new PlainList([1n, 2n, 3n]),
  y: mapOf([1n, "hello"], [2n, "hi"]),
};

const simpleName = "argument must be a simple name";

/** What becomes of the cases that are meant to fail, by what they say. */
const comprehensionFailures: readonly (readonly [RegExp, string])[] = [
  [/^\[\]\.all\(i, i,/, "duplicate variable name: i"],
  [/__result__/, "iteration variable overwrites accumulator variable"],
  [/\((?:i\.j|j, i\.k),/, simpleName],
  [/^(?:1|'')\./, "cannot be range of a comprehension (must be list, map, or dynamic)"],
  [/'bad filter'|\? \[v\] : v/, "found no matching overload for '_?_:_'"],
  [/k, v, \[\]\)/, "found no matching overload for 'cel.@mapInsert'"],
  [/^\[1, 1\]/, "failed: insert failed: key 1 already exists"],
  [/^\[0, 0u\]/, "failed: insert failed: key 0 already exists"],
  [/i \/ 2\.0/, "found no matching overload for '_/_'"],
];

interface Case {
  readonly suite: string;
  readonly test: SerializedIncrementalTest;
}

type Original = SerializedIncrementalTest["original"];

function casesOf(suite: SerializedIncrementalTestSuite, name: string): readonly Case[] {
  const own = (suite.tests ?? []).map((entry) => ({ suite: name, test: entry }));
  return [...own, ...(suite.suites ?? []).flatMap((inner) => casesOf(inner, `${name}/${inner.name}`))];
}

function isRunnable({ suite, test: { original } }: Case): boolean {
  const reason = reasonToLeaveOut(original);
  if (reason === undefined) return true;
  const [top = ""] = suite.split("/");
  const suites = left.get(reason) ?? new Map<string, number>();
  suites.set(top, (suites.get(top) ?? 0) + 1);
  left.set(reason, suites);
  return false;
}

// The two well-known types that the language has as plain values are no messages as long as nobody builds one.
const message =
  /TestAllTypes|NestedEnum|GlobalEnum|google\.protobuf(?!\.(?:Timestamp|Duration)(?![\w{]))|cel\.expr\.conformance|messageType|"wrapper"|"ANY"|enumValue/;
const leftOutLibrary =
  /\bmath\.\w+\(|\bcel\.(?:bind|block|index|iterVar)|\bbase64\.|\bproto\.(?:has|get)Ext|'\S*'\.reverse\(\)|[kv]\.reverse\(\)/;

function reasonToLeaveOut(original: Original): string | undefined {
  const text = JSON.stringify(original).replaceAll("type.googleapis.com/", "");
  if (message.test(text)) return messages;
  return leftOutLibrary.test(original.expr) ? otherLibrary : undefined;
}

type Answer =
  | { readonly kind: "value"; readonly value: Value; readonly type?: Type }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "checked"; readonly type: Type };

function evaluate(original: Original): Answer {
  const base = original["disableMacros"] === true ? { ...dialect, macros: [] } : dialect;
  if (original["disableCheck"] === true) return runUnchecked(base, original);
  const compiled = compileWith(base, original);
  if (compiled.kind === "refused") return { kind: "failed", why: compiled.problem };
  if (original["checkOnly"] === true) return { kind: "checked", type: compiled.type };
  const answer = run(compiled.program(), original);
  return answer.kind === "value" ? { ...answer, type: compiled.type } : answer;
}

function runUnchecked(base: Dialect, original: Original): Answer {
  const environment = new Environment({ ...base, container: textOf(original["container"]) });
  const parsed = environment.parse(original.expr);
  if (parsed.kind === "refused") return { kind: "failed", why: JSON.stringify(parsed.problems) };
  return run(environment.program(parsed.expression), original);
}

function compileWith(base: Dialect, original: Original) {
  const declarations = listOf(original["typeEnv"]);
  const functions = declarations.flatMap((declaration) => functionOf(declaration));
  const variables = new Map(checkingVariables);
  for (const declaration of declarations) {
    const ident = at(declaration, "ident");
    if (ident !== undefined) variables.set(textOf(at(declaration, "name")), typeOf(at(ident, "type")));
  }
  const environment = new Environment({
    ...base,
    container: textOf(original["container"]),
    functions: [...base.functions, ...functions, ...checkingFunctions],
  });
  return environment.compile(original.expr, { variables });
}

// What the checking suite takes for granted.
const checkingVariables: readonly (readonly [string, Type])[] = [
  ["is", types.stringType],
  ["ii", types.intType],
  ["iu", types.uintType],
  ["iz", types.boolType],
  ["id", types.doubleType],
  ["ix", types.nullType],
  ["ib", types.bytesType],
];
const checkingFunctions: readonly FunctionDeclaration[] = [
  declared("fg_s", { parameters: [], member: false }),
  declared("fi_s_s", { parameters: [types.stringType], member: true }),
];

function declared(
  name: string,
  { parameters, member }: { readonly parameters: readonly Type[]; readonly member: boolean },
): FunctionDeclaration {
  return { name, overloads: [{ id: name, member, parameters, result: types.stringType, invoke: () => mismatch }] };
}

function functionOf(declaration: Json): readonly FunctionDeclaration[] {
  const overloads = listOf(at(at(declaration, "function"), "overloads")).map((overload) => ({
    id: textOf(at(overload, "overloadId")),
    member: at(overload, "isInstanceFunction") === true,
    parameters: listOf(at(overload, "params")).map(typeOf),
    result: typeOf(at(overload, "resultType")),
    invoke: () => mismatch,
  }));
  return overloads.length === 0 ? [] : [{ name: textOf(at(declaration, "name")), overloads }];
}

function run(program: Program | { readonly problem: string }, original: Original): Answer {
  if ("problem" in program) return { kind: "failed", why: program.problem };
  const bindings = new Map<string, Value>();
  const given = original["bindings"];
  for (const name of isJsonObject(given) ? Object.keys(given) : []) {
    bindings.set(name, valueOf(at(at(given, name), "value")));
  }
  const outcome = program.evaluate(bindings);
  if (outcome.kind === "cancelled") return { kind: "failed", why: outcome.reason };
  return outcome.result instanceof Failure
    ? { kind: "failed", why: outcome.result.message }
    : { kind: "value", value: outcome.result };
}

/** What a case asks for: the type, a failure, or a value. */
function expectationOf(expected: Json): Expectation {
  const deduced = at(at(expected, "typedResult"), "deducedType");
  const fails = at(expected, "evalError") ?? at(expected, "anyEvalErrors");
  const value = at(expected, "value") ?? at(at(expected, "typedResult"), "result");
  const outcome =
    at(expected, "checkOnly") === true
      ? {}
      : { value: fails === undefined ? valueOf(value ?? { boolValue: true }) : "failed" };
  return { ...outcome, ...(deduced === undefined ? {} : { type: describeType(typeOf(deduced)) }) };
}

interface Expectation {
  readonly value?: Value;
  readonly type?: string;
}

/** The answer in the form of an expectation; a value that is equal in the sense of the language counts as the same. */
function shown(answer: Answer, expected: Expectation): Expectation | { readonly failed: string } {
  if (answer.kind === "failed") return expected.value === "failed" ? expected : { failed: answer.why };
  const type = expected.type === undefined ? {} : { type: answer.type === undefined ? "" : describeType(answer.type) };
  if (answer.kind === "checked" || expected.value === undefined) return type;
  return { ...type, value: isSame(answer.value, expected.value) ? expected.value : answer.value };
}

function isSame(found: Value, expected: Value): boolean {
  if (typeof expected === "number" && Number.isNaN(expected)) return typeof found === "number" && Number.isNaN(found);
  return typeName(found) === typeName(expected) && equal(found, expected) === true;
}

function comprehensionOutcome(source: string): string {
  const bindings = new Map(Object.entries(comprehensionVariables[source] ?? otherVariables));
  const variables = new Map([...bindings.keys()].map((name) => [name, types.dynType]));
  const compiled = new Environment(dialect).compile(source, { variables });
  if (compiled.kind === "refused") return compiled.problem.split("\n", 1)[0] ?? "";
  const program = compiled.program();
  if ("problem" in program) return program.problem;
  const outcome = program.evaluate(bindings);
  if (outcome.kind === "cancelled") return outcome.reason;
  if (outcome.result instanceof Failure) return `failed: ${outcome.result.message}`;
  return typeof outcome.result === "boolean" ? String(outcome.result) : typeName(outcome.result);
}

function mapOf(...entries: readonly (readonly [Value, Value])[]): Value {
  const map = PlainMap.of(entries);
  return map instanceof Failure ? null : map;
}

function at(json: Json | undefined, name: string): Json | undefined {
  return json !== undefined && isJsonObject(json) ? json[name] : undefined;
}

function listOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isJsonList(json) ? json : [];
}

function textOf(json: Json | undefined): string {
  return typeof json === "string" ? json : "";
}

const readers: Readonly<Record<string, (json: Json) => Value>> = {
  nullValue: () => null,
  boolValue: (json) => json === true,
  int64Value: (json) => BigInt(textOf(json)),
  uint64Value: (json) => new Uint(BigInt(textOf(json))),
  doubleValue: Number,
  stringValue: textOf,
  bytesValue: (json) => new Uint8Array(Buffer.from(textOf(json), "base64")),
  typeValue: (json) => new TypeValue(textOf(json)),
  listValue: (json) => new PlainList(listOf(at(json, "values")).map(valueOf)),
  mapValue: (json) => {
    const entries = listOf(at(json, "entries")).map(
      (entry) => [valueOf(at(entry, "key")), valueOf(at(entry, "value"))] as const,
    );
    const map = PlainMap.of(entries);
    if (map instanceof Failure) throw new Error(map.message);
    return map;
  },
  objectValue: (json) => {
    const text = textOf(at(json, "value"));
    return (textOf(at(json, "@type")).endsWith("Duration") ? durationOfText(text) : timestampOfText(text)) ?? null;
  },
};

function valueOf(json: Json | undefined): Value {
  const [kind = "nullValue"] = json !== undefined && isJsonObject(json) ? Object.keys(json) : [];
  const read = readers[kind];
  if (read === undefined) throw new Error(`unknown value ${JSON.stringify(json)}`);
  return read(at(json, kind) ?? null);
}

const primitives: Readonly<Record<string, Type>> = {
  BOOL: types.boolType,
  INT64: types.intType,
  UINT64: types.uintType,
  DOUBLE: types.doubleType,
  STRING: types.stringType,
  BYTES: types.bytesType,
  DURATION: types.durationType,
  TIMESTAMP: types.timestampType,
};

function typeOf(json: Json | undefined): Type {
  const [kind = "dyn"] = json !== undefined && isJsonObject(json) ? Object.keys(json) : [];
  const value = at(json, kind);
  switch (kind) {
    case "primitive":
    case "wellKnown":
      return primitives[textOf(value)] ?? types.dynType;
    case "null":
      return types.nullType;
    case "listType":
      return types.listType(typeOf(at(value, "elemType")));
    case "mapType":
      return types.mapType(typeOf(at(value, "keyType")), typeOf(at(value, "valueType")));
    case "type":
      return types.typeType(typeOf(value));
    case "typeParam":
      return types.parameterType(textOf(value));
    case "abstractType":
      return types.opaqueType(textOf(at(value, "name")), ...listOf(at(value, "parameterTypes")).map(typeOf));
    default:
      return types.dynType;
  }
}
