import { describeError, toError } from "#base";
import { ApiError, badRequest } from "../api-error.ts";
import { describeKind, kindOf } from "../group-version-kind.ts";
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { asJson, type KubeObject, type ManagedFieldsEntry } from "../object.ts";
import { assertOfType, TypedValueError } from "./check-type.ts";
import { type Conflict, conflictError } from "./conflicts.ts";
import { FieldSet } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { fieldsOfLastApplied, takesOver, withLastApplied } from "./last-applied.ts";
import {
  encodeManagers,
  InvalidManagedFieldsError,
  type Manager,
  type Managers,
  sentEntries,
  storedManagers,
} from "./managers.ts";
import { managerId } from "./manager-id.ts";
import { mergeFields } from "./merge-fields.ts";
import { InvalidFieldsError } from "./path-element.ts";
import { prune } from "./prune.ts";
import { deepEqual } from "../equal.ts";
import { assertStored } from "./stored.ts";
import { updateManagers } from "./update-managers.ts";
import { InVersions } from "./versions.ts";
import { effectOf, neverOwned, reconcileManagers, type OwnershipWrite } from "./write.ts";
import { asObject, metadataOf, nothingYet, withManagedFields } from "./written-object.ts";

/** A server-side apply. */
export interface OwnershipApply extends OwnershipWrite {
  /** The stored object; undefined where the apply creates it. */
  readonly live: KubeObject | undefined;
  /** What the manager wants, as it was sent. */
  readonly configuration: KubeObject;
  /** The kind that the endpoint serves. */
  readonly kind: string;
  /** Takes fields from other managers instead of refusing to change them. */
  readonly force: boolean;
}

/** What came of an apply. */
export type ApplyResult =
  | {
      readonly kind: "applied";
      /** The object as it is to be stored; the live object itself where nothing changed at all. */
      readonly object: KubeObject;
      readonly managedFields: readonly ManagedFieldsEntry[] | undefined;
    }
  | { readonly kind: "conflicts"; readonly conflicts: readonly Conflict[]; readonly error: ApiError };

/**
 * Lays a configuration over an object: what it names becomes its manager's, what its manager no longer names and
 * nobody else owns goes. Throws an ApiError for a configuration that is not of its kind.
 */
export function applyConfiguration(application: OwnershipApply): ApplyResult {
  const { configuration, manager, force } = application;
  const stored = readManagers(application.live);
  assertApplicable(application);
  const live = application.live === undefined ? nothingYet(configuration) : asJson(application.live);
  assertTypes(live, application);
  const known = stored.size === 0 ? managersBeforeFirstApply(live, application) : stored;
  const { object, managers, conflicts: found } = lay(live, known, application);
  const conflicts = force ? [] : manager === takesOver ? withoutLastApplied(found, live, application) : found;
  if (conflicts.length > 0) return { kind: "conflicts", conflicts, error: conflictError(conflicts) };
  const managedFields = encodeManagers(managers, application.live?.metadata.managedFields);
  const merged = manager === takesOver ? withLastApplied(object, asJson(configuration)) : object;
  return { kind: "applied", object: asObject(withManagedFields(merged, managedFields)), managedFields };
}

/** What a configuration makes of an object and its managers, if nobody minds. */
interface Laid {
  readonly object: JsonObject;
  readonly managers: Managers;
  readonly conflicts: readonly Conflict[];
}

/** Merges, prunes and finds out what that takes from others. */
function lay(live: JsonObject, stored: Managers, application: OwnershipApply): Laid {
  const { apiVersion, type, versions, reset = FieldSet.empty } = application;
  const configuration = asJson(application.configuration);
  const applier = applierOf(application);
  const known = new Map(reconcileManagers(stored, application));
  const last = known.get(applier.id);
  const set = fieldSetOf(configuration, type, last?.set).differenceBelow(reset);
  known.set(applier.id, { ...applier, set });
  const merged = mergeFields(live, configuration, type);
  const whole = isJsonObject(merged) ? merged : live;
  const left = last === undefined ? whole : prune(whole, last, known, application);
  const next = left !== whole && deepEqual(live, left) ? live : left;
  const before = new InVersions(apiVersion, { value: live, type }, versions);
  const after = new InVersions(apiVersion, { value: next, type }, versions);
  const { managers, conflicts } = effectOf({ before, after, by: applier.id }, known, application);
  const owned = set.difference(neverOwned);
  if (owned.isEmpty) managers.delete(applier.id);
  else managers.set(applier.id, renewed({ ...applier, set: owned }, last, { changed: next !== live }));
  return { object: next, managers, conflicts };
}

