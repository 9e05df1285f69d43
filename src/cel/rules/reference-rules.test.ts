import { readFileSync } from "node:fs";
import { describeFieldError, FieldPath, type Json, type JsonSchema } from "#machinery";
import { describe, expect, test } from "vitest";
import { checkRules } from "./check-rules.ts";
import { compileRules } from "./validate-rules.ts";

/** The part of a CustomResourceDefinition that leads to its rules. */
interface Reference {
  readonly releases: readonly string[];
  readonly crd: string;
  readonly version: string;
  readonly schema: JsonSchema;
}

const references = readFileSync(`${import.meta.dirname}/../../../test/fixtures/cel/reference-rules.jsonl`, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Reference);

/** For each rule of the reference a value that it accepts and one that it refuses. */
const examples: Readonly<Record<string, { readonly fine: Json; readonly wrong: Json }>> = {
  "self.all(x, self.exists_one(y, x.name == y.name))": {
    fine: [{ name: "a", value: "1" }, { name: "b" }],
    wrong: [{ name: "a", value: "1" }, { name: "a" }],
  },
  "self.all(x, self.exists_one(y, x == y))": {
    fine: [{ selector: { matchLabels: { a: "1" } } }, { selector: { matchLabels: { a: "2" } } }],
    wrong: [{ selector: { matchLabels: { a: "1" } } }, { selector: { matchLabels: { a: "1" } } }],
  },
  "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])": {
    fine: "DiskPressure",
    wrong: "Ready",
  },
  "self.contains('/') ? ( self.split('/') [0].size() <= 253 && self.split('/') [1].size() <= 63 && self.split('/').size() == 2 ) : self.size() <= 63":
    { fine: "example.com/key", wrong: `example.com/${"k".repeat(64)}` },
  "self.matches('^(Linux|LinuxSwap|LinuxRAID|LVM|Fat32|NTFS|LinuxExtended|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$')":
    { fine: "0FC63DAF-8483-4772-8E79-3D69D8477DE4", wrong: "Linux2" },
  "[has(self.layout),has(self.diskLayout)].filter(x,x==true).size() == 1": {
    fine: { layout: true },
    wrong: { layout: true, diskLayout: [] },
  },
};

describe.each(references)("the rules of $crd $version", ({ schema }) => {
  test("compile and stay within the limits of cost", () => {
    expect(checkRules(schema, FieldPath.of("spec", "validation", "openAPIV3Schema"))).toEqual([]);
  });

  test.each(rulesOf(schema, []))("$place: $rule", ({ rule, message, steps }) => {
    const rules = compileRules(schema);
    const { fine = null, wrong = null } = examples[rule] ?? {};
    expect(rules.validate(wrap(fine, steps))).toEqual([]);
    expect(rules.validate(wrap(wrong, steps)).map(describeFieldError)).toEqual([
      expect.stringContaining(`Invalid value: `),
    ]);
    expect(describeFieldErrorOf(rules.validate(wrap(wrong, steps)))).toContain(message);
  });
});

test("the reference has 78 distinct places with rules", () => {
  expect(references.flatMap(({ schema }) => rulesOf(schema, [])).length).toBe(78);
});

interface Placed {
  readonly place: string;
  readonly rule: string;
  readonly message: string;
  readonly steps: readonly (string | number)[];
}

function rulesOf(schema: JsonSchema, steps: readonly (string | number)[]): readonly Placed[] {
  const own = (schema["x-kubernetes-validations"] ?? []).map(({ rule, message = "" }) => ({
    place: steps.join("."),
    rule,
    message,
    steps,
  }));
  const { items } = schema;
  const properties = Object.entries(schema.properties ?? {});
  return [
    ...own,
    ...properties.flatMap(([name, property]) => rulesOf(property, [...steps, name])),
    ...(items === undefined || Array.isArray(items) ? [] : rulesOf(items as JsonSchema, [...steps, 0])),
  ];
}

/** An object that has the value at the end of some steps and nothing else. */
function wrap(value: Json, steps: readonly (string | number)[]): Json {
  return steps
    .toReversed()
    .reduce<Json>((inner, step) => (typeof step === "number" ? [inner] : { [step]: inner }), value);
}

function describeFieldErrorOf([error]: ReturnType<ReturnType<typeof compileRules>["validate"]>): string {
  return error === undefined ? "" : describeFieldError(error);
}
