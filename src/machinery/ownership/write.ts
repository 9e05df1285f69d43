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
export function reconcileManagers(managers: Managers, write: OwnershipWrite): Map<string, Manager> {
  const kept = new Map<string, Manager>();
  for (const [id, manager] of managers) {
    const type = manager.apiVersion === write.apiVersion ? write.type : write.versions?.typeOf(manager.apiVersion);
    if (type === undefined) continue;
    kept.set(id, withSet(manager, reconcileWithType(manager.set, type)));
  }
  return kept;
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
export function effectOf(
  change: { readonly before: InVersions; readonly after: InVersions; readonly by: string },
  managers: Managers,
  write: OwnershipWrite,
): Effect {
  const comparison = compareTyped(change.before.home, change.after.home, write);
  const comparisons = new Map<string, Comparison | undefined>([[write.apiVersion, comparison]]);
  const compareIn = (apiVersion: string): Comparison | undefined => {
    if (!comparisons.has(apiVersion)) {
      const [before, after] = [change.before.in(apiVersion), change.after.in(apiVersion)];
      comparisons.set(apiVersion, before && after && compareTyped(before, after, write));
    }
    return comparisons.get(apiVersion);
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
