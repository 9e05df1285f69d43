import type { Timestamp } from "#base";
import { compareFields, type Comparison, excluding } from "./compare-fields.ts";
import type { Conflict } from "./conflicts.ts";
import { FieldSet } from "./field-set.ts";
import type { Manager, Managers } from "./managers.ts";
import { reconcileWithType } from "./reconcile.ts";
import type { ValueType } from "./value-type.ts";
import type { InVersions, Typed, Versions } from "./versions.ts";

/** What every write to an object says about itself. */
export interface OwnershipWrite {
  /** Who writes; the empty name counts as `unknown`. */
  readonly manager: string;
  /** The version in which the objects of this write are. */
  readonly apiVersion: string;
  /** The endpoint of the write: `""` for the object itself, `status`, `scale`. */
  readonly subresource?: string;
  readonly now: Timestamp;
  /** The type of objects in this version. */
  readonly type: ValueType;
  /** Fields that this endpoint ignores, so that nobody owns them through it. */
  readonly reset?: FieldSet;
  /** The other versions of the kind; without them managers in other versions are forgotten. */
  readonly versions?: Versions;
}

const status = FieldSet.of(["f:status"]);
const spec = FieldSet.of(["f:spec"]);

/** The fields an endpoint ignores: the object's own ignores status where that is a subresource, status ignores spec. */
export function resetFields(endpoint: { readonly subresource: string; readonly hasStatus: boolean }): FieldSet {
  if (endpoint.subresource === "status") return spec;
  return endpoint.subresource === "" && endpoint.hasStatus ? status : FieldSet.empty;
}

/** Fields that nobody ever owns. */
export const neverOwned = FieldSet.of(
  ["f:apiVersion"],
  ["f:kind"],
  ["f:metadata"],
  ["f:metadata", "f:name"],
  ["f:metadata", "f:namespace"],
  ["f:metadata", "f:creationTimestamp"],
  ["f:metadata", "f:selfLink"],
  ["f:metadata", "f:uid"],
  ["f:metadata", "f:clusterName"],
  ["f:metadata", "f:generation"],
  ["f:metadata", "f:managedFields"],
  ["f:metadata", "f:resourceVersion"],
);

/** The managers as they read under the schemas of today; those of versions that are gone are left out. */
export function reconcileManagers(managers: Managers, write: OwnershipWrite): Managers {
  let kept: Map<string, Manager> | undefined;
  for (const [id, manager] of managers) {
    const type = manager.apiVersion === write.apiVersion ? write.type : write.versions?.typeOf(manager.apiVersion);
    const today = type && withSet(manager, reconcileWithType(manager.set, type));
    if (today === manager) continue;
    kept ??= new Map(managers);
    if (today === undefined) kept.delete(id);
    else kept.set(id, today);
  }
  return kept ?? managers;
}

/** A change of an object. */
export interface Change {
  readonly before: InVersions;
  readonly after: InVersions;
  /** Fields that go besides those in which the two differ. */
  readonly removed?: FieldSet | undefined;
  /** The id of the manager that makes it. */
  readonly by: string;
}

/** What a change of an object means for those who own its fields. */
export interface Effect {
  readonly comparison: Comparison;
  /** Who owns what the change adds or modifies. */
  readonly conflicts: readonly Conflict[];
  /** The managers without the fields that the change takes from them. */
  readonly managers: Map<string, Manager>;
}

/** Finds out what a change takes from every manager but the one that makes it, which is left as it is. */
export function effectOf(change: Change, managers: Managers, write: OwnershipWrite): Effect {
  const { removed = FieldSet.empty } = change;
  const compare = (before: Typed, after: Typed): Comparison => {
    const found = compareTyped(before, after, write);
    return removed.isEmpty ? found : { ...found, removed: found.removed.union(removed) };
  };
  const comparison = compare(change.before.home, change.after.home);
  let others: Map<string, Comparison | undefined> | undefined;
  const compareIn = (apiVersion: string): Comparison | undefined => {
    if (apiVersion === write.apiVersion) return comparison;
    others ??= new Map();
    if (!others.has(apiVersion)) {
      const [before, after] = [change.before.in(apiVersion), change.after.in(apiVersion)];
      others.set(apiVersion, before && after && compare(before, after));
    }
    return others.get(apiVersion);
  };
  const conflicts: Conflict[] = [];
  const left = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    if (id === change.by) {
      left.set(id, manager);
      continue;
    }
    const found = compareIn(manager.apiVersion);
    if (found === undefined) continue;
    const fields = manager.set.intersection(found.modified).union(manager.set.intersection(found.added));
    if (!fields.isEmpty) conflicts.push({ manager, fields });
    const kept = withSet(manager, manager.set.difference(fields).difference(found.removed));
    if (!kept.set.isEmpty) left.set(id, kept);
  }
  return { comparison, conflicts, managers: left };
}

function compareTyped(before: Typed, after: Typed, { reset = FieldSet.empty }: OwnershipWrite): Comparison {
  return excluding(compareFields(before.value, after.value, after.type), reset);
}

/** A manager with another set; it loses its entry, unless the set is the same. */
export function withSet(manager: Manager, set: FieldSet): Manager {
  return set === manager.set ? manager : { ...manager, set, entry: undefined };
}
