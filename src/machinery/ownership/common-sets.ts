import type { JsonObject } from "../json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../object.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeFields } from "./fields-v1.ts";

// Few managers write thousands of objects, each of them the same fields of every object: what they own is the larger
// part of what an object takes in memory, unless it is kept once for all of them.
const sets = new Map<string, FieldSet>();
const common = new WeakSet<FieldSet>();
const mostSets = 512;
const longestText = 16 * 1024;

/** The one that stands for all sets of the same fields; the set itself where it is the first, or too large to be common. */
export function commonSet(set: FieldSet): FieldSet {
  if (common.has(set)) return set;
  return commonWith(JSON.stringify(set.fields), () => set) ?? set;
}

/** An object that has just been read, with the fields of its managers where those of equal ones are. */
export function withCommonFields(object: KubeObject): KubeObject {
  const { managedFields } = object.metadata;
  if (!Array.isArray(managedFields)) return object;
  return { ...object, metadata: { ...object.metadata, managedFields: managedFields.map(withCommon) } };
}

function withCommon(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const { fieldsV1 } = entry;
  if (fieldsV1 === undefined || fieldsV1 === null) return entry;
  const set = commonWith(JSON.stringify(fieldsV1), () => canonicalSet(fieldsV1));
  return set === undefined ? entry : { ...entry, fieldsV1: set.fields };
}

/** The set of fields that are written as the set itself would write them. */
function canonicalSet(fields: JsonObject): FieldSet | undefined {
  const set = decodeFields(fields);
  return set.fields === fields ? set : undefined;
}

function commonWith(text: string, read: () => FieldSet | undefined): FieldSet | undefined {
  const known = sets.get(text);
  if (known !== undefined || text.length > longestText) return known;
  const set = read();
  if (set === undefined) return undefined;
  if (sets.size === mostSets) sets.clear();
  sets.set(text, set);
  common.add(set);
  return set;
}
