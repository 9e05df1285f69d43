import { compileLabelSelector, deepEqual, fieldAt, isNotFound, type KubeObject, type LabelSelector } from "#machinery";
import { createWorker, type Worker, type WorkerOptions } from "#apiserver/collect";
import type { Plane } from "#apiserver/registry";
import { rbacGroup } from "./bindings.ts";

const clusterRoles = { group: rbacGroup, resource: "clusterroles" };

/** Fills ClusterRoles that are made of others with the rules of those. */
export function aggregateClusterRoles(plane: Plane, options: Omit<WorkerOptions, "name" | "work">): Worker {
  const collection = plane.collections.of(clusterRoles);
  const work = (name: string) => aggregate(plane, name);
  const worker = createWorker({ ...options, name: "aggregation of ClusterRoles", work });
  // Which of them a changed role counts for is not worth knowing: there are few, and all of them look at their parts.
  const wakeAll = () => {
    for (const role of collection.list()) if (selectorsOf(role).length > 0) worker.add(role.metadata.name ?? "");
  };
  collection.subscribe(wakeAll);
  wakeAll();
  return worker;
}

async function aggregate(plane: Plane, name: string): Promise<void> {
  const role = plane.get(clusterRoles, { name });
  if (role === undefined) return;
  const rules = aggregatedRules(role, plane.collections.of(clusterRoles).list());
  if (rules === undefined || deepEqual(rules, rulesIn(role))) return;
  try {
    await plane.rewrite(clusterRoles, { name }, (old) => (isMadeOfOthers(old) ? { ...old, rules } : old));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The rules of all roles that a role selects, in the order of their names; undefined where it selects none. */
function aggregatedRules(role: KubeObject, all: readonly KubeObject[]): readonly unknown[] | undefined {
  if (!isMadeOfOthers(role)) return undefined;
  const rules: unknown[] = [];
  for (const selector of selectorsOf(role)) {
    const { matches } = compileLabelSelector(selector);
    const selected = all.filter(
      ({ metadata }) => metadata.name !== role.metadata.name && matches(metadata.labels ?? {}),
    );
    for (const rule of selected.flatMap(rulesIn)) if (!rules.some((each) => deepEqual(each, rule))) rules.push(rule);
  }
  return rules;
}

function isMadeOfOthers(role: KubeObject): boolean {
  return selectorsOf(role).length > 0;
}

function selectorsOf(role: KubeObject): readonly LabelSelector[] {
  const selectors = fieldAt(role, "aggregationRule", "clusterRoleSelectors");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stored ClusterRoles have been checked for it
  return Array.isArray(selectors) ? (selectors as readonly LabelSelector[]) : [];
}

function rulesIn(role: KubeObject): readonly unknown[] {
  const rules = fieldAt(role, "rules");
  return Array.isArray(rules) ? rules : [];
}
