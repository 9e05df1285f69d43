import { deepEqual, fieldAt, isAlreadyExists, isNotFound, type KubeObject } from "#machinery";
import type { Plane } from "#apiserver/registry";
import { rbacGroup } from "./bindings.ts";
import { bootstrapPolicy } from "./bootstrap-policy.ts";
import { uncovered } from "./coverage.ts";
import { ruleShown, rulesOf } from "./policy-rule.ts";

const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

const resources: Readonly<Record<string, string>> = {
  ClusterRole: "clusterroles",
  ClusterRoleBinding: "clusterrolebindings",
  Role: "roles",
  RoleBinding: "rolebindings",
};

/**
 * Sees to it that the roles and bindings that every plane has are there, and allow at least what they should. What
 * somebody added stays, and what is marked `autoupdate: "false"` is left alone.
 */
export async function reconcileBootstrapPolicy(plane: Plane): Promise<void> {
  await Promise.all(bootstrapPolicy().map((expected) => reconcile(plane, expected)));
}

async function reconcile(plane: Plane, expected: KubeObject): Promise<void> {
  const resource = { group: rbacGroup, resource: resources[expected.kind] ?? "" };
  const { namespace = "", name = "" } = expected.metadata;
  const present = plane.get(resource, { namespace, name });
  if (present === undefined) {
    await create(plane, resource, expected);
    return;
  }
  if (present.metadata.annotations?.[autoUpdate] === "false") return;
  if (isBinding(expected) && !deepEqual(present["roleRef"], expected["roleRef"])) {
    // A binding cannot be given another role.
    await remove(plane, resource, present);
    await create(plane, resource, expected);
    return;
  }
  if (reconciled(present, expected) === present) return;
  await plane.rewrite(resource, { namespace, name }, (old) => reconciled(old, expected));
}

/** An object with all that it should have; the same where it has. */
function reconciled(present: KubeObject, expected: KubeObject): KubeObject {
  const next = {
    ...present,
    metadata: {
      ...present.metadata,
      labels: { ...expected.metadata.labels, ...present.metadata.labels },
      annotations: { ...expected.metadata.annotations, ...present.metadata.annotations },
    },
    ...(isBinding(expected) ? subjectsFor(present, expected) : rulesFor(present, expected)),
  };
  return deepEqual(next, present) ? present : next;
}

function subjectsFor(present: KubeObject, expected: KubeObject): { readonly [field: string]: unknown } {
  const subjects = joined(present, expected, "subjects");
  return subjects.length === 0 ? {} : { subjects };
}

function rulesFor(present: KubeObject, expected: KubeObject): { readonly [field: string]: unknown } {
  const aggregation = fieldAt(expected, "aggregationRule");
  if (aggregation !== undefined) {
    const [have, want] = [fieldAt(present, "aggregationRule"), aggregation];
    return { aggregationRule: { clusterRoleSelectors: joined(have, want, "clusterRoleSelectors") } };
  }
  const missing = uncovered(rulesOf(expected), rulesOf(present));
  return missing.length === 0 ? {} : { rules: [...listIn(present, "rules"), ...missing.map(ruleShown)] };
}

/** What is in the list of one, and what of the other is not. */
function joined(present: unknown, expected: unknown, field: string): readonly unknown[] {
  const have = listIn(present, field);
  return [...have, ...listIn(expected, field).filter((each) => !have.some((other) => deepEqual(each, other)))];
}

function listIn(object: unknown, field: string): readonly unknown[] {
  const list = fieldAt(object, field);
  return Array.isArray(list) ? list : [];
}

function isBinding({ kind }: KubeObject): boolean {
  return kind.endsWith("Binding");
}

async function create(plane: Plane, resource: Parameters<Plane["create"]>[0], object: KubeObject): Promise<void> {
  try {
    await plane.create(resource, object);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
}

async function remove(plane: Plane, resource: Parameters<Plane["create"]>[0], { metadata }: KubeObject): Promise<void> {
  const { namespace = "", name = "", uid = "" } = metadata;
  try {
    await plane.delete(resource, { namespace, name }, { preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
