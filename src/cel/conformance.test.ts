import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { afterAll, describe, expect, test } from "vitest";
import { describeType, type Type } from "./check/type.ts";
import * as types from "./check/type.ts";
import { type Dialect, Environment } from "./environment.ts";
import { language } from "./language.ts";
import { joining, laterStrings, strings } from "./library/strings.ts";
import { lists, moreLists } from "./library/lists.ts";
import { mapInsert } from "./library/map-insert.ts";
import { optionalValues } from "./library/optional.ts";
import { sets } from "./library/sets.ts";
import { optionalMacros, sortMacros } from "./syntax/library-macros.ts";
import { twoVariableMacros } from "./syntax/standard-macros.ts";
import { equal } from "./values/equal.ts";
import { PlainList } from "./values/list.ts";
import { PlainMap } from "./values/map.ts";
import { durationOfText, timestampOfText } from "./values/time.ts";
import { Failure, type Result, TypeValue, Uint, type Value } from "./values/value.ts";
import { typeName } from "./values/type-of.ts";

// The language with the libraries that Kubernetes has, but without the restrictions it adds.
const dialect: Dialect = {
  ...language,
  functions: [
    ...language.functions,
    ...strings,
    ...laterStrings,
    ...joining,
    ...lists,
    ...moreLists,
    ...sets,
    ...optionalValues,
    ...mapInsert,
  ],
  macros: [...language.macros, ...twoVariableMacros, ...optionalMacros, ...sortMacros],
  optionalSyntax: true,
  quotedFields: true,
};

interface Case {
  readonly suite: string;
  readonly name: string;
  readonly original: Record<string, any>;
}

const cases = collect(tests as never, []);
const left = new Map<string, Map<string, number>>();

function collect(suite: any, path: readonly string[]): readonly Case[] {
  const own = (suite.tests ?? []).map((entry: any, index: number) => ({
    suite: path.join("/"),
    name: entry.original.name ?? `${index}`,
    original: entry.original,
  }));
  return [...own, ...(suite.suites ?? []).flatMap((inner: any) => collect(inner, [...path, inner.name]))];
}

