import { type FieldError, type FieldPath, invalid, type Json, notSupported, required } from "#machinery";
import { textAt, textsAt } from "../object-fields.ts";

const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const scopes = ["*", "Cluster", "Namespaced"];

/** What is wrong with a rule that says which requests concern a webhook. */
export function ruleProblems(rule: Json, at: FieldPath): readonly FieldError[] {
  return [
    ...operationsProblems(textsAt(rule, "operations"), at.child("operations")),
    ...aloneProblems(textsAt(rule, "apiGroups"), "API groups", at.child("apiGroups")),
    ...aloneProblems(textsAt(rule, "apiVersions"), "API versions", at.child("apiVersions")),
    ...emptyProblems(textsAt(rule, "apiVersions"), at.child("apiVersions")),
    ...resourcesProblems(textsAt(rule, "resources"), at.child("resources")),
    ...scopeProblems(textAt(rule, "scope"), at.child("scope")),
  ];
}

function operationsProblems(given: readonly string[], at: FieldPath): readonly FieldError[] {
  const unknown = given.flatMap((operation, index) =>
    operations.includes(operation) ? [] : [notSupported(at.index(index), operation, operations)],
  );
  return [...aloneProblems(given, "operations", at), ...unknown];
}

/** There must be something, and a star must stand alone. */
function aloneProblems(values: readonly string[], others: string, at: FieldPath): readonly FieldError[] {
  if (values.length === 0) return [required(at)];
  if (values.length === 1 || !values.includes("*")) return [];
  return [invalid(at, values, `if '*' is present, must not specify other ${others}`)];
}

function emptyProblems(values: readonly string[], at: FieldPath): readonly FieldError[] {
  return values.flatMap((value, index) => (value === "" ? [required(at.index(index))] : []));
}

function scopeProblems(scope: string, at: FieldPath): readonly FieldError[] {
  return scope === "" || scopes.includes(scope) ? [] : [notSupported(at, scope, scopes)];
}

function resourcesProblems(resources: readonly string[], at: FieldPath): readonly FieldError[] {
  if (resources.length === 0) return [required(at)];
  const overlaps = resources.flatMap((each, index) =>
    overlapProblems(each, resources.slice(0, index), at.index(index)),
  );
  const plain = resources.filter((each) => each !== "" && !each.includes("/"));
  const last = plain.at(-1);
  return [
    ...overlaps,
    ...(resources.length > 1 && resources.includes("*/*")
      ? [invalid(at, resources, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(plain.includes("*") && last !== "*"
      ? [invalid(at, resources, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
}

/** Nothing may be named again that a star before it has named already. */
function overlapProblems(each: string, before: readonly string[], at: FieldPath): readonly FieldError[] {
  if (each === "") return [required(at)];
  const slash = each.indexOf("/");
  if (slash === -1) return [];
  const [resource, below] = [each.slice(0, slash), each.slice(slash + 1)];
  return [`${resource}/*`, `*/${below}`]
    .filter((star) => before.includes(star))
    .map((star) => invalid(at, each, `if '${star}' is present, must not specify ${each}`));
}
