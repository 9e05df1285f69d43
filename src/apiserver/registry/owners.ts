import { deepEqual, type KubeObject, type OwnerReference, type WriteOptions } from "#machinery";

const advice =
  "; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your " +
  "requests; duplicate UID(s) observed: ";

/** An object without owners that are named twice, and a warning of them. */
export function withDistinctOwners(
  object: KubeObject,
  { onWarning }: WriteOptions,
  when: "as-sent" | "after-plugins" = "as-sent",
): KubeObject {
  const { ownerReferences: owners = [] } = object.metadata;
  if (owners.length < 2) return object;
  const distinct: OwnerReference[] = [];
  const repeated: string[] = [];
  for (const owner of owners) {
    if (distinct.some((each) => deepEqual(each, owner))) repeated.push(owner.uid);
    else distinct.push(owner);
  }
  if (repeated.length === 0) return object;
  const found = when === "as-sent" ? "" : " after mutating admission happens";
  onWarning?.(`.metadata.ownerReferences contains duplicate entries${found}${advice}${repeated.join(", ")}`);
  return { ...object, metadata: { ...object.metadata, ownerReferences: distinct } };
}