/** Why a case is left out, if it is. */
function reasonToLeave({ suite, original }: Case): string | undefined {
  const text = JSON.stringify(original);
  if (
    /TestAllTypes|google\.protobuf\.|cel\.expr\.conformance|objectValue|messageType|enumValue|NestedEnum|GlobalEnum|wrapper/.test(
      text,
    )
  ) {
    return "needs protobuf messages or enums";
  }
  if (/math\.\w+\(|cel\.bind|cel\.block|cel\.index|base64\.|proto\.(has|get)Ext/.test(original["expr"])) {
    return "needs a library that Kubernetes leaves out";
  }
  if (suite.startsWith("string_ext") && /\.reverse\(/.test(original["expr"]))
    return "needs a library that Kubernetes leaves out";
  return undefined;
}

const runnable = cases.filter((entry) => {
  const reason = reasonToLeave(entry);
  if (reason === undefined) return true;
  const [suite = ""] = entry.suite.split("/");
  const reasons = left.get(reason) ?? new Map<string, number>();
  reasons.set(suite, (reasons.get(suite) ?? 0) + 1);
  left.set(reason, reasons);
  return false;
});

afterAll(() => {
  for (const [reason, suites] of left) {
    console.log(`${reason}: ${[...suites].map(([suite, count]) => `${suite} ${count}`).join(", ")}`);
  }
});

describe("CEL conformance", () => {
  for (const [index, entry] of runnable.entries()) {
    test(`${entry.suite}/${entry.name} #${index}: ${entry.original["expr"]}`, () => run(entry.original));
  }
});

function run(original: Record<string, any>): void {
  const environment = new Environment({
    ...dialect,
    container: original["container"] ?? "",
    ...(original["disableMacros"] ? { macros: [] } : {}),
  });
  const variables = new Map<string, Type>();
  for (const declaration of original["typeEnv"] ?? [])
    if (declaration.ident) variables.set(declaration.name, typeOf(declaration.ident.type));
  const bindings = new Map<string, Value>();
  for (const [name, bound] of Object.entries<any>(original["bindings"] ?? {})) bindings.set(name, valueOf(bound.value));
  const expectsError = original["evalError"] !== undefined || original["anyEvalErrors"] !== undefined;
  let program;
  if (original["disableCheck"]) {
    const parsed = environment.parse(original["expr"]);
    if (parsed.kind === "refused") return void expect(expectsError, JSON.stringify(parsed.problems)).toBe(true);
    program = environment.program(parsed.expression);
  } else {
    const compiled = environment.compile(original["expr"], { variables });
    if (compiled.kind === "refused") return void expect(expectsError, compiled.problem).toBe(true);
    const deduced = original["typedResult"]?.deducedType;
    if (deduced !== undefined) expect(describeType(compiled.type)).toBe(describeType(typeOf(deduced)));
    if (original["checkOnly"]) return;
    program = compiled.program();
  }
  if ("problem" in program) return void expect(expectsError, program.problem).toBe(true);
  const outcome = program.evaluate(bindings, { costLimit: 1e9 });
  if (outcome.kind === "cancelled") throw new Error(outcome.reason);
  const { result } = outcome;
  if (expectsError) return void expect(result).toBeInstanceOf(Failure);
  const expected = original["value"] ?? original["typedResult"]?.result;
  expectSame(result, expected === undefined ? true : valueOf(expected));
}

function expectSame(result: Result, expected: Value): void {
  if (result instanceof Failure) throw new Error(`failed: ${result.message}`);
  if (typeof expected === "number" && Number.isNaN(expected)) return void expect(result).toBeNaN();
  expect(typeName(result)).toBe(typeName(expected));
  if (equal(result, expected) !== true) expect(result).toEqual(expected);
}

function valueOf(json: any): Value {
  const [kind = "nullValue"] = Object.keys(json);
  const value = json[kind];
  switch (kind) {
    case "nullValue":
      return null;
    case "boolValue":
      return value;
    case "int64Value":
      return BigInt(value);
    case "uint64Value":
      return new Uint(BigInt(value));
    case "doubleValue":
      return Number(value);
    case "stringValue":
      return value;
    case "bytesValue":
      return new Uint8Array(Buffer.from(value, "base64"));
    case "typeValue":
      return new TypeValue(value);
    case "listValue":
      return new PlainList((value.values ?? []).map(valueOf));
    case "mapValue": {
      const map = PlainMap.of((value.entries ?? []).map((entry: any) => [valueOf(entry.key), valueOf(entry.value)]));
      if (map instanceof Failure) throw new Error(map.message);
      return map;
    }
    default:
      throw new Error(`unknown value ${JSON.stringify(json)}`);
  }
}

function typeOf(json: any): Type {
  const [kind = ""] = Object.keys(json);
  const value = json[kind];
  switch (kind) {
    case "primitive":
      return (
        (
          {
            BOOL: types.boolType,
            INT64: types.intType,
            UINT64: types.uintType,
            DOUBLE: types.doubleType,
            STRING: types.stringType,
            BYTES: types.bytesType,
          } as Record<string, Type>
        )[value] ?? types.dynType
      );
    case "wellKnown":
      return (
        ({ DURATION: types.durationType, TIMESTAMP: types.timestampType } as Record<string, Type>)[value] ??
        types.dynType
      );
    case "null":
      return types.nullType;
    case "dyn":
      return types.dynType;
    case "listType":
      return types.listType(typeOf(value.elemType ?? { dyn: {} }));
    case "mapType":
      return types.mapType(typeOf(value.keyType ?? { dyn: {} }), typeOf(value.valueType ?? { dyn: {} }));
    case "type":
      return types.typeType(typeOf(value));
    case "typeParam":
      return types.dynType;
    case "abstractType":
      return types.opaqueType(value.name, ...(value.parameterTypes ?? []).map(typeOf));
    default:
      throw new Error(`unknown type ${JSON.stringify(json)}`);
  }
}
void durationOfText;
void timestampOfText;
