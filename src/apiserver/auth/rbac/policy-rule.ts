import { fieldAt, type JsonObject, type KubeObject } from "#machinery";

/** A rule of a role: what may be done to which resources, or to which paths. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Empty for objects of any name. */
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const rulesByRole = new WeakMap<KubeObject, readonly PolicyRule[]>();

/** The rules of a Role or ClusterRole. Objects never change, so that each is read once. */
export function rulesOf(role: KubeObject): readonly PolicyRule[] {
  const known = rulesByRole.get(role);
  if (known !== undefined) return known;
  const given = fieldAt(role, "rules");
  const rules = Array.isArray(given) ? given.map(ruleFrom) : [];
  rulesByRole.set(role, rules);
  return rules;
}

/** A rule as it stands in a role. */
export function ruleFrom(value: unknown): PolicyRule {
  return {
    verbs: textsIn(value, "verbs"),
    apiGroups: textsIn(value, "apiGroups"),
    resources: textsIn(value, "resources"),
    resourceNames: textsIn(value, "resourceNames"),
    nonResourceURLs: textsIn(value, "nonResourceURLs"),
  };
}

/** A rule as the API shows it: without what is empty, but always with verbs. */
export function ruleShown(rule: PolicyRule): JsonObject {
  const { verbs, ...rest } = rule;
  return { verbs, ...Object.fromEntries(Object.entries(rest).filter(([, values]) => values.length > 0)) };
}

/** Whether a path is what a rule names, or begins as a name that ends in `*`. */
export function pathMatches(pattern: string, path: string): boolean {
  return pattern.endsWith("*") ? path.startsWith(pattern.slice(0, -1)) : pattern === path;
}

/** The texts of a list inside an object; empty where there is none. */
export function textsIn(value: unknown, field: string): readonly string[] {
  const list = fieldAt(value, field);
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}