/** An applier as it goes on: an apply that leaves the object as it is leaves the time as it is too. */
function renewed(applier: Manager, last: Manager | undefined, { changed }: { readonly changed: boolean }): Manager {
  const time = changed ? applier.time : last?.time;
  if (last === undefined || !last.set.equals(applier.set)) return { ...applier, time };
  const isSame = last.time === time && last.apiVersion === applier.apiVersion;
  return isSame ? last : { ...applier, set: last.set, time };
}

function applierOf({ manager, apiVersion, subresource = "", now }: OwnershipWrite): Omit<Manager, "set"> {
  const parts = { name: manager === "" ? "unknown" : manager, operation: "Apply", apiVersion, subresource } as const;
  return { ...parts, id: managerId(parts), time: now };
}

function withoutLastApplied(
  conflicts: readonly Conflict[],
  live: JsonObject,
  write: OwnershipWrite,
): readonly Conflict[] {
  const allowed = conflicts.length === 0 ? undefined : fieldsOfLastApplied(live, write);
  if (allowed === undefined) return conflicts;
  return conflicts
    .map(({ manager, fields }) => ({ manager, fields: fields.difference(allowed) }))
    .filter(({ fields }) => !fields.isEmpty);
}

/** What was there before anybody's fields were kept is booked to a manager of its own, so that no applier takes it. */
function managersBeforeFirstApply(live: JsonObject, application: OwnershipApply): Managers {
  if (application.live === undefined) return new Map();
  const before = nothingYet(application.configuration);
  return updateManagers({ before, after: live }, new Map(), { ...application, manager: "before-first-apply" });
}

function readManagers(live: KubeObject | undefined): Managers {
  try {
    return storedManagers(live?.metadata.managedFields);
  } catch (error) {
    if (!(error instanceof InvalidManagedFieldsError || error instanceof InvalidFieldsError)) throw error;
    throw failure(`failed to decode managed fields: ${describeError(error)}`, error);
  }
}

function assertApplicable({ configuration, apiVersion, kind }: OwnershipApply): void {
  if (configuration.apiVersion !== apiVersion || configuration.kind !== kind) {
    throw badRequest(`invalid object type: ${describeKind(kindOf(configuration))}`);
  }
  if (sentEntries(metadataOf(asJson(configuration))["managedFields"]) !== undefined) {
    throw badRequest("metadata.managedFields must be nil");
  }
}

function assertTypes(live: JsonObject, { configuration, type }: OwnershipApply): void {
  const applied = asJson(configuration);
  try {
    assertOfType(applied, type, { duplicates: "refused" });
  } catch (error) {
    throw typeFailure("patch", applied, error);
  }
  try {
    assertStored(live, type);
  } catch (error) {
    throw typeFailure("live", live, error);
  }
}

function typeFailure(what: "patch" | "live", object: JsonObject, error: unknown): Error {
  if (!(error instanceof TypedValueError)) return toError(error);
  const { name, namespace } = metadataOf(object);
  const key = `${textOf(namespace)}/${textOf(name)}`;
  const kind = describeKind(kindOf({ apiVersion: textOf(object["apiVersion"]), kind: textOf(object["kind"]) }));
  return failure(`failed to create typed ${what} object (${key}; ${kind}): ${error.message}`, error);
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** A failure that Kubernetes reports without a reason. */
function failure(message: string, cause: Error): ApiError {
  return new ApiError({ httpCode: 500, reason: "", message, cause });
}
