import { asJson, fieldAt, isJsonObject, type KubeObject, type ObjectMeta } from "#machinery";
import type { Target } from "./resources.ts";

/** What a writer proposed, with everything that this endpoint may not change taken from the object as it is. */
export function inherited(target: Target, subresource: string, proposed: KubeObject, old: KubeObject): KubeObject {
  if (subresource === "status") return statusOnly(target, proposed, old);
  if (subresource === "approval") return statusOnly(target, withConditionsOf(proposed, old), old);
  const metadata = inheritedMetadata(proposed.metadata, old.metadata);
  const object = metadata === proposed.metadata ? proposed : { ...proposed, metadata };
  return target.version.subresources.status ? withStatusOf(object, old) : object;
}

/** The status endpoint changes the status alone, and of built-in kinds the labels and annotations too. */
function statusOnly({ definition }: Target, proposed: KubeObject, old: KubeObject): KubeObject {
  const { managedFields: _, ...kept } = old.metadata;
  const { managedFields } = proposed.metadata;
  const metadata = definition.behaviour.statusWritesMetadata
    ? inheritedMetadata(proposed.metadata, old.metadata)
    : { ...kept, ...(managedFields === undefined ? {} : { managedFields }) };
  return withStatusOf({ ...old, metadata }, proposed);
}

/** Who approves has nothing to say about the rest of the status. */
function withConditionsOf(proposed: KubeObject, old: KubeObject): KubeObject {
  const [before, conditions] = [asJson(old)["status"], fieldAt(proposed, "status", "conditions")];
  const status = isJsonObject(before) ? before : {};
  return { ...proposed, status: conditions === undefined ? status : { ...status, conditions } };
}

function withStatusOf(object: KubeObject, source: KubeObject): KubeObject {
  if (Object.hasOwn(source, "status")) {
    return object["status"] === source["status"] ? object : { ...object, status: source["status"] };
  }
  if (!Object.hasOwn(object, "status")) return object;
  const { status: _, ...rest } = object;
  return { ...rest, apiVersion: object.apiVersion, kind: object.kind, metadata: object.metadata };
}

const serverFields = [
  "uid",
  "creationTimestamp",
  "resourceVersion",
  "generation",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
] as const;

/** What is left out of an update stays as it is, where only the server may set it; an end that has begun goes on. */
function inheritedMetadata(next: ObjectMeta, old: ObjectMeta): ObjectMeta {
  // Who writes back what was read has it all in place.
  if (serverFields.every((name) => next[name] === old[name])) return next;
  const {
    generation: _generation,
    deletionTimestamp: givenEnd,
    deletionGracePeriodSeconds: givenGrace,
    ...given
  } = next;
  const end = old.deletionTimestamp ?? givenEnd;
  const grace = old.deletionTimestamp === undefined ? givenGrace : old.deletionGracePeriodSeconds;
  const uid = given.uid === undefined || given.uid === "" ? old.uid : given.uid;
  return {
    ...given,
    ...(uid === undefined ? {} : { uid }),
    ...(old.creationTimestamp === undefined ? {} : { creationTimestamp: old.creationTimestamp }),
    ...(old.resourceVersion === undefined ? {} : { resourceVersion: old.resourceVersion }),
    ...(old.generation === undefined ? {} : { generation: old.generation }),
    ...(end === undefined ? {} : { deletionTimestamp: end }),
    ...(grace === undefined ? {} : { deletionGracePeriodSeconds: grace }),
  };
}
