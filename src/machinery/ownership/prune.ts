import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import type { Manager, Managers } from "./managers.ts";
import { withNamedFields } from "./named-fields.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { setMember } from "./merge-fields.ts";
import { removeFields } from "./remove-fields.ts";
import { InVersions, type Typed } from "./versions.ts";
import type { OwnershipWrite } from "./write.ts";

/**
 * Takes out of a merged object what its applier applied last time and no longer does, as far as nobody else, applier
 * or updater, owns it. A container that somebody else owns is null when it loses all it had.
 */
export function prune(merged: JsonObject, last: Manager, managers: Managers, write: OwnershipWrite): JsonObject {
  const now = managers.get(last.id);
  // Where the applier leaves out nothing, all it had applied is owned still, and so is every list item and map key
  // around it: nothing can go.
  if (now?.apiVersion === last.apiVersion && last.set.isWithin(now.set)) return merged;
  if (now === undefined || !isInOneVersion(last, managers, write)) return pruneWhole(merged, last, managers, write);
  const roots = [...last.set.children.keys()].filter((root) => !last.set.at(root).isWithin(now.set.at(root)));
  const parts = new Map([...managers].map(([id, manager]) => [id, partOf(manager, roots)]));
  const { rest, part } = split(merged, roots);
  return { ...rest, ...pruneWhole(part, partOf(last, roots), parts, write) };
}

function isInOneVersion(last: Manager, managers: Managers, { apiVersion }: OwnershipWrite): boolean {
  if (last.apiVersion !== apiVersion) return false;
  for (const manager of managers.values()) if (manager.apiVersion !== apiVersion) return false;
  return true;
}

/** A manager as if it owned only what is below some fields of the root. */
function partOf(manager: Manager, roots: readonly PathElement[]): Manager {
  const children = new Map<PathElement, FieldSet>();
  for (const root of roots) if (manager.set.children.has(root)) children.set(root, manager.set.at(root));
  return { ...manager, set: FieldSet.node(false, children) };
}

/** An object in two: the given fields of its root, which pruning has to look at, and the rest. */
function split(
  object: JsonObject,
  roots: readonly PathElement[],
): { readonly rest: JsonObject; readonly part: JsonObject } {
  const rest: Record<string, Json> = {};
  const part: Record<string, Json> = {};
  for (const name in object) setMember(roots.includes(fieldElement(name)) ? part : rest, name, object[name] ?? null);
  return { rest, part };
}

function pruneWhole(merged: JsonObject, last: Manager, managers: Managers, write: OwnershipWrite): JsonObject {
  const home: Typed = { value: merged, type: write.type };
  const whole = inVersion(home, write.apiVersion, last.apiVersion, write);
  if (whole === undefined) return merged;
  const lastFields = withNamedFields(last.set, whole.type);
  let pruned = without(whole, lastFields);
  let version = last.apiVersion;
  let full = whole;
  for (const [apiVersion, owned] of ownedByVersion(managers, last.apiVersion)) {
    const fullThere = inVersion(full, version, apiVersion, write);
    const prunedThere = inVersion(pruned, version, apiVersion, write);
    if (fullThere === undefined || prunedThere === undefined) continue;
    const fields = ownFields(fullThere);
    const kept = ownFields(prunedThere).union(withNamedFields(owned, fullThere.type));
    pruned = without(fullThere, fields.difference(kept));
    full = fullThere;
    version = apiVersion;
  }
  const prunedLast = inVersion(pruned, version, last.apiVersion, write);
  if (prunedLast === undefined) return merged;
  // What went along with its surroundings, but was never applied by this manager, stays.
  const gone = ownFields(whole).difference(ownFields(prunedLast)).intersection(lastFields);
  return inVersion(without(whole, gone), last.apiVersion, write.apiVersion, write)?.value ?? merged;
}

function ownFields({ value, type }: Typed): FieldSet {
  return withNamedFields(fieldSetOf(value, type), type);
}

function without({ value, type }: Typed, fields: FieldSet): Typed {
  const left = removeFields(value, fields, type);
  return { value: isJsonObject(left) ? left : {}, type };
}

function inVersion(
  typed: Typed,
  from: string,
  to: string,
  { versions, apiVersion, type }: OwnershipWrite,
): Typed | undefined {
  const known = versions ?? { typeOf: () => undefined, convert: (object) => object };
  return new InVersions(from, typed, {
    typeOf: (version) => (version === apiVersion ? type : known.typeOf(version)),
    convert: (object, version) => known.convert(object, version),
  }).in(to);
}

/** All that is owned in each version, beginning with one version, so that conversions find what they need. */
function ownedByVersion(managers: Managers, first: string): ReadonlyMap<string, FieldSet> {
  const owned = new Map<string, FieldSet>([[first, FieldSet.empty]]);
  for (const { apiVersion, set } of managers.values()) {
    owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.empty).union(set));
  }
  return owned;
}
