import { CapstanError, InvalidTimestampError, parseTimestamp, quote } from "#base";
import { isJsonObject, type Json } from "../json.ts";
import type { ManagedFieldsEntry } from "../object.ts";
import { commonSet } from "./common-sets.ts";
import type { FieldSet } from "./field-set.ts";
import { decodeFields } from "./fields-v1.ts";
import { managerId, type ManagerParts } from "./manager-id.ts";
import { compareText } from "./path-element.ts";

/** What one manager owns: an applier per subresource, an updater per subresource and API version. */
export interface Manager extends ManagerParts {
  /** Names the manager among those of its object, and sorts them in messages. */
  readonly id: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
  /** The entry it was read from, where that needs no other words. */
  readonly entry?: ManagedFieldsEntry | undefined;
}

/** The managers of an object by their ids. */
export type Managers = ReadonlyMap<string, Manager>;

/** A `managedFields` that cannot be read. */
export class InvalidManagedFieldsError extends CapstanError {
  readonly code = "INVALID_MANAGED_FIELDS";
}

const knownManagers = new WeakMap<ManagedFieldsEntry, Manager>();

/** Reads `managedFields`. Of entries for the same manager the last counts. */
export function decodeManagers(entries: readonly ManagedFieldsEntry[]): Map<string, Manager> {
  const managers = new Map<string, Manager>();
  for (const [index, entry] of entries.entries()) {
    const manager = knownManagers.get(entry) ?? decodeManager(entry, index);
    managers.set(manager.id, manager);
  }
  return managers;
}

const knownLists = new WeakMap<readonly ManagedFieldsEntry[], Managers>();
const nobody: Managers = new Map();

/** Reads the `managedFields` of a stored object, each list once. What is no list of entries counts as none. */
export function storedManagers(entries: readonly ManagedFieldsEntry[] | undefined): Managers {
  if (entries === undefined) return nobody;
  const known = knownLists.get(entries);
  if (known !== undefined) return known;
  const managers = decodeManagers(sentEntries(entries) ?? []);
  knownLists.set(entries, managers);
  return managers;
}

/** Writes `managedFields`, sorted; undefined where nobody owns anything, and the stored list where that says the same. */
export function encodeManagers(
  managers: Managers,
  stored?: readonly ManagedFieldsEntry[],
): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  const all = [...managers.values()];
  // Mostly they are as they were read, in that order.
  if (areStored(all, stored)) return stored;
  const sorted = all.toSorted(compareManagers);
  return areStored(sorted, stored) ? stored : sorted.map(entryOf);
}

function areStored(managers: readonly Manager[], stored: readonly ManagedFieldsEntry[] | undefined): boolean {
  return stored?.length === managers.length && managers.every(({ entry }, index) => entry === stored[index]);
}

/**
 * The entries a client sent; undefined where it sent none, or sent something that is no list of entries: then the
 * stored ones count, so that clients which do not know of managedFields cannot lose them.
 */
export function sentEntries(managedFields: unknown): readonly ManagedFieldsEntry[] | undefined {
  return Array.isArray(managedFields) && managedFields.every(isEntry) ? managedFields : undefined;
}

/** True for the two ways of asking to forget all managers: `[]` and `[{}]`. */
export function isReset(entries: readonly ManagedFieldsEntry[]): boolean {
  const [first, second] = entries;
  if (first === undefined) return true;
  return second === undefined && Object.values(first).every((value) => value === "" || value === null);
}

const textFields = ["manager", "operation", "apiVersion", "fieldsType", "subresource"] as const;
const entryFields: ReadonlySet<string> = new Set([...textFields, "time", "fieldsV1"]);
const canonicalTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

function isEntry(entry: unknown): entry is ManagedFieldsEntry {
  if (!isJsonObject(entry)) return false;
  return textFields.every((field) => isTextOrNothing(entry[field])) && isTimeOrNothing(entry["time"]);
}

function isTextOrNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || typeof value === "string";
}

function isTimeOrNothing(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "string") return false;
  if (canonicalTime.test(value)) return true;
  try {
    parseTimestamp(value);
    return true;
  } catch (error) {
    if (error instanceof InvalidTimestampError) return false;
    throw error;
  }
}

function decodeManager(entry: ManagedFieldsEntry, index: number): Manager {
  const { operation, apiVersion, fieldsType, subresource, time, fieldsV1 } = entry;
  if (operation !== "Apply" && operation !== "Update") {
    throw new InvalidManagedFieldsError("operation must be `Apply` or `Update`");
  }
  if (apiVersion === undefined || apiVersion === "")
    throw new InvalidManagedFieldsError("apiVersion must not be empty");
  if (fieldsType === undefined || fieldsType === "") {
    throw new InvalidManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  }
  if (fieldsType !== "FieldsV1") {
    throw new InvalidManagedFieldsError(`invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}`);
  }
  const set = decodeFields(fieldsV1 ?? {});
  const manager = describeManager({ name: entry.manager ?? "", operation, apiVersion, subresource, time, set });
  const decoded = isCanonical(entry, manager) ? { ...manager, entry } : manager;
  knownManagers.set(entry, decoded);
  return decoded;
}

function describeManager(parts: {
  readonly name: string;
  readonly operation: "Apply" | "Update";
  readonly apiVersion: string;
  readonly subresource: string | null | undefined;
  readonly time: string | null | undefined;
  readonly set: FieldSet;
}): Manager {
  const { name, operation, apiVersion, set } = parts;
  const subresource = parts.subresource ?? "";
  const time = parts.time === undefined || parts.time === null ? undefined : canonical(parts.time);
  return {
    id: managerId({ name, operation, apiVersion, subresource }),
    name,
    operation,
    apiVersion,
    subresource,
    time,
    set,
  };
}

function canonical(time: string): string {
  return canonicalTime.test(time) ? time : parseTimestamp(time);
}

function isCanonical(entry: ManagedFieldsEntry, manager: Manager): boolean {
  const wordings = entry.time === manager.time && entry.fieldsV1 === manager.set.fields;
  return (
    wordings &&
    Object.entries(entry).every(([field, value]) => entryFields.has(field) && value !== "" && value !== null)
  );
}

function entryOf(manager: Manager): ManagedFieldsEntry {
  if (manager.entry !== undefined) return manager.entry;
  const { name, operation, apiVersion, subresource, time } = manager;
  const set = commonSet(manager.set);
  const entry: ManagedFieldsEntry = Object.freeze({
    apiVersion,
    fieldsType: "FieldsV1",
    fieldsV1: set.fields,
    ...(name === "" ? {} : { manager: name }),
    operation,
    ...(subresource === "" ? {} : { subresource }),
    ...(time === undefined ? {} : { time }),
  });
  knownManagers.set(entry, { ...manager, set, entry });
  return entry;
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    // Times of one form compare as texts, and an entry without one is the oldest.
    compareText(a.time ?? "", b.time ?? "") ||
    compareText(a.name, b.name) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}
