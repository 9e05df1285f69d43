import { asJson, type KubeObject, type ManagedFieldsEntry } from "../object.ts";
import { TypedValueError } from "./check-type.ts";
import { FieldSet } from "./field-set.ts";
import {
  decodeManagers,
  encodeManagers,
  InvalidManagedFieldsError,
  isReset,
  type Managers,
  sentEntries,
  storedManagers,
} from "./managers.ts";
import { InvalidFieldsError } from "./path-element.ts";
import { assertStored } from "./stored.ts";
import { foldAncient, updateManagers } from "./update-managers.ts";
import type { OwnershipWrite } from "./write.ts";
import { nothingYet, withManagedFields } from "./written-object.ts";

/** A create, update or patch, as far as ownership goes. */
export interface OwnershipUpdate extends OwnershipWrite {
  /** The stored object; undefined where the write creates it. */
  readonly live: KubeObject | undefined;
  /** The object as it is to be stored, with the managedFields that the client sent, if it sent any. */
  readonly next: KubeObject;
}

const listOfManagers = FieldSet.of(["f:metadata", "f:managedFields"]);

/**
 * The managedFields of an object after a create, an update or a patch other than apply; undefined for none.
 * The client may have set them itself, or asked to forget them with `[]` or `[{}]`; an object that is stored without
 * any gets none before its first apply.
 */
export function applyUpdate(update: OwnershipUpdate): readonly ManagedFieldsEntry[] | undefined {
  const live = update.live === undefined ? nothingYet(update.next) : asJson(update.live);
  const managers = managersBefore(update);
  if (managers.size === 0 && hasUid(update.live)) return undefined;
  // With the same list in both, the comparison need not look at it; that it is new is known.
  const stored = update.live?.metadata.managedFields;
  const after = withManagedFields(asJson(update.next), stored);
  try {
    assertStored(live, update.type);
    assertStored(after, update.type, live);
  } catch (error) {
    // Objects that do not fit their schema lose their managers rather than keep wrong ones.
    if (error instanceof TypedValueError) return undefined;
    throw error;
  }
  const removed = stored === undefined ? FieldSet.empty : listOfManagers;
  const updated = foldAncient(updateManagers({ before: live, after, removed }, managers, update));
  return encodeManagers(updated, stored);
}

function managersBefore({ live, next, subresource = "" }: OwnershipUpdate): Managers {
  const stored = live?.metadata.managedFields;
  const given = subresource === "" ? next.metadata.managedFields : undefined;
  const sent = given === stored ? undefined : sentEntries(given);
  if (sent === undefined) return readable(() => storedManagers(stored));
  if (isReset(sent)) return new Map();
  const managers = readable(() => decodeManagers(sent));
  return managers.size === 0 ? readable(() => storedManagers(stored)) : managers;
}

function readable(read: () => Managers): Managers {
  try {
    return read();
  } catch (error) {
    if (error instanceof InvalidManagedFieldsError || error instanceof InvalidFieldsError) return new Map();
    throw error;
  }
}

function hasUid(object: KubeObject | undefined): boolean {
  return object?.metadata.uid !== undefined && object.metadata.uid !== "";
}
