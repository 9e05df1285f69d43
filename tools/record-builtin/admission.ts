import { isJsonObject, type Json, type JsonObject } from "#machinery";

/** What admission plug-ins of the real server, and its clock, add to objects of some kinds. */
const added: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Pod: { spec: ["tolerations", "priority", "preemptionPolicy"] },
  Node: { spec: ["taints"] },
  PersistentVolume: { metadata: ["finalizers"], status: ["lastPhaseTransitionTime"] },
  PersistentVolumeClaim: { metadata: ["finalizers"] },
};

/** An object as its kind alone would have made it. */
export function withoutAdmission(object: JsonObject): JsonObject {
  const kind = typeof object["kind"] === "string" ? object["kind"] : "";
  const parts = Object.entries(added[kind] ?? {});
  const changed = parts.map(([part, names]) => [part, without(object[part], names)] as const);
  return { ...object, ...Object.fromEntries(changed) };
}

function without(part: Json | undefined, names: readonly string[]): Json {
  if (!isJsonObject(part)) return part ?? {};
  return Object.fromEntries(Object.entries(part).filter(([name]) => !names.includes(name)));
}
