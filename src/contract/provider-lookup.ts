import { CapstanError, describeError, type Timestamp } from "#base";
import { fact, MalformedConditionsError, readCondition, type Status } from "#conditions";
import type { ReadOptions } from "#control";
import { isNotFound, type KubeObject } from "#machinery";
import { getContractVersion } from "./contract-version.ts";
import { getObjectFromContractVersionedRef } from "./external-object.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type ContractVersionedObjectReference, groupKindOf, isDefined } from "./references.ts";

/** The object of a provider that a reference names, as a fact. */
export type ProviderLookup =
  | { readonly kind: "unreferenced" }
  | { readonly kind: "found"; readonly objectKind: string; readonly condition: ProviderCondition }
  | { readonly kind: "absent"; readonly objectKind: string }
  | { readonly kind: "failed"; readonly objectKind: string; readonly error: string };

/** The condition of a provider's object that its owner mirrors. */
export type ProviderCondition =
  | {
      readonly kind: "reported";
      readonly status: Status;
      readonly reason: string;
      readonly message: string;
      readonly since?: Timestamp;
    }
  | { readonly kind: "silent" }
  | { readonly kind: "invalid"; readonly error: string };

/** What came of reading the object that a reference names. */
export type ProviderRead =
  | { readonly kind: "found"; readonly object: KubeObject }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly error: string };

/** Reads the object that a reference names, and tells its absence from a failure to read it. */
export async function readProvider(
  reader: ObjectReader,
  ref: Partial<ContractVersionedObjectReference> | undefined,
  options: ReadOptions & { readonly namespace: string },
): Promise<ProviderRead | undefined> {
  if (!isDefined(ref)) return undefined;
  try {
    return { kind: "found", object: await getObjectFromContractVersionedRef(reader, ref, options) };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return isNotFound(error) ? { kind: "absent" } : { kind: "failed", error: describeError(error) };
  }
}

/** What can be seen of an object of a provider, and what it says by contract. */
export interface ProviderSight<Said> {
  readonly lookup: ProviderLookup;
  /** Absent where there is no object, or where it cannot be understood. */
  readonly said?: Said;
}

/** Looks at the object that a reference names; what it says against the contract counts as a failure to read it. */
export async function observeProvider<Said>(
  reader: ObjectReader,
  ref: Partial<ContractVersionedObjectReference> | undefined,
  options: ReadOptions & {
    readonly namespace: string;
    /** The condition that is mirrored, and the reason it gets where a provider gives none. */
    readonly mirrors: { readonly type: string; readonly goodReason: string };
    readonly says: (object: KubeObject, contractVersion: string) => Said;
  },
): Promise<ProviderSight<Said>> {
  const { mirrors, says, ...reading } = options;
  const read = await readProvider(reader, ref, reading);
  const lookup = providerLookup(ref, read, mirrors);
  if (ref === undefined || read?.kind !== "found") return { lookup };
  const { signal } = reading;
  try {
    const version = await getContractVersion(reader, groupKindOf(ref), signal === undefined ? {} : { signal });
    return { lookup, said: says(read.object, version) };
  } catch (error) {
    if (!(error instanceof CapstanError)) throw error;
    return { lookup: { kind: "failed", objectKind: ref.kind ?? "", error: describeError(error) } };
  }
}

/** What a pass knows about an object of a provider; `type` is the condition that its owner mirrors. */
export function providerLookup(
  reference: Partial<ContractVersionedObjectReference> | undefined,
  read: ProviderRead | undefined,
  { type, goodReason }: { readonly type: string; readonly goodReason: string },
): ProviderLookup {
  if (!isDefined(reference) || read === undefined) return { kind: "unreferenced" };
  const objectKind = reference?.kind ?? "";
  if (read.kind !== "found") return { ...read, objectKind };
  return { kind: "found", objectKind, condition: conditionIn(read.object, type, goodReason) };
}

function conditionIn(object: KubeObject, type: string, goodReason: string): ProviderCondition {
  try {
    const condition = readCondition(object, type);
    if (condition === undefined) return { kind: "silent" };
    const { status, message, lastTransitionTime: since } = condition;
    // A provider of the older contract gives no reason to what is well.
    const reason = condition.reason === "NoReasonReported" && status === "True" ? goodReason : condition.reason;
    return { kind: "reported", status, reason, message, ...(since === undefined ? {} : { since }) };
  } catch (error) {
    if (!(error instanceof MalformedConditionsError)) throw error;
    return { kind: "invalid", error: error.message };
  }
}

/** Reads what a facts file says of an object of a provider. */
export const readProviderLookup = fact.byKind<ProviderLookup>({
  unreferenced: {},
  found: {
    objectKind: fact.text,
    condition: fact.byKind<ProviderCondition>({
      reported: {
        status: fact.oneOf("True", "False", "Unknown"),
        reason: fact.text,
        message: fact.text,
        since: fact.optional(fact.time),
      },
      silent: {},
      invalid: { error: fact.text },
    }),
  },
  absent: { objectKind: fact.text },
  failed: { objectKind: fact.text, error: fact.text },
});
