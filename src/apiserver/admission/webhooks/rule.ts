import type { GroupVersionResource } from "#machinery";
import type { AdmissionRequest } from "../admission.ts";

/** Which requests concern a webhook. */
export interface Rule {
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  /** `pods`, `pods/status`, or with a star for either part. */
  readonly resources: readonly string[];
  readonly operations: readonly string[];
  readonly scope: "Cluster" | "Namespaced" | "*";
}

/** What a rule looks at. */
export type RuledRequest = Pick<AdmissionRequest, "operation" | "resource" | "subresource">;

/** True where a rule is about a request, as far as can be told before it is known where its object lives. */
export function isAbout(rule: Rule, { operation, resource, subresource }: RuledRequest): boolean {
  return (
    includes(rule.operations, operation) &&
    includes(rule.groups, resource.group) &&
    includes(rule.versions, resource.version) &&
    rule.resources.some((each) => isNamed(each, resource, subresource))
  );
}

/** True where a rule is about objects that live where this one does; a namespace lives in none. */
export function isInScope({ scope }: Rule, resource: GroupVersionResource, namespace: string): boolean {
  if (scope === "*") return true;
  return (scope === "Cluster") === (namespace === "" || isNamespaces(resource));
}

export function isNamespaces({ group, resource }: GroupVersionResource): boolean {
  return group === "" && resource === "namespaces";
}

function includes(values: readonly string[], wanted: string): boolean {
  return values.includes("*") || values.includes(wanted);
}

function isNamed(pattern: string, { resource }: GroupVersionResource, subresource: string): boolean {
  const slash = pattern.indexOf("/");
  const [name, below] = slash < 0 ? [pattern, ""] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (name === "*" || name === resource) && (below === "*" || below === subresource);
}
