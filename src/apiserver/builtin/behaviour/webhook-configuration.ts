import { matchConditionProblem } from "#cel";
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  type Json,
  type KubeObject,
  notSupported,
  qualifiedNameProblems,
  required,
  tooMany,
} from "#machinery";
import { selectorProblems } from "../label-selectors.ts";
import { isSet, listAt, numberAt, objectAt, textAt, textsAt } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";
import { labelNamesFromLetter, subdomainProblems } from "./names.ts";
import { clientProblems } from "./webhook-client.ts";
import { ruleProblems } from "./webhook-rule.ts";

const reviewVersions = ["v1", "v1beta1"];
const harmless = ["None", "NoneOnDryRun"];
const mostConditions = 64;
const choices = {
  failurePolicy: ["Fail", "Ignore"],
  matchPolicy: ["Equivalent", "Exact"],
  sideEffects: harmless,
} as const;

/** Both kinds of webhook configuration. */
export const webhookConfiguration: KindRules = {
  behaviour: {
    unconditionalUpdate: false,
    countsGenerations: true,
    validate: (object) => hooksProblems(object, new Set()),
    // What is stored already may be in a newer dialect than new expressions are held to.
    validateUpdate: (object, old) => hooksProblems(object, expressionsOf(old)),
  },
};

/** Expressions that need no second look. */
type KnownExpressions = ReadonlySet<string>;

function hooksProblems(object: KubeObject, known: KnownExpressions): readonly FieldError[] {
  const hooks = listAt(object, "webhooks");
  const names = hooks.map((hook) => textAt(hook, "name"));
  return hooks.flatMap((hook, index) => {
    const at = FieldPath.of("webhooks").index(index);
    const name = names[index] ?? "";
    return [
      ...hookProblems(hook, at, known),
      ...versionsProblems(textsAt(hook, "admissionReviewVersions"), at.child("admissionReviewVersions")),
      ...(name !== "" && names.indexOf(name) < index ? [duplicate(at.child("name"), name)] : []),
    ];
  });
}

function expressionsOf(object: KubeObject): KnownExpressions {
  const conditions = listAt(object, "webhooks").flatMap((hook) => listAt(hook, "matchConditions"));
  return new Set(conditions.map((condition) => textAt(condition, "expression")));
}

function hookProblems(hook: Json, at: FieldPath, known: KnownExpressions): readonly FieldError[] {
  return [
    ...domainProblems(textAt(hook, "name"), at.child("name")),
    ...listAt(hook, "rules").flatMap((rule, index) => ruleProblems(rule, at.child("rules").index(index))),
    ...choiceProblems(hook, "failurePolicy", at),
    ...choiceProblems(hook, "matchPolicy", at),
    ...sideEffectsProblems(hook, at),
    ...timeoutProblems(hook, at.child("timeoutSeconds")),
    ...selectorProblems(objectAt(hook, "namespaceSelector"), at.child("namespaceSelector")),
    ...selectorProblems(objectAt(hook, "objectSelector"), at.child("objectSelector")),
    ...reinvocationProblems(hook, at.child("reinvocationPolicy")),
    ...clientProblems(objectAt(hook, "clientConfig"), at.child("clientConfig")),
    ...conditionsProblems(listAt(hook, "matchConditions"), at.child("matchConditions"), known),
  ];
}

/** A name that nobody else uses: a domain of at least three parts. */
function domainProblems(name: string, at: FieldPath): readonly FieldError[] {
  if (name === "") return [required(at)];
  const problems = subdomainProblems(name);
  if (problems.length > 0) return [invalid(at, name, problems.join(","))];
  if (name.split(".").length >= 3) return [];
  return [invalid(at, name, "should be a domain with at least three segments separated by dots")];
}

function choiceProblems(hook: Json, field: keyof typeof choices, at: FieldPath): readonly FieldError[] {
  if (!isSet(hook, field)) return [];
  const value = textAt(hook, field);
  const allowed: readonly string[] = choices[field];
  return allowed.includes(value) ? [] : [notSupported(at.child(field), value, allowed)];
}

function sideEffectsProblems(hook: Json, at: FieldPath): readonly FieldError[] {
  if (isSet(hook, "sideEffects")) return choiceProblems(hook, "sideEffects", at);
  return [required(at.child("sideEffects"), `must specify one of ${harmless.join(", ")}`)];
}

function timeoutProblems(hook: Json, at: FieldPath): readonly FieldError[] {
  const seconds = numberAt(hook, "timeoutSeconds");
  if (seconds === undefined || (seconds >= 1 && seconds <= 30)) return [];
  return [invalid(at, seconds, "the timeout value must be between 1 and 30 seconds")];
}

function reinvocationProblems(hook: Json, at: FieldPath): readonly FieldError[] {
  const allowed = ["IfNeeded", "Never"];
  const value = textAt(hook, "reinvocationPolicy");
  return value === "" || allowed.includes(value) ? [] : [notSupported(at, value, allowed)];
}

function versionsProblems(versions: readonly string[], at: FieldPath): readonly FieldError[] {
  const known = reviewVersions.join(", ");
  if (versions.length === 0) return [required(at, `must specify one of ${known}`)];
  const each = versions.flatMap((version, index) => {
    if (versions.indexOf(version) < index) return [invalid(at.index(index), version, "duplicate version")];
    return labelNamesFromLetter(version, false).map((why) => invalid(at.index(index), version, why));
  });
  const accepted = versions.some((version) => reviewVersions.includes(version));
  return accepted ? each : [...each, invalid(at, versions, `must include at least one of ${known}`)];
}

function conditionsProblems(
  conditions: readonly Json[],
  at: FieldPath,
  known: KnownExpressions,
): readonly FieldError[] {
  const names = conditions.map((condition) => textAt(condition, "name"));
  const each = conditions.flatMap((condition, index) => {
    const [name = "", here] = [names[index], at.index(index)];
    return [
      ...expressionProblems(textAt(condition, "expression"), here.child("expression"), known),
      ...(name === "" ? [required(here.child("name"))] : []),
      ...(name === "" ? [] : qualifiedNameProblems(name).map((why) => invalid(here.child("name"), name, why))),
      ...(name !== "" && names.indexOf(name) < index ? [duplicate(here.child("name"), name)] : []),
    ];
  });
  return conditions.length > mostConditions ? [tooMany(at, conditions.length, mostConditions), ...each] : each;
}

function expressionProblems(expression: string, at: FieldPath, known: KnownExpressions): readonly FieldError[] {
  if (expression.trim() === "") return [required(at)];
  const problem = known.has(expression) ? undefined : matchConditionProblem(expression);
  return problem === undefined ? [] : [invalid(at, expression, problem)];
}
