import {
  deepEqual,
  type FieldError,
  FieldPath,
  invalid,
  type Json,
  type JsonObject,
  type KubeObject,
  notSupported,
  required,
} from "#machinery";
import { selectorProblems } from "../label-selectors.ts";
import { isSet, listAt, objectAt, textAt, textsAt } from "../object-fields.ts";
import type { KindRules } from "./kind-rules.ts";
import { pathNames, subdomainProblems } from "./names.ts";

const group = "rbac.authorization.k8s.io";
const common = { nameProblems: pathNames, createOnUpdate: true } as const;

export const role: KindRules = {
  behaviour: { ...common, validate: namespacedRuleProblems, validateUpdate: namespacedRuleProblems },
};

export const clusterRole: KindRules = {
  behaviour: { ...common, validate: clusterRoleProblems, validateUpdate: clusterRoleProblems },
};

export const roleBinding: KindRules = binding("namespaced", ["Role", "ClusterRole"]);

export const clusterRoleBinding: KindRules = binding("cluster", ["ClusterRole"]);

type Scope = "namespaced" | "cluster";

function binding(scope: Scope, kinds: readonly string[]): KindRules {
  const validate = (object: KubeObject) => [...referenceProblems(object, kinds), ...subjectsProblems(object, scope)];
  return {
    behaviour: {
      ...common,
      validate,
      validateUpdate: (object, old) => [...validate(object), ...changedReference(object, old)],
    },
  };
}

function namespacedRuleProblems(object: KubeObject): readonly FieldError[] {
  return rulesProblems(object, "namespaced");
}

function clusterRoleProblems(object: KubeObject): readonly FieldError[] {
  return [...rulesProblems(object, "cluster"), ...aggregationProblems(object)];
}

function rulesProblems(object: KubeObject, scope: Scope): readonly FieldError[] {
  return listAt(object, "rules").flatMap((rule, index) =>
    ruleProblems(rule, scope, FieldPath.of("rules").index(index)),
  );
}

function ruleProblems(rule: Json, scope: Scope, at: FieldPath): readonly FieldError[] {
  const [verbs, groups, resources] = [textsAt(rule, "verbs"), textsAt(rule, "apiGroups"), textsAt(rule, "resources")];
  const urls = textsAt(rule, "nonResourceURLs");
  const problems: FieldError[] = [];
  if (verbs.length === 0) problems.push(required(at.child("verbs"), "verbs must contain at least one value"));
  if (urls.length > 0) return [...problems, ...urlProblems(rule, urls, scope, at.child("nonResourceURLs"))];
  if (groups.length === 0) {
    problems.push(required(at.child("apiGroups"), "resource rules must supply at least one api group"));
  }
  if (resources.length === 0) {
    problems.push(required(at.child("resources"), "resource rules must supply at least one resource"));
  }
  return problems;
}

function urlProblems(rule: Json, urls: readonly string[], scope: Scope, at: FieldPath): readonly FieldError[] {
  const both = ["apiGroups", "resources", "resourceNames"].some((field) => textsAt(rule, field).length > 0);
  return [
    ...(scope === "namespaced" ? [invalid(at, urls, "namespaced rules cannot apply to non-resource URLs")] : []),
    ...(both ? [invalid(at, urls, "rules cannot apply to both regular resources and non-resource URLs")] : []),
  ];
}

function aggregationProblems(object: KubeObject): readonly FieldError[] {
  if (!isSet(object, "aggregationRule")) return [];
  const at = FieldPath.of("aggregationRule", "clusterRoleSelectors");
  const selectors = listAt(object, "aggregationRule", "clusterRoleSelectors");
  if (selectors.length === 0) {
    return [required(at, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  }
  return selectors.flatMap((selector, index) => {
    const problems = selectorProblems(selector, at.index(index));
    return problems.length === 0 ? [] : [...problems, invalid(at.index(index), null, "invalid label selector.")];
  });
}

function referenceProblems(object: KubeObject, kinds: readonly string[]): readonly FieldError[] {
  const at = FieldPath.of("roleRef");
  const { apiGroup, kind, name } = textsOf(objectAt(object, "roleRef"));
  return [
    ...(apiGroup === group ? [] : [notSupported(at.child("apiGroup"), apiGroup, [group])]),
    ...(kinds.includes(kind) ? [] : [notSupported(at.child("kind"), kind, kinds)]),
    ...(name === "" ? [required(at.child("name"))] : []),
    ...pathNames(name, false).map((why) => invalid(at.child("name"), name, why)),
  ];
}

function subjectsProblems(object: KubeObject, scope: Scope): readonly FieldError[] {
  const at = FieldPath.of("subjects");
  return listAt(object, "subjects").flatMap((subject, index) => [
    ...(textAt(subject, "name") === "" ? [required(at.index(index).child("name"))] : []),
    ...subjectProblems(subject, scope, at.index(index)),
  ]);
}

function subjectProblems(subject: Json, scope: Scope, at: FieldPath): readonly FieldError[] {
  const { apiGroup, kind, name } = textsOf(objectAt(subject));
  switch (kind) {
    case "ServiceAccount": {
      const homeless = scope === "cluster" && textAt(subject, "namespace") === "";
      return [
        ...(name === "" ? [] : subdomainProblems(name).map((why) => invalid(at.child("name"), name, why))),
        ...(apiGroup === "" ? [] : [notSupported(at.child("apiGroup"), apiGroup, [""])]),
        ...(homeless ? [required(at.child("namespace"))] : []),
      ];
    }
    case "User":
    case "Group":
      return apiGroup === group ? [] : [notSupported(at.child("apiGroup"), apiGroup, [group])];
    default:
      return [notSupported(at.child("kind"), kind, ["ServiceAccount", "User", "Group"])];
  }
}

function changedReference(object: KubeObject, old: KubeObject): readonly FieldError[] {
  const reference = objectAt(object, "roleRef");
  return deepEqual(reference, objectAt(old, "roleRef"))
    ? []
    : [invalid(FieldPath.of("roleRef"), goReference(reference), "cannot change roleRef")];
}

/** The real server prints its own struct here, whose fields have Go's names. */
function goReference(reference: JsonObject): JsonObject {
  const { apiGroup, kind, name } = textsOf(reference);
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}

function textsOf(reference: JsonObject): { readonly apiGroup: string; readonly kind: string; readonly name: string } {
  return { apiGroup: textAt(reference, "apiGroup"), kind: textAt(reference, "kind"), name: textAt(reference, "name") };
}
