import type { ServedKind } from "#client";
import type { Timestamp } from "#base";
import { apiVersionOf, type GroupVersionKind, type KubeObject } from "#machinery";

/** A machine of a cluster, as far as this program looks at it. */
export interface Node extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  };
  readonly status?: {
    readonly conditions?: readonly NodeStatusCondition[];
    readonly nodeInfo?: { readonly [name: string]: unknown };
    readonly volumesAttached?: readonly { readonly name: string }[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
  };
}

/** What a kubelet says of its Node. */
export interface NodeStatusCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: Timestamp | null;
}

/** A Pod, as far as draining looks at it. */
export interface Pod extends KubeObject {
  readonly spec?: {
    readonly nodeName?: string;
    readonly volumes?: readonly {
      readonly emptyDir?: object | null;
      readonly persistentVolumeClaim?: { readonly claimName: string };
    }[];
  };
  readonly status?: { readonly phase?: string };
}

/** A volume of the cluster, as far as waiting for its detachment looks at it. */
export interface PersistentVolume extends KubeObject {
  readonly spec?: {
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
    readonly claimRef?: { readonly kind?: string; readonly namespace?: string; readonly name?: string };
  };
}

/** Says that a volume is to be attached to a Node, and whether it is. */
export interface VolumeAttachment extends KubeObject {
  readonly spec?: { readonly nodeName?: string; readonly source?: { readonly persistentVolumeName?: string } };
  readonly status?: { readonly attached?: boolean };
}

/** Nodes of a workload cluster. */
export const Node = clusterWide<Node>({ group: "", version: "v1", kind: "Node" }, "nodes");

export const Namespace = clusterWide({ group: "", version: "v1", kind: "Namespace" }, "namespaces");

export const PersistentVolume = clusterWide<PersistentVolume>(
  { group: "", version: "v1", kind: "PersistentVolume" },
  "persistentvolumes",
);

export const VolumeAttachment = clusterWide<VolumeAttachment>(
  { group: "storage.k8s.io", version: "v1", kind: "VolumeAttachment" },
  "volumeattachments",
);

export const Pod: ServedKind<Pod> = namespaced<Pod>({ group: "", version: "v1", kind: "Pod" }, "pods");

export const DaemonSet = namespaced({ group: "apps", version: "v1", kind: "DaemonSet" }, "daemonsets");

export const Secret = namespaced<Secret>({ group: "", version: "v1", kind: "Secret" }, "secrets");

/** A Secret, as far as a kubeconfig is looked for in it. */
export interface Secret extends KubeObject {
  readonly data?: { readonly [key: string]: string };
}

function clusterWide<Obj extends KubeObject>(kind: GroupVersionKind, resource: string): ServedKind<Obj> {
  return served(kind, { resource, namespaced: false });
}

function namespaced<Obj extends KubeObject>(kind: GroupVersionKind, resource: string): ServedKind<Obj> {
  return served(kind, { resource, namespaced: true });
}

/** The server has checked the fields of its own kinds, so that the kind says enough about an object. */
function served<Obj extends KubeObject>(
  { group, version, kind }: GroupVersionKind,
  place: { readonly resource: string; readonly namespaced: boolean },
): ServedKind<Obj> {
  const apiVersion = apiVersionOf({ group, version });
  return {
    group,
    version,
    kind,
    resource: { group, version, resource: place.resource },
    namespaced: place.namespaced,
    is: (object): object is Obj => object.apiVersion === apiVersion && object.kind === kind,
  };
}
