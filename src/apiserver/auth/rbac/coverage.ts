import { bracketed, quote } from "#base";
import { pathMatches, type PolicyRule } from "./policy-rule.ts";

/** What some rules allow and others do not, in rules of one resource or path each. */
export function uncovered(wanted: readonly PolicyRule[], held: readonly PolicyRule[]): readonly PolicyRule[] {
  const missing = wanted.flatMap(brokenDown).filter((rule) => !held.some((owner) => covers(owner, rule)));
  return joinedByVerb(missing);
}

/** A rule as refusals print it: `{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`. */
export function describeRule(rule: PolicyRule): string {
  const parts = [
    ["APIGroups", rule.apiGroups],
    ["Resources", rule.resources],
    ["NonResourceURLs", rule.nonResourceURLs],
    ["ResourceNames", rule.resourceNames],
    ["Verbs", rule.verbs],
  ] as const;
  const told = parts
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => `${name}:${bracketed(values.map(quote))}`);
  return `{${told.join(", ")}}`;
}

/** A rule as many, each with one verb for one resource of one name, or for one path. */
function brokenDown(rule: PolicyRule): readonly PolicyRule[] {
  const nothing = { apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] };
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const forResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          ...nothing,
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames,
        })),
      ),
    ),
  );
  const forPaths = rule.nonResourceURLs.flatMap((url) =>
    rule.verbs.map((verb) => ({ ...nothing, verbs: [verb], nonResourceURLs: [url] })),
  );
  return [...forResources, ...forPaths];
}

function covers(owner: PolicyRule, rule: PolicyRule): boolean {
  return (
    includesAll(owner.verbs, rule.verbs) &&
    includesAll(owner.apiGroups, rule.apiGroups) &&
    rule.resources.every((resource) => coversResource(owner.resources, resource)) &&
    rule.nonResourceURLs.every((url) => owner.nonResourceURLs.some((pattern) => pathMatches(pattern, url))) &&
    coversNames(owner.resourceNames, rule.resourceNames)
  );
}

function includesAll(held: readonly string[], wanted: readonly string[]): boolean {
  return held.includes("*") || wanted.every((each) => held.includes(each));
}

function coversResource(held: readonly string[], resource: string): boolean {
  if (held.includes("*") || held.includes(resource)) return true;
  const slash = resource.indexOf("/");
  return slash !== -1 && held.includes(`*${resource.slice(slash)}`);
}

/** A rule without names is for all of them. */
function coversNames(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => held.includes(name));
}

/** Puts the verbs for one resource together; paths are told one by one. */
function joinedByVerb(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
    const apart = nonResourceURLs.length > 0 ? verbs : [];
    const key = JSON.stringify([apiGroups, resources, resourceNames, nonResourceURLs, apart]);
    const present = joined.get(key);
    if (present === undefined) joined.set(key, rule);
    else joined.set(key, { ...present, verbs: [...new Set([...present.verbs, ...verbs])] });
  }
  return [...joined.values()];
}
