import type { KubeObject, ObjectMeta } from "#machinery";
import { Node, type NodeStatusCondition } from "../core-kinds.ts";

/**
 * What is read of Nodes: who they are, where they run, and how they are. Images, sizes and the times of heartbeats, which
 * make up most of a Node and most of its changes, are not.
 */
export function keepNode(object: KubeObject): KubeObject {
  if (!Node.is(object)) return object;
  const { apiVersion, kind, metadata, spec, status } = object;
  const { providerID, unschedulable, taints } = spec ?? {};
  const { conditions, nodeInfo } = status ?? {};
  return {
    apiVersion,
    kind,
    metadata: withoutManagers(metadata),
    spec: { ...present({ providerID, unschedulable, taints }) },
    status: { ...present({ conditions: conditions?.map(keptCondition), nodeInfo }) },
  };
}

function withoutManagers(metadata: ObjectMeta): ObjectMeta {
  const { managedFields: _, ...kept } = metadata;
  return kept;
}

function keptCondition({
  type,
  status,
  reason,
  message,
  lastTransitionTime,
}: NodeStatusCondition): NodeStatusCondition {
  return { type, status, ...present({ reason, message, lastTransitionTime }) };
}

function present<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is undefined has just been left out
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
