import { ApiError, describeGroupResource, forbiddenRequest, type KubeObject } from "#machinery";
import type { Caller } from "#apiserver/admission";
import { type Attributes, isAboutPath, wholeResource } from "./attributes.ts";
import { type Bindings, type Grant, type Grants, rbacGroup, type RoleReference } from "./bindings.ts";
import type { PolicyRule } from "./policy-rule.ts";
import { groupKey, keysOf, userKey } from "./subjects.ts";

/** The answer to whether a caller may do something; the reason of a refusal may be empty. */
export interface Decision {
  readonly allowed: boolean;
  readonly reason: string;
}

/** What a caller may do in a namespace, and which roles that would count are not there. */
export interface CallerRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleReference[];
}

/** Members may do everything, whatever roles and bindings say. */
export const mastersGroup = "system:masters";

const asMaster: Decision = { allowed: true, reason: "" };

/** Decides by roles and bindings, from memory. */
export class Authorizer {
  readonly #bindings: Bindings;

  constructor(bindings: Bindings) {
    this.#bindings = bindings;
  }

  /** Whether a caller may do something. */
  decide(caller: Caller, attributes: Attributes): Decision {
    if (caller.groups.includes(mastersGroup)) return asMaster;
    const namespace = isAboutPath(attributes) ? "" : attributes.namespace;
    const everywhere = this.#allowing(caller, "", attributes);
    if (everywhere !== undefined) return everywhere;
    const here = namespace === "" ? undefined : this.#allowing(caller, namespace, attributes);
    return here ?? { allowed: false, reason: reasonOfMissing(this.#missing(caller, namespace)) };
  }

  /** Throws an ApiError 403 where a caller may not do something. */
  authorize(caller: Caller, attributes: Attributes): void {
    const { allowed, reason } = this.decide(caller, attributes);
    if (!allowed) throw refusal(caller, attributes, reason);
  }

  /** All rules that hold for a caller in a namespace; with "" those that hold everywhere. */
  rulesFor(caller: Caller, namespace: string): CallerRules {
    const grants = this.#collect(caller, namespace, ({ all }) => all);
    return { rules: grants.flatMap(({ rules = [] }) => rules), missing: this.#missing(caller, namespace) };
  }

  /** What a binding to this role would give away; undefined where there is no such role. */
  rulesOfRole(role: RoleReference): readonly PolicyRule[] | undefined {
    return this.#bindings.rulesOfRole(role);
  }

  #allowing({ name, groups }: Caller, namespace: string, attributes: Attributes): Decision | undefined {
    const own = allowedBy(this.#bindings.grantsOf(userKey(name), namespace), attributes);
    if (own !== undefined) return own;
    for (const group of groups) {
      const decision = allowedBy(this.#bindings.grantsOf(groupKey(group), namespace), attributes);
      if (decision !== undefined) return decision;
    }
    return undefined;
  }

  #missing(caller: Caller, namespace: string): readonly RoleReference[] {
    return this.#collect(caller, namespace, ({ missing }) => missing).map(({ role }) => role);
  }

  /** A binding may name a caller several times, as user and by groups, and counts once. */
  #collect(caller: Caller, namespace: string, pick: (grants: Grants) => readonly Grant[]): readonly Grant[] {
    const byBinding = new Map<KubeObject, Grant>();
    for (const key of keysOf(caller)) {
      for (const home of namespace === "" ? [""] : ["", namespace]) {
        for (const grant of pick(this.#bindings.grantsOf(key, home))) byBinding.set(grant.binding, grant);
      }
    }
    return [...byBinding.values()];
  }
}

function allowedBy({ compiled }: Grants, attributes: Attributes): Decision | undefined {
  const grant = isAboutPath(attributes) ? compiled.allowingPath(attributes) : compiled.allowingResource(attributes);
  return grant && { allowed: true, reason: grant.reason };
}

/** The names of roles that are not there, as one text; equal ones count once. */
export function describeMissing(missing: readonly RoleReference[]): string {
  const texts = missing.map(({ kind, name }) => {
    const resource = describeGroupResource({ group: rbacGroup, resource: kind.toLowerCase() });
    return `${resource} ${JSON.stringify(name)} not found`;
  });
  const distinct = [...new Set(texts)];
  return distinct.length === 1 ? String(distinct[0]) : `[${distinct.join(", ")}]`;
}

function reasonOfMissing(missing: readonly RoleReference[]): string {
  return missing.length === 0 ? "" : `RBAC: ${describeMissing(missing)}`;
}

function refusal(caller: Caller, attributes: Attributes, reason: string): ApiError {
  const why = `User ${JSON.stringify(caller.name)} cannot ${attributes.verb} ${whereTo(attributes)}`;
  const explained = reason === "" ? why : `${why}: ${reason}`;
  if (!isAboutPath(attributes)) return forbiddenRequest(attributes, attributes.name, explained);
  const message = `forbidden: ${explained}`;
  return new ApiError({ httpCode: 403, reason: "Forbidden", message, details: {} });
}

function whereTo(attributes: Attributes): string {
  if (isAboutPath(attributes)) return `path ${JSON.stringify(attributes.path)}`;
  const { group, namespace } = attributes;
  const resource = JSON.stringify(wholeResource(attributes));
  const scope = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  return `resource ${resource} in API group ${JSON.stringify(group)} ${scope}`;
}
