import { isJsonObject, type JsonObject, type JsonObjectDraft, setMember } from "../json.ts";
import { FieldSet } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import type { Manager, Managers } from "./managers.ts";
import { withNamedFields } from "./named-fields.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { removeFields } from "./remove-fields.ts";
import type { Typed } from "./versions.ts";
import type { OwnershipWrite } from "./write.ts";
import { metadataOf } from "./written-object.ts";

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
  const rest: JsonObjectDraft = {};
  const part: JsonObjectDraft = {};
  for (const name in object) setMember(roots.includes(fieldElement(name)) ? part : rest, name, object[name] ?? null);
  return { rest, part };
}

/** An object, or what is left of it, in one version. */
interface Versioned extends Typed {
  readonly apiVersion: string;
}

function pruneWhole(merged: JsonObject, last: Manager, managers: Managers, write: OwnershipWrite): JsonObject {
  const { apiVersion, type } = write;
  const whole = converted({ value: merged, type, apiVersion }, last.apiVersion, write);
  if (whole === undefined) return merged;
  const lastFields = withNamedFields(last.set, whole.type);
  let pruned = without(whole, lastFields);
  let full = whole;
  for (const [version, owned] of ownedByVersion(managers, last.apiVersion)) {
    const fullThere = converted(full, version, write);
    const prunedThere = convertedPart(pruned, full, version, write);
    if (fullThere === undefined || prunedThere === undefined) continue;
    const kept = ownFields(prunedThere).union(withNamedFields(owned, fullThere.type));
    pruned = without(fullThere, ownFields(fullThere).difference(kept));
    full = fullThere;
  }
  const prunedLast = convertedPart(pruned, full, last.apiVersion, write);
  if (prunedLast === undefined) return merged;
  // What went along with its surroundings, but was never applied by this manager, stays.
  const gone = ownFields(whole).difference(ownFields(prunedLast)).intersection(lastFields);
  return convertedPart(without(whole, gone), whole, apiVersion, write)?.value ?? merged;
}

function ownFields({ value, type }: Typed): FieldSet {
  return withNamedFields(fieldSetOf(value, type), type);
}

function without(object: Versioned, fields: FieldSet): Versioned {
  const left = removeFields(object.value, fields, object.type);
  return { ...object, value: isJsonObject(left) ? left : {} };
}

/** Converts an object; undefined where its new version is gone. */
function converted(object: Versioned, to: string, write: OwnershipWrite): Versioned | undefined {
  if (object.apiVersion === to) return object;
  const type = to === write.apiVersion ? write.type : write.versions?.typeOf(to);
  const value = type === undefined ? undefined : write.versions?.convert(object.value, to);
  return type === undefined || value === undefined ? undefined : { value, type, apiVersion: to };
}

/**
 * Converts what is left of an object. Its metadata is the same in all versions, so the converter sees the whole of
 * it: one that looks at names or labels must not stumble over what is pruned.
 */
function convertedPart(part: Versioned, whole: Versioned, to: string, write: OwnershipWrite): Versioned | undefined {
  if (part.apiVersion === to) return part;
  const { metadata, ...rest } = part.value;
  const complete = { ...rest, metadata: metadataOf(whole.value) };
  const there = converted({ ...part, value: complete }, to, write);
  if (there === undefined) return undefined;
  const { metadata: _, ...value } = there.value;
  return { ...there, value: metadata === undefined ? value : { ...value, metadata } };
}

/** All that is owned in each version, beginning with one version, so that conversions find what they need. */
function ownedByVersion(managers: Managers, first: string): readonly (readonly [string, FieldSet])[] {
  const owned = new Map<string, FieldSet>();
  for (const { apiVersion, set } of managers.values()) {
    owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.empty).union(set));
  }
  return [...owned].toSorted(([a], [b]) => Number(b === first) - Number(a === first));
}
