import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { everyVersion, kubernetesEnvironment } from "./kubernetes.ts";
import { ListValue } from "./values/list.ts";
import { MapValue } from "./values/map.ts";
import { formatDouble } from "./values/number-text.ts";
import { formatSpan } from "./values/time.ts";
import { DurationValue, Failure, OptionalValue, type Result, TypeValue, Uint, type Value } from "./values/value.ts";

/** What Kubernetes' own libraries answered to an expression. */
interface Answer {
  readonly expr: string;
  /** Why the compiler refuses it. */
  readonly refused?: string;
  readonly error?: string;
  /** The type and value as Go prints them. */
  readonly value?: string;
  readonly cost?: number;
}

const answers = readFileSync(`${import.meta.dirname}/../../test/fixtures/cel/expressions.jsonl`, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Answer);
const environment = kubernetesEnvironment(everyVersion);

describe("expressions are answered as Kubernetes answers them, to the character and to the unit of cost", () => {
  for (const [index, { expr, ...expected }] of answers.entries()) {
    test(`${expr.slice(0, 90)} (${index})`, () => {
      expect(answerTo(expr)).toEqual(expected);
    });
  }
});

describe("what a new expression may use depends on the version", () => {
  test.each([
    [27, "optional.none().hasValue()"],
    [27, "quantity('1') == quantity('1')"],
    [28, "sets.contains([1], [1])"],
    [28, "'%d'.format([1]) == '1'"],
    [29, "isIP('1.2.3.4')"],
    [30, "format.named('uuid').hasValue()"],
    [31, "[1].all(i, v, i < v)"],
    [32, "isSemver('1.2.3')"],
    [33, "[2, 1].sort() == [1, 2]"],
  ])("1.%i does not know %s, the next one does", (version, source) => {
    const declarations = { variables: new Map() };
    expect(kubernetesEnvironment(version).compile(source, declarations).kind).toBe("refused");
    expect(kubernetesEnvironment(version + 1).compile(source, declarations).kind).toBe("compiled");
  });
});

function answerTo(source: string): Omit<Answer, "expr"> {
  const compiled = environment.compile(source, { variables: new Map() });
  if (compiled.kind === "refused") return { refused: compiled.problem };
  const program = compiled.program();
  if ("problem" in program) return { error: `program: ${program.problem}` };
  const outcome = program.evaluate(new Map(), { costLimit: 1_000_000 });
  if (outcome.kind === "cancelled") return { error: outcome.reason };
  const { cost, result } = outcome;
  if (!(result instanceof Failure)) return { value: goText(result), cost };
  return { error: result.message, ...(cost === 0 ? {} : { cost }) };
}

/** A value as Go prints it, with its type. */
function goText(value: Value): string {
  if (value === null) return "types.Null NULL_VALUE";
  if (value instanceof ListValue) return `*types.baseList ${plainText(value)}`;
  if (value instanceof MapValue) return `*types.baseMap ${plainText(value)}`;
  if (value instanceof OptionalValue)
    return `*types.Optional ${value.value === undefined ? "<nil>" : plainText(value.value)}`;
  if (value instanceof TypeValue) return `*types.Type ${value.name}`;
  return `types.${goTypeOf(value)} ${plainText(value)}`;
}

function goTypeOf(value: Value): string {
  if (value instanceof Uint) return "Uint";
  if (value instanceof Uint8Array) return "Bytes";
  if (value instanceof DurationValue) return "Duration";
  return { bigint: "Int", number: "Double", string: "String", boolean: "Bool" }[typeof value as string] ?? "";
}

function plainText(value: Result, separator = " "): string {
  if (typeof value === "string") return value;
  if (typeof value === "number") return formatDouble(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Uint8Array) return `[${value.join(" ")}]`;
  if (value instanceof DurationValue) return formatSpan(value);
  if (value instanceof ListValue) {
    return `[${Array.from({ length: value.size }, (_, index) => plainText(value.at(index))).join(separator)}]`;
  }
  if (value instanceof MapValue) {
    const entries = value.keys().map((key) => `${plainText(key)}:${plainText(value.find(key) ?? null, ", ")}`);
    return `map[${entries.toSorted().join(" ")}]`;
  }
  return typeof value === "object" ? "" : String(value);
}
