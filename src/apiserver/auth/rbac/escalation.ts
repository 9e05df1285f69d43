import { bracketed, quote } from "#base";
import {
  deepEqual,
  describeGroupResource,
  fieldAt,
  forbiddenRequest,
  type KubeObject,
  notFound,
  type ObjectMeta,
} from "#machinery";
import type { AdmissionPlugin, AdmissionRequest } from "#apiserver/admission";
import { type Authorizer, mastersGroup } from "./authorizer.ts";
import { rbacGroup, roleOf, type RoleReference } from "./bindings.ts";
import { describeRule, uncovered } from "./coverage.ts";
import { type PolicyRule, rulesOf } from "./policy-rule.ts";

const roles = new Set(["roles", "clusterroles"]);
const bindings = new Set(["rolebindings", "clusterrolebindings"]);

const anything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"], resourceNames: [], nonResourceURLs: [] },
  { verbs: ["*"], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ["*"] },
];

/**
 * Nobody gives away by a role or a binding what he may not do himself, unless he is allowed to `escalate` or to `bind`.
 */
export function preventEscalation(authorizer: Authorizer): AdmissionPlugin {
  return {
    name: "RBACEscalation",
    handles: ({ operation, resource }) =>
      resource.group === rbacGroup &&
      operation !== "DELETE" &&
      (roles.has(resource.resource) || bindings.has(resource.resource)),
    // Not with the validating ones: the real server asks this before it looks whether the object is well made.
    mutate(object, request) {
      if (!isExempt(object, request)) check(authorizer, object, request);
      return object;
    },
  };
}

function isExempt(object: KubeObject, { caller, oldObject }: AdmissionRequest): boolean {
  return caller.groups.includes(mastersGroup) || (oldObject !== undefined && isLettingGo(object, oldObject));
}

/** True where only that changes which the garbage collector needs to delete an object. */
function isLettingGo(object: KubeObject, oldObject: KubeObject): boolean {
  return deepEqual(withoutLife(object), withoutLife(oldObject));
}

function withoutLife(object: KubeObject): KubeObject {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _managers, ...metadata } = object.metadata;
  const kept: ObjectMeta = metadata;
  return { ...object, metadata: kept };
}

function check(authorizer: Authorizer, object: KubeObject, request: AdmissionRequest): void {
  if (bindings.has(request.resource.resource)) {
    checkBinding(authorizer, object, request);
    return;
  }
  if (mayEscalate(authorizer, request)) return;
  const aggregates = [object, request.oldObject].some((each) => hasAggregation(each));
  const held = authorizer.rulesFor(request.caller, "").rules;
  if (aggregates && uncovered(anything, held).length > 0) {
    const why = "must have cluster-admin privileges to use the aggregationRule";
    throw forbiddenRequest(request.resource, request.name, why);
  }
  confirmHeld(authorizer, rulesOf(object), request);
}

function checkBinding(authorizer: Authorizer, binding: KubeObject, request: AdmissionRequest): void {
  const role = roleOf(binding);
  if (mayBind(authorizer, role, request)) return;
  const rules = authorizer.rulesOfRole(role);
  if (rules === undefined) throw notFound(request.resource, role.name);
  confirmHeld(authorizer, rules, request);
}

function mayEscalate(authorizer: Authorizer, request: AdmissionRequest): boolean {
  const { resource, namespace, caller, operation } = request;
  // A create is asked about without a name, as its path carries none.
  const name = operation === "CREATE" ? "" : request.name;
  return authorizer.decide(caller, { verb: "escalate", ...resource, subresource: "", namespace, name }).allowed;
}

function mayBind(authorizer: Authorizer, { kind, name }: RoleReference, request: AdmissionRequest): boolean {
  const resource = kind === "Role" ? "roles" : "clusterroles";
  const { version } = request.resource;
  const attributes = { verb: "bind", group: rbacGroup, version, resource, subresource: "", name };
  return authorizer.decide(request.caller, { ...attributes, namespace: request.namespace }).allowed;
}

function hasAggregation(role: KubeObject | undefined): boolean {
  const rule = fieldAt(role, "aggregationRule");
  return rule !== undefined && rule !== null;
}

function confirmHeld(authorizer: Authorizer, wanted: readonly PolicyRule[], request: AdmissionRequest): void {
  const { caller, namespace, resource, name } = request;
  const { rules: held, missing } = authorizer.rulesFor(caller, namespace);
  const lacking = uncovered(wanted, held);
  if (lacking.length === 0) return;
  const groups = bracketed(caller.groups.map(quote));
  const who = `user ${quote(caller.name)} (groups=${groups})`;
  const what = lacking.map(describeRule).toSorted().join("\n");
  // The real server names the resource that is being written here, whatever kind of role is missing.
  const notThere = missing.map((role) => `${describeGroupResource(resource)} ${quote(role.name)} not found`);
  const trouble = notThere.length === 0 ? "" : `; resolution errors: ${bracketed(notThere)}`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${what}${trouble}`;
  throw forbiddenRequest(resource, name, why);
}
