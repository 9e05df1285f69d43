import { compileRules, kubernetesEnvironment, checkRules } from "#cel";
import { FieldPath, type JsonSchema } from "#machinery";

const named: JsonSchema = {
  type: "array",
  maxItems: 32,
  items: { type: "object", properties: { name: { type: "string", maxLength: 512 } } },
};
const uniqueNames = "self.all(x, self.exists_one(y, x.name == y.name))";
const typicalRule = "has(self.min) && has(self.max) ? self.min <= self.max : self.names.all(n, n.startsWith('a'))";

/** Rules: how long one takes to compile and to run, and how soon hostile ones are answered. */
export async function bench(print: (line: object) => void): Promise<void> {
  const names = Array.from({ length: 20 }, (_, index) => ({ name: `name-${index}` }));
  const rules = compileRules(withRule(named, uniqueNames), { isResource: false });
  report("unique names among 20 items", "µs", 40, () => rules.validate(names));

  const typical: JsonSchema = {
    type: "object",
    properties: {
      min: { type: "integer" },
      max: { type: "integer" },
      names: { type: "array", maxItems: 10, items: { type: "string", maxLength: 20 } },
    },
  };
  report("check a typical rule: parse, check, estimate, plan", "µs", 300, () =>
    checkRules(withRule(typical, typicalRule), FieldPath.root, { isResource: false }),
  );
  for (const [name, answer] of hostile())
    print({ bench: "cel", name, value: millisecondsOf(answer), unit: "ms", limit: 100 });

  function report(name: string, unit: "µs", limit: number, run: () => unknown): void {
    print({ bench: "cel", name, value: microsecondsOf(run), unit, limit });
  }

  /** Each is answered by a limit on size, depth or cost. */
  function hostile(): readonly (readonly [string, () => unknown])[] {
    const text: JsonSchema = { type: "string" };
    const pattern = compileRules(withRule(text, "self.matches('^(a+)+$')"), { isResource: false });
    const list = compileRules(withRule({ type: "array", items: text }, "self.all(x, self.all(y, x != y || x == y))"), {
      isResource: false,
    });
    const many = Array.from({ length: 100_000 }, (_, index) => `${index}`);
    return [
      ["hostile: ^(a+)+$ on 50 kB", () => pattern.validate(`${"a".repeat(50_000)}b`)],
      ["hostile: 10,000 nested parentheses", () => compile(`${"(".repeat(10_000)}1${")".repeat(10_000)}`)],
      ["hostile: a rule of 10 MB", () => compile("1+".repeat(5_000_000))],
      ["hostile: every pair of 100,000 items", () => list.validate(many)],
      [
        "hostile: a pattern that unfolds a thousandfold",
        () => compile(`'a'.matches('${"(a{1,30}){1,30}".repeat(20)}')`),
      ],
    ];
  }
}

function withRule(schema: JsonSchema, rule: string): JsonSchema {
  return { ...schema, "x-kubernetes-validations": [{ rule }] };
}

function compile(source: string): unknown {
  return kubernetesEnvironment().compile(source, { variables: new Map() });
}

/** The median of many runs, after some to warm up. */
function microsecondsOf(run: () => unknown): number {
  for (let round = 0; round < 2000; round++) run();
  const times = Array.from({ length: 201 }, () => {
    const start = process.hrtime.bigint();
    for (let round = 0; round < 10; round++) run();
    return Number(process.hrtime.bigint() - start) / 10_000;
  });
  return rounded(times.toSorted((a, b) => a - b)[100] ?? 0);
}

function millisecondsOf(run: () => unknown): number {
  const start = process.hrtime.bigint();
  run();
  return rounded(Number(process.hrtime.bigint() - start) / 1e6);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
