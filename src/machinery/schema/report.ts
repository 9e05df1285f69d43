import { quote } from "#base";
import { encodeJson } from "../json-encode.ts";
import { isJsonList, type Json, type JsonObject } from "../json.ts";
import type { Correlation } from "./correlation.ts";
import { hasDuplicates, isAbove, isBelow, isEnumerated, limitFor, multiplicity } from "./keyword-checks.ts";
import { formatNumber, isInt64, isNumeric } from "./number.ts";
import { combinationReport } from "./report-combination.ts";
import { hasAtLeast, hasAtMost } from "./rune-count.ts";
import type { SchemaNode } from "./schema-node.ts";
import { typeMismatch } from "./value-type.ts";
import type { Report, Violation } from "./violation.ts";

/** Where a value stands: its place as messages print it, and what it was before, if that is known. */
export interface Place {
  readonly at: string;
  readonly before: Correlation | undefined;
}

/** Checks a value against a node and everything below. On an update, what did not change is not held against it. */
export function report(node: SchemaNode, value: Json, place: Place): Report {
  const found = reportHere(node, value, place);
  if (found.violations.length === 0 || place.before?.unchanged !== true) return found;
  return { violations: [], passed: found.passed };
}

function reportHere(node: SchemaNode, value: Json, place: Place): Report {
  const parts = value === null ? nullReports(node, place) : valueReports(node, value, place);
  return {
    violations: parts.flatMap(({ violations }) => violations),
    // Each check that applied counts once more, and so does having looked at all.
    passed: parts.reduce((sum, { passed }) => sum + passed, 0) + (value === null ? 0 : parts.length + 1),
  };
}

function nullReports(node: SchemaNode, place: Place): readonly Report[] {
  return [typeReport(node, null, place), { violations: enumViolations(node, null, place), passed: 0 }];
}

function valueReports(node: SchemaNode, value: Exclude<Json, null>, place: Place): readonly Report[] {
  const parts: Report[] = [];
  if (node.types.length > 0 || node.format !== undefined) parts.push(typeReport(node, value, place));
  // What was wrong before is not forgiven inside a combination.
  const branchPlace = { at: place.at, before: undefined };
  parts.push(combinationReport(node, place.at, (branch) => reportHere(branch, value, branchPlace)));
  if (typeof value === "string") {
    parts.push({ violations: stringViolations(node, value, place), passed: 0 });
    if (node.format?.accepts !== undefined) {
      parts.push({ violations: formatViolations(node, value, place), passed: 0 });
    }
  }
  if (isNumeric(value)) parts.push({ violations: numberViolations(node, value, place), passed: 1 });
  if (isJsonList(value)) parts.push(listReport(node, value, place));
  parts.push({ violations: enumViolations(node, value, place), passed: 0 });
  if (typeof value === "object" && !isJsonList(value)) parts.push(objectReport(node, value, place));
  return parts;
}

function typeReport(node: SchemaNode, value: Json, { at }: Place): Report {
  const mismatch = typeMismatch(node, value);
  if (mismatch === undefined) return { violations: [], passed: 1 };
  const { expected, actual } = mismatch;
  const text = `${at} in body must be of type ${expected}: ${quote(actual)}`;
  return { violations: [{ kind: "type", at, value: actual, text }], passed: 0 };
}

function enumViolations({ enumeration }: SchemaNode, value: Json, { at }: Place): readonly Violation[] {
  if (enumeration === undefined || isEnumerated(enumeration, value)) return [];
  const text = `${at} in body should be one of ${encodeJson(enumeration)}`;
  return [{ kind: "not-enumerated", at, value, allowed: enumeration, text }];
}

/** Only the first thing wrong with a text is told. */
function stringViolations({ schema, pattern }: SchemaNode, value: string, { at }: Place): readonly Violation[] {
  const { minLength, maxLength } = schema;
  if (maxLength !== undefined && !hasAtMost(value, maxLength)) {
    return [{ kind: "too-long", at, most: maxLength, text: `${at} in body should be at most ${maxLength} chars long` }];
  }
  if (minLength !== undefined && !hasAtLeast(value, minLength)) {
    return [{ kind: "value", at, value, text: `${at} in body should be at least ${minLength} chars long` }];
  }
  if (pattern === undefined) return [];
  if (pattern.kind === "valid") {
    if (pattern.matches(value)) return [];
    return [{ kind: "value", at, value, text: `${at} in body should match '${pattern.text}'` }];
  }
  const broken = `${pattern.text}, but pattern is invalid: ${pattern.why}`;
  return [{ kind: "value", at, value, text: `${at} in body should match '${broken}'` }];
}

function formatViolations({ format }: SchemaNode, value: string, { at }: Place): readonly Violation[] {
  if (format?.accepts === undefined || format.accepts(value)) return [];
  const text = `${at} in body must be of type ${format.name}: ${quote(value)}`;
  return [{ kind: "type", at, value, text }];
}

