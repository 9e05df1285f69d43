import { asJson, type KubeObject, type ManagedFieldsEntry } from "../object.ts";
import { TypedValueError } from "./check-type.ts";
import {
  decodeManagers,
  encodeManagers,
  InvalidManagedFieldsError,
  isReset,
  type Manager,
  sentEntries,
} from "./managers.ts";
import { InvalidFieldsError } from "./path-element.ts";
import { assertStored } from "./stored.ts";
import { foldAncient, updateManagers } from "./update-managers.ts";
import type { OwnershipWrite } from "./write.ts";
import { metadataOf, nothingYet, withManagedFields } from "./written-object.ts";

/** A create, update or patch, as far as ownership goes. */
export interface OwnershipUpdate extends OwnershipWrite {
  /** The stored object; undefined where the write creates it. */
  readonly live: KubeObject | undefined;
  /** The object as it is to be stored, with the managedFields that the client sent, if it sent any. */
  readonly next: KubeObject;
}

/**
 * The managedFields of an object after a create, an update or a patch other than apply; undefined for none.
 * The client may have set them itself, or asked to forget them with `[]` or `[{}]`; an object that is stored without
 * any gets none before its first apply.
 */
export function applyUpdate(update: OwnershipUpdate): readonly ManagedFieldsEntry[] | undefined {
  const live = update.live === undefined ? nothingYet(update.next) : asJson(update.live);
  const managers = managersBefore(update);
  if (managers.size === 0 && hasUid(update.live)) return undefined;
  const after = withManagedFields(asJson(update.next), undefined);
  try {
    assertStored(after, update.type);
    assertStored(live, update.type);
  } catch (error) {
    // Objects that do not fit their schema lose their managers rather than keep wrong ones.
    if (error instanceof TypedValueError) return undefined;
    throw error;
  }
  const updated = foldAncient(updateManagers({ before: live, after }, managers, update));
  return encodeManagers(updated, update.live?.metadata.managedFields);
}

function managersBefore({ live, next, subresource = "" }: OwnershipUpdate): Map<string, Manager> {
  const stored = sentEntries(live?.metadata.managedFields) ?? [];
  const sent = subresource === "" ? sentEntries(metadataOf(asJson(next))["managedFields"]) : undefined;
  if (sent === undefined || sent === stored) return readable(stored);
  if (isReset(sent)) return new Map();
  const managers = readable(sent);
  return managers.size === 0 ? readable(stored) : managers;
}

function readable(entries: readonly ManagedFieldsEntry[]): Map<string, Manager> {
  try {
    return decodeManagers(entries);
  } catch (error) {
    if (error instanceof InvalidManagedFieldsError || error instanceof InvalidFieldsError) return new Map();
    throw error;
  }
}

function hasUid(object: KubeObject | undefined): boolean {
  return object?.metadata.uid !== undefined && object.metadata.uid !== "";
}
