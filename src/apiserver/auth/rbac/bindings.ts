import type { Collection, Collections } from "#apiserver/collection";
import { fieldAt, type KubeObject } from "#machinery";
import { CompiledRules } from "./compiled-rules.ts";
import { type PolicyRule, rulesOf } from "./policy-rule.ts";
import { type SubjectKey, subjectsOf } from "./subjects.ts";

export const rbacGroup = "rbac.authorization.k8s.io";

/** A role that a binding gives away, or would if it were there. */
export interface RoleReference {
  readonly kind: string;
  readonly name: string;
  /** Where a Role lives; empty for a ClusterRole. */
  readonly namespace: string;
}

/** What one subject gets from one binding. */
export interface Grant {
  readonly binding: KubeObject;
  readonly role: RoleReference;
  /** Undefined for a role that is not there. */
  readonly rules: readonly PolicyRule[] | undefined;
  /** Why it is allowed, in the words of the real server. */
  readonly reason: string;
}

/** All that one subject gets, everywhere or in one namespace. */
export interface Grants {
  readonly all: readonly Grant[];
  readonly compiled: CompiledRules<Grant>;
  /** Those of roles that are not there. */
  readonly missing: readonly Grant[];
}

const none: Grants = { all: [], compiled: new CompiledRules(), missing: [] };

/**
 * Who is bound to which roles, kept as the objects change. What a subject gets is put together when it is first asked
 * for, and forgotten with the next change of any role or binding.
 */
export class Bindings {
  readonly #roles: Collection;
  readonly #clusterRoles: Collection;
  /** By the namespace in which they count, which is empty for all, then by subject. */
  readonly #bindings = new Map<string, Map<SubjectKey, Map<string, KubeObject>>>();
  readonly #grants = new Map<string, Map<SubjectKey, Grants>>();

  constructor(collections: Collections) {
    const collection = (resource: string) => collections.of({ group: rbacGroup, resource });
    this.#roles = collection("roles");
    this.#clusterRoles = collection("clusterroles");
    for (const roles of [this.#roles, this.#clusterRoles]) roles.subscribe(() => this.#grants.clear());
    for (const bindings of [collection("rolebindings"), collection("clusterrolebindings")]) {
      for (const binding of bindings.list()) this.#put(binding);
      bindings.subscribe(({ kind, object, previous }) => {
        this.#grants.clear();
        if (previous !== undefined) this.#remove(previous);
        if (kind !== "deleted") this.#put(object);
      });
    }
  }

  /** What a subject gets in one namespace by RoleBindings, or with "" everywhere by ClusterRoleBindings. */
  grantsOf(subject: SubjectKey, namespace: string): Grants {
    const known = this.#grants.get(namespace)?.get(subject);
    if (known !== undefined) return known;
    const bindings = this.#bindings.get(namespace)?.get(subject);
    // Names that nobody binds are not remembered: callers could think up any number of them.
    if (bindings === undefined) return none;
    const grants = this.#compile(subject, bindings);
    entryOf(this.#grants, namespace, newMap<SubjectKey, Grants>).set(subject, grants);
    return grants;
  }

  /** The rules of the role that a reference names; undefined where it is not there. */
  rulesOfRole({ kind, namespace, name }: RoleReference): readonly PolicyRule[] | undefined {
    const role = kind === "Role" ? this.#roles.get(namespace, name) : this.#clusterRoles.get("", name);
    return role && rulesOf(role);
  }

  #compile(subject: SubjectKey, bindings: ReadonlyMap<string, KubeObject>): Grants {
    const compiled = new CompiledRules<Grant>();
    const all: Grant[] = [];
    for (const name of [...bindings.keys()].toSorted()) {
      const binding = bindings.get(name);
      if (binding === undefined) continue;
      const role = roleOf(binding);
      const rules = this.rulesOfRole(role);
      const grant = { binding, role, rules, reason: reasonOf(binding, role, subject) };
      all.push(grant);
      for (const rule of rules ?? []) compiled.add(rule, grant);
    }
    return { all, compiled, missing: all.filter(({ rules }) => rules === undefined) };
  }

  #put(binding: KubeObject): void {
    const bySubject = entryOf(this.#bindings, homeOf(binding), newMap<SubjectKey, Map<string, KubeObject>>);
    for (const { key } of subjectsOf(binding)) {
      entryOf(bySubject, key, newMap<string, KubeObject>).set(binding.metadata.name ?? "", binding);
    }
  }

  #remove(binding: KubeObject): void {
    const bySubject = this.#bindings.get(homeOf(binding));
    for (const { key } of subjectsOf(binding)) {
      const bindings = bySubject?.get(key);
      bindings?.delete(binding.metadata.name ?? "");
      if (bindings?.size === 0) bySubject?.delete(key);
    }
    if (bySubject?.size === 0) this.#bindings.delete(homeOf(binding));
  }
}

/** The role that a binding names. */
export function roleOf(binding: KubeObject): RoleReference {
  const text = (field: string) => {
    const value = fieldAt(binding, "roleRef", field);
    return typeof value === "string" ? value : "";
  };
  const kind = text("kind");
  return { kind, name: text("name"), namespace: kind === "Role" ? homeOf(binding) : "" };
}

function homeOf({ metadata }: KubeObject): string {
  return metadata.namespace ?? "";
}

function reasonOf(binding: KubeObject, role: RoleReference, subject: SubjectKey): string {
  const described = subjectsOf(binding).find(({ key }) => key === subject)?.described ?? "";
  const { name = "", namespace = "" } = binding.metadata;
  const bound = JSON.stringify(namespace === "" ? name : `${name}/${namespace}`);
  return `RBAC: allowed by ${binding.kind} ${bound} of ${role.kind} ${JSON.stringify(role.name)} to ${described}`;
}

function newMap<Key, Value>(): Map<Key, Value> {
  return new Map<Key, Value>();
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const present = map.get(key);
  if (present !== undefined) return present;
  const made = make();
  map.set(key, made);
  return made;
}
