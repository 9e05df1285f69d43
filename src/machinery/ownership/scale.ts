import type { JsonSchema } from "../schema/json-schema.ts";
import type { ManagedFieldsEntry } from "../object.ts";
import { FieldSet, type Path } from "./field-set.ts";
import { decodeManagers, encodeManagers, type Manager } from "./managers.ts";
import { objectTypeOf } from "./value-type.ts";

const scaleApiVersion = "autoscaling/v1";
const scaleReplicas: Path = ["f:spec", "f:replicas"];
const onlyReplicas = FieldSet.of(scaleReplicas);

const scaleSchema: JsonSchema = {
  type: "object",
  properties: {
    spec: { type: "object", properties: { replicas: { type: "integer" } } },
    status: {
      type: "object",
      properties: { replicas: { type: "integer" }, selector: { type: "string" } },
    },
  },
};

/** The type of `autoscaling/v1 Scale`, in which the scale endpoint writes. */
export const scaleType = objectTypeOf(scaleSchema);

/** Where each version of a kind keeps its replicas: undefined in one without the scale endpoint. */
export type ReplicasPaths = ReadonlyMap<string, Path | undefined>;

/** The managers of an object's replicas, as managers of its Scale. */
export function scaleEntries(
  parent: readonly ManagedFieldsEntry[],
  replicas: ReplicasPaths,
): readonly ManagedFieldsEntry[] | undefined {
  const managers = new Map<string, Manager>();
  for (const [id, manager] of decodeManagers(parent)) {
    const path = replicas.get(manager.apiVersion);
    if (path === undefined || !manager.set.has(path)) continue;
    managers.set(id, { ...manager, apiVersion: scaleApiVersion, set: onlyReplicas, entry: undefined });
  }
  return encodeManagers(managers);
}

/** The managedFields of an object after a write to its Scale, in the version of that write. */
export function parentEntries(
  parent: readonly ManagedFieldsEntry[],
  scale: readonly ManagedFieldsEntry[],
  { apiVersion, replicas }: { readonly apiVersion: string; readonly replicas: ReplicasPaths },
): readonly ManagedFieldsEntry[] | undefined {
  const scalers = decodeManagers(scale);
  const managers = new Map<string, Manager>();
  const times = new Map<string, string | undefined>();
  for (const [id, manager] of decodeManagers(parent)) {
    times.set(id, manager.time);
    if (!replicas.has(manager.apiVersion)) continue;
    const path = replicas.get(manager.apiVersion);
    if (path === undefined || !manager.set.has(path) || scalers.delete(id)) managers.set(id, manager);
    else {
      const set = manager.set.difference(FieldSet.of(path));
      if (!set.isEmpty) managers.set(id, { ...manager, set, entry: undefined });
    }
  }
  const path = replicas.get(apiVersion);
  for (const [id, manager] of scalers) {
    if (path === undefined || !manager.set.has(scaleReplicas)) continue;
    // Whoever takes the replicas through the Scale has no time of its own unless it was known before: so in Kubernetes.
    managers.set(id, { ...manager, apiVersion, set: FieldSet.of(path), time: times.get(id), entry: undefined });
  }
  return encodeManagers(managers);
}
