import { quote } from "#base";
import { describeFieldErrors, type FieldError, forbidden, invalid, required } from "./field-error.ts";
import type { FieldPath } from "./field-path.ts";
import {
  compileRequirement,
  type LabelRequirement,
  type LabelTest,
  printRequirement,
  validateKey,
  validateValues,
} from "./label-requirement.ts";
import { InvalidLabelSelectorError, parseRequirements } from "./label-selector-parser.ts";
import { labelValueProblems, type Labels, qualifiedNameProblems, validateLabels } from "./labels.ts";

/** A selector as objects carry it: absent it selects nothing, empty it selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** One expression of a selector as objects carry it. */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** A selector that is ready to be asked. */
export interface Selector {
  readonly requirements: readonly LabelRequirement[];
  /** Absent labels are no labels. */
  readonly matches: (labels: Labels | undefined) => boolean;
}

const noLabels: Labels = {};

/** Selects every object. */
export const everything: Selector = { requirements: [], matches: () => true };

/** Selects no object. */
export const nothing: Selector = { requirements: [], matches: () => false };

/** Reads a selector such as `app=web,tier in (a,b),!canary`; the empty one selects everything. */
export function parseLabelSelector(text: string): Selector {
  return selectorOf(parseRequirements(text));
}

/** Writes a selector with its requirements in the order of their keys. */
export function printLabelSelector({ requirements }: Selector): string {
  return requirements
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(printRequirement)
    .join(",");
}

/** Makes a selector of the one that an object carries. */
export function compileLabelSelector(selector: LabelSelector | undefined): Selector {
  if (selector === undefined) return nothing;
  const equalities = Object.entries(selector.matchLabels ?? {}).map(([key, value]): LabelRequirement => ({
    kind: "equals",
    key,
    value,
  }));
  const requirements = [...equalities, ...(selector.matchExpressions ?? []).map(requirementOf)];
  for (const requirement of requirements) {
    const keyErrors = validateKey(requirement.key, "key");
    const errors = keyErrors.length > 0 ? keyErrors : validateValues(requirement);
    if (errors.length > 0) throw new InvalidLabelSelectorError(describeFieldErrors(errors));
  }
  return selectorOf(requirements);
}

/** Makes a selector of requirements that are known to be valid. */
export function selectorOf(requirements: readonly LabelRequirement[]): Selector {
  if (requirements.length === 0) return everything;
  const [first, ...rest] = requirements.map(compileRequirement);
  if (first === undefined) return everything;
  const test: LabelTest = rest.length === 0 ? first : (labels) => first(labels) && rest.every((holds) => holds(labels));
  return { requirements, matches: (labels) => test(labels ?? noLabels) };
}

/** What is wrong with a selector in an object. */
export function validateLabelSelector(selector: LabelSelector, at: FieldPath): FieldError[] {
  const expressions = (selector.matchExpressions ?? []).flatMap((expression, index) =>
    validateExpression(expression, at.child("matchExpressions").index(index)),
  );
  return [...validateLabels(selector.matchLabels ?? {}, at.child("matchLabels")), ...expressions];
}

function requirementOf({ key, operator, values = [] }: LabelSelectorRequirement): LabelRequirement {
  switch (operator) {
    case "In":
      return { kind: "in", key, values };
    case "NotIn":
      return { kind: "not-in", key, values };
    case "Exists":
    case "DoesNotExist":
      if (values.length > 0) {
        const error = invalid("values", values, "values set must be empty for exists and does not exist");
        throw new InvalidLabelSelectorError(describeFieldErrors([error]));
      }
      return { kind: operator === "Exists" ? "exists" : "does-not-exist", key };
    default:
      throw new InvalidLabelSelectorError(`${quote(operator)} is not a valid label selector operator`);
  }
}

function validateExpression({ key, operator, values = [] }: LabelSelectorRequirement, at: FieldPath): FieldError[] {
  const ofKey = qualifiedNameProblems(key).map((problem) => invalid(at.child("key"), key, problem));
  const ofValues = values.flatMap((value, index) =>
    labelValueProblems(value).map((problem) => invalid(at.child("values").index(index), value, problem)),
  );
  return [...validateOperator(operator, values, at), ...ofKey, ...ofValues];
}

function validateOperator(operator: string, values: readonly string[], at: FieldPath): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [required(at.child("values"), "must be specified when `operator` is 'In' or 'NotIn'")];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [forbidden(at.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(at.child("operator"), operator, "not a valid selector operator")];
  }
}
