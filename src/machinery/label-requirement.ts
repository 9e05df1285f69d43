import { type FieldError, invalid } from "./field-error.ts";
import { FieldPath } from "./field-path.ts";
import { labelValueProblems, type Labels, qualifiedNameProblems } from "./labels.ts";

/** One condition of a selector. `=` and `==` are the same; `!=` also holds where the label is absent. */
export type LabelRequirement =
  | { readonly kind: "exists" | "does-not-exist"; readonly key: string }
  | { readonly kind: "equals" | "not-equals"; readonly key: string; readonly value: string }
  | { readonly kind: "in" | "not-in"; readonly key: string; readonly values: readonly string[] }
  | { readonly kind: "greater-than" | "less-than"; readonly key: string; readonly value: string };

/** Whether labels meet a requirement. */
export type LabelTest = (labels: Labels) => boolean;

const int64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** What is wrong with the key of a requirement. */
export function validateKey(key: string, at: FieldPath | string): FieldError[] {
  const problems = qualifiedNameProblems(key);
  return problems.length === 0 ? [] : [invalid(at, key, problems.join("; "))];
}

/** What is wrong with the values of a requirement. */
export function validateValues(requirement: LabelRequirement): FieldError[] {
  const at = FieldPath.of("values");
  const values = valuesOf(requirement);
  if (values.length === 0 && (requirement.kind === "in" || requirement.kind === "not-in"))
    return [invalid(at, null, "for 'in', 'notin' operators, values set can't be empty")];
  const errors = values.flatMap((value, index) => {
    const problems = labelValueProblems(value);
    const where = at.index(index).key(requirement.key);
    return problems.length === 0 ? [] : [invalid(where, value, problems.join("; "))];
  });
  const [value = ""] = values;
  const isComparison = requirement.kind === "greater-than" || requirement.kind === "less-than";
  if (isComparison && errors.length === 0 && integerIn(value) === undefined)
    return [invalid(at.index(0), value, "for 'Gt', 'Lt' operators, the value must be an integer")];
  return errors;
}

/** Makes a test of a requirement. */
export function compileRequirement(requirement: LabelRequirement): LabelTest {
  const { key } = requirement;
  switch (requirement.kind) {
    case "exists":
      return (labels) => Object.hasOwn(labels, key);
    case "does-not-exist":
      return (labels) => !Object.hasOwn(labels, key);
    case "equals":
      return (labels) => labels[key] === requirement.value;
    case "not-equals":
      return (labels) => labels[key] !== requirement.value;
    case "in": {
      const values = new Set(requirement.values);
      return (labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? "");
    }
    case "not-in": {
      const values = new Set(requirement.values);
      return (labels) => !Object.hasOwn(labels, key) || !values.has(labels[key] ?? "");
    }
    case "greater-than":
      return compileComparison(key, requirement.value, (actual, bound) => actual > bound);
    case "less-than":
      return compileComparison(key, requirement.value, (actual, bound) => actual < bound);
  }
}

/** Writes a requirement in the grammar of selectors. */
export function printRequirement(requirement: LabelRequirement): string {
  const { key } = requirement;
  switch (requirement.kind) {
    case "exists":
      return key;
    case "does-not-exist":
      return `!${key}`;
    case "equals":
      return `${key}=${requirement.value}`;
    case "not-equals":
      return `${key}!=${requirement.value}`;
    case "in":
      return `${key} in (${requirement.values.toSorted().join(",")})`;
    case "not-in":
      return `${key} notin (${requirement.values.toSorted().join(",")})`;
    case "greater-than":
      return `${key}>${requirement.value}`;
    case "less-than":
      return `${key}<${requirement.value}`;
  }
}

function valuesOf(requirement: LabelRequirement): readonly string[] {
  if ("values" in requirement) return requirement.values;
  return "value" in requirement ? [requirement.value] : [];
}

function compileComparison(key: string, value: string, holds: (actual: bigint, bound: bigint) => boolean): LabelTest {
  const bound = integerIn(value);
  return (labels) => {
    const actual = Object.hasOwn(labels, key) ? integerIn(labels[key] ?? "") : undefined;
    return actual !== undefined && bound !== undefined && holds(actual, bound);
  };
}

function integerIn(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return value >= int64.least && value <= int64.most ? value : undefined;
}