function numberViolations({ schema }: SchemaNode, value: number | bigint, { at }: Place): readonly Violation[] {
  const { minimum, maximum, multipleOf } = schema;
  const violations: Violation[] = [];
  if (multipleOf !== undefined) violations.push(...multipleViolations(value, multipleOf, at));
  if (minimum !== undefined) {
    const bound = { limit: minimum, exclusive: schema.exclusiveMinimum === true };
    const words = bound.exclusive ? "greater than" : "greater than or equal to";
    const text = `${at} in body should be ${words} ${formatNumber(limitFor(value, bound))}`;
    if (isBelow(value, bound)) violations.push({ kind: "value", at, value, text });
  }
  if (maximum !== undefined) {
    const bound = { limit: maximum, exclusive: schema.exclusiveMaximum === true };
    const words = bound.exclusive ? "less than" : "less than or equal to";
    const text = `${at} in body should be ${words} ${formatNumber(limitFor(value, bound))}`;
    if (isAbove(value, bound)) violations.push({ kind: "value", at, value, text });
  }
  return violations;
}

function multipleViolations(value: number | bigint, multipleOf: number, at: string): readonly Violation[] {
  const factor = isInt64(value) ? Math.trunc(multipleOf) : multipleOf;
  switch (multiplicity(value, multipleOf)) {
    case "multiple":
      return [];
    case "no-multiple": {
      const text = `${at} in body should be a multiple of ${formatNumber(factor)}`;
      return [{ kind: "value", at, value, text }];
    }
    case "not-positive": {
      const text = `factor MultipleOf declared for ${at} must be positive: ${formatNumber(factor)}`;
      return [{ kind: "value", at, value: factor, text }];
    }
  }
}

function listReport({ schema, items }: SchemaNode, list: readonly Json[], { at, before }: Place): Report {
  const { minItems, maxItems, uniqueItems } = schema;
  const below =
    items === undefined
      ? []
      : list.map((item, index) => report(items, item, { at: `${at}[${index}]`, before: before?.item(index) }));
  const violations = below.flatMap((part) => part.violations);
  const value = list.length;
  if (minItems !== undefined && value < minItems) {
    violations.push({ kind: "value", at, value, text: `${at} in body should have at least ${minItems} items` });
  }
  if (maxItems !== undefined && value > maxItems) {
    const text = `${at} in body should have at most ${maxItems} items`;
    violations.push({ kind: "too-many", at, count: value, most: maxItems, text });
  }
  if (uniqueItems === true && hasDuplicates(list)) {
    violations.push({ kind: "value", at, value: "", text: `${at} in body shouldn't contain duplicates` });
  }
  return { violations, passed: below.reduce((sum, { passed }) => sum + passed, 1) };
}

function objectReport(node: SchemaNode, object: JsonObject, place: Place): Report {
  const { at } = place;
  const names = Object.keys(object).toSorted();
  // Kubernetes walks maps in no fixed order; names in order make the same object give the same text each time.
  const others = names.filter((name) => !node.properties.has(name));
  const known = names.filter((name) => node.properties.has(name));
  const below = [
    ...others.flatMap((name) => otherFieldReport(node, object[name] ?? null, { name, place })),
    ...known.flatMap((name) => knownFieldReport(node, object[name] ?? null, { name, place })),
  ];
  const missing = node.required.filter((name) => !Object.hasOwn(object, name));
  const violations = [
    ...countViolations(node, names.length, at),
    ...below.flatMap((part) => part.violations),
    ...missing.map((name): Violation => {
      return { kind: "required", at: `${at}.${name}`, text: `${at}.${name} in body is required` };
    }),
  ];
  return { violations, passed: below.reduce((sum, { passed }) => sum + passed, 0) };
}

function countViolations({ schema }: SchemaNode, count: number, at: string): readonly Violation[] {
  const { minProperties, maxProperties } = schema;
  const violations: Violation[] = [];
  if (minProperties !== undefined && count < minProperties) {
    const text = `${at} in body should have at least ${minProperties} properties`;
    violations.push({ kind: "value", at, value: count, text });
  }
  if (maxProperties !== undefined && count > maxProperties) {
    const text = `${at} in body should have at most ${maxProperties} properties`;
    violations.push({ kind: "too-many", at, count, most: maxProperties, text });
  }
  return violations;
}

interface Field {
  readonly name: string;
  readonly place: Place;
}

function otherFieldReport({ additional }: SchemaNode, value: Json, { name, place }: Field): readonly Report[] {
  const { at } = place;
  if (additional?.kind === "schema") {
    return [report(additional.node, value, { at: `${at}.${name}`, before: beforeField(place, name) })];
  }
  if (additional?.kind !== "nothing") return [];
  const text = `${at}.${name} in body is a forbidden property`;
  return [{ violations: [{ kind: "value", at, value: name, text }], passed: 0 }];
}

function knownFieldReport({ properties }: SchemaNode, value: Json, { name, place }: Field): readonly Report[] {
  const node = properties.get(name);
  if (node === undefined) return [];
  const at = place.at === "" ? name : `${place.at}.${name}`;
  return [report(node, value, { at, before: beforeField(place, name) })];
}

/** The version and kind of the object itself are converted before they are compared, so their old values say nothing. */
function beforeField({ at, before }: Place, name: string): Correlation | undefined {
  return at === "" && (name === "kind" || name === "apiVersion") ? undefined : before?.field(name);
}
