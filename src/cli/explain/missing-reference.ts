import { Cluster, Machine } from "#api";
import { CapstanError } from "#base";
import { compareText } from "#conditions";
import { type ContractVersionedObjectReference, getApiVersion, groupKindOf, readProvider } from "#contract";
import { describeKey, kindOf, type KubeObject } from "#machinery";
import type { Situation } from "./situation.ts";

/** An object of a provider that is referenced and could not be read. */
export interface MissingReference {
  /** With its kind and namespace: `DevMachine default/worker`. */
  readonly object: string;
  /** The field that names it. */
  readonly field: string;
  /** What there is of its kind in the namespace; absent where it cannot be told that it does not exist. */
  readonly others?: readonly string[];
}

/** The object of a provider that a condition mirrors. */
export async function referenceOf(
  object: KubeObject,
  type: string,
  { reader, signal }: Pick<Situation, "reader" | "signal">,
): Promise<MissingReference | undefined> {
  const found = referenceIn(object, type);
  if (found?.ref?.kind === undefined) return undefined;
  const { ref, field } = found;
  const { namespace = "" } = object.metadata;
  const named = { object: `${ref.kind} ${describeKey({ namespace, name: ref.name ?? "" })}`, field: `${field}.name` };
  const read = await readProvider(reader, ref, { namespace, signal });
  if (read?.kind !== "absent") return named;
  const groupKind = groupKindOf(ref);
  try {
    const apiVersion = await getApiVersion(reader, groupKind, { signal });
    const others = await reader.list(kindOf({ apiVersion, kind: groupKind.kind }), { namespace, signal });
    return { ...named, others: others.map(({ metadata }) => metadata.name ?? "").toSorted(compareText) };
  } catch (error) {
    // Not everybody who may read one object may list all.
    if (error instanceof CapstanError) return named;
    throw error;
  }
}

/** The same for people: `DevMachine default/typo, as spec.infrastructureRef.name says: there are a, b`. */
export function referenceText({ object, field, others }: MissingReference): string {
  return `${object}, as ${field} says${others === undefined ? "" : `: ${thereAre(others)}`}`;
}

const mostNames = 10;

/** What there is instead of something that does not exist. */
export function thereAre(names: readonly string[]): string {
  if (names.length === 0) return "there is none";
  return `there ${names.length === 1 ? "is" : "are"} ${names.slice(0, mostNames).join(", ")}${names.length > mostNames ? ", …" : ""}`;
}

interface Reference {
  readonly field: string;
  readonly ref: Partial<ContractVersionedObjectReference> | undefined;
}

function referenceIn(object: KubeObject, type: string): Reference | undefined {
  if (Machine.is(object)) {
    const { infrastructureRef, bootstrap } = object.spec;
    if (type === "InfrastructureReady") return { field: "spec.infrastructureRef", ref: infrastructureRef };
    return type === "BootstrapConfigReady"
      ? { field: "spec.bootstrap.configRef", ref: bootstrap.configRef }
      : undefined;
  }
  if (!Cluster.is(object)) return undefined;
  const { infrastructureRef, controlPlaneRef } = object.spec;
  if (type === "InfrastructureReady") return { field: "spec.infrastructureRef", ref: infrastructureRef };
  return type === "ControlPlaneAvailable" || type === "ControlPlaneInitialized"
    ? { field: "spec.controlPlaneRef", ref: controlPlaneRef }
    : undefined;
}
