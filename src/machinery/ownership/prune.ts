import type { JsonObject } from "../json.ts";
import { isJsonObject } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import type { Manager, Managers } from "./managers.ts";
import { withNamedFields } from "./named-fields.ts";
import { removeFields } from "./remove-fields.ts";
import { InVersions, type Typed } from "./versions.ts";
import type { OwnershipWrite } from "./write.ts";

/**
 * Takes out of a merged object what its applier applied last time and no longer does, as far as nobody else, applier
 * or updater, owns it.
 */
export function prune(merged: JsonObject, last: Manager, managers: Managers, write: OwnershipWrite): JsonObject {
  if (!dropsAnything(last, managers)) return merged;
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

/**
 * Whether the applier left out anything it had applied. If not, all it had applied is owned still, and so is every
 * list item and map key around it, hence nothing can go.
 */
function dropsAnything(last: Manager, managers: Managers): boolean {
  const now = managers.get(last.id);
  if (last.set.isEmpty) return false;
  return now?.apiVersion !== last.apiVersion || !last.set.difference(now.set).isEmpty;
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
