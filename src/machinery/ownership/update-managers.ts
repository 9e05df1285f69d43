import type { JsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { type Manager, type Managers } from "./managers.ts";
import { managerId } from "./manager-id.ts";
import { InVersions } from "./versions.ts";
import { effectOf, neverOwned, type OwnershipWrite, reconcileManagers, withSet } from "./write.ts";

const mostUpdaters = 10;

/** The managers after a create, update or patch: who wrote owns all that is new or different. */
export function updateManagers(
  change: { readonly before: JsonObject; readonly after: JsonObject; readonly removed?: FieldSet },
  managers: Managers,
  write: OwnershipWrite,
): Map<string, Manager> {
  const { apiVersion, type, versions } = write;
  const before = new InVersions(apiVersion, { value: change.before, type }, versions);
  const after = new InVersions(apiVersion, { value: change.after, type }, versions);
  const writer = updater(write);
  const known = reconcileManagers(managers, write);
  const { comparison, managers: left } = effectOf(
    { before, after, removed: change.removed, by: writer.id },
    known,
    write,
  );
  const written = comparison.modified.union(comparison.added);
  const set = written.difference(neverOwned);
  const previous = known.get(writer.id);
  const kept = (previous?.set ?? FieldSet.empty).difference(comparison.removed).difference(written.difference(set));
  // Taking fields away is no reason for a new time, only writing some is.
  if (!set.isEmpty) left.set(writer.id, renewed(writer, kept.union(set), previous));
  else if (kept.isEmpty) left.delete(writer.id);
  else if (previous !== undefined) left.set(writer.id, withSet(previous, kept));
  return left;
}

/**
 * At most ten updaters stay by themselves: the oldest of each version are taken together as `ancient-changes`, with
 * the time of the youngest among them.
 */
export function foldAncient(managers: Managers): Managers {
  if (managers.size <= mostUpdaters) return managers;
  const updaters = [...managers.values()].filter(({ operation }) => operation === "Update");
  let tooMany = updaters.length - mostUpdaters;
  if (tooMany <= 0) return managers;
  const folded = new Map(managers);
  const firsts = new Map<string, Manager>();
  for (const manager of updaters.toSorted(byAge)) {
    if (tooMany <= 0) break;
    const first = firsts.get(manager.apiVersion);
    if (first === undefined) {
      firsts.set(manager.apiVersion, manager);
      continue;
    }
    const parts = {
      name: "ancient-changes",
      operation: "Update",
      apiVersion: manager.apiVersion,
      subresource: "",
    } as const;
    const bucket: Manager = { ...parts, id: managerId(parts), time: manager.time, set: manager.set };
    let gathered = folded.get(bucket.id);
    if (gathered === undefined) {
      folded.delete(first.id);
      gathered = first;
    }
    folded.set(bucket.id, { ...bucket, set: manager.set.union(gathered.set) });
    if (manager.id !== bucket.id) folded.delete(manager.id);
    tooMany--;
  }
  return folded;
}

/** Who writes what it owns already, within the second of its last write, stays as it is. */
function renewed(writer: Omit<Manager, "set">, set: FieldSet, previous: Manager | undefined): Manager {
  const isSame = previous !== undefined && previous.set === set && previous.time === writer.time;
  return isSame ? previous : { ...writer, set };
}

function updater({ manager, apiVersion, subresource = "", now }: OwnershipWrite): Omit<Manager, "set"> {
  const parts = { name: manager === "" ? "unknown" : manager, operation: "Update", apiVersion, subresource } as const;
  return { ...parts, id: managerId(parts), time: now };
}

function byAge(a: Manager, b: Manager): number {
  const [time, other] = [a.time ?? "", b.time ?? ""];
  if (time !== other) return time < other ? -1 : 1;
  return a.id < b.id ? -1 : 1;
}
