import type { Machine } from "#api";
import { findError, quote } from "#base";
import type { Reader, ReadOptions } from "#control";
import type { Node } from "../core-kinds.ts";
import { ClusterNotConnectedError, NoMatchingNodeError } from "../errors.ts";
import { findNode } from "./find-node.ts";

/** What came of looking for the Node of a Machine. */
export type NodeFinding =
  /** The Machine has no provider id to look for yet. */
  | { readonly kind: "not-sought" }
  | { readonly kind: "found"; readonly node: Node }
  /** It has not joined yet, or goes with its Machine. */
  | { readonly kind: "absent" }
  /** It was there, and is not any more: the pass is retried, and conditions are judged from its absence. */
  | { readonly kind: "lost"; readonly error: NoMatchingNodeError }
  | { readonly kind: "not-connected"; readonly error: unknown }
  | { readonly kind: "failed"; readonly error: unknown };

/** How to look into the cluster of a Machine. */
export interface NodeLookupOptions extends ReadOptions {
  readonly controlPlaneInitialized: boolean;
  /** Sees to it that changes of Nodes wake Machines; throws where the cluster is not connected. */
  readonly watchNodes: () => void;
  /** What reads Nodes; throws where the cluster is not connected. */
  readonly reader: () => Reader;
}

type LookedUpMachine = Pick<Machine, "metadata" | "spec" | "status">;

/** Looks for the Node of a Machine, whether the Machine is coming or going. */
export async function lookUpNode(machine: LookedUpMachine, options: NodeLookupOptions): Promise<NodeFinding> {
  const { controlPlaneInitialized, watchNodes, reader, ...reading } = options;
  try {
    if (controlPlaneInitialized) watchNodes();
    const providerID = machine.spec?.providerID ?? "";
    if (providerID === "") return { kind: "not-sought" };
    const node = await findNode(reader(), providerID, reading);
    return node === undefined ? withoutNode(machine) : { kind: "found", node };
  } catch (error) {
    const isDown = findError(error, ClusterNotConnectedError) !== undefined;
    return { kind: isDown ? "not-connected" : "failed", error };
  }
}

/** The Node that a Machine refers to from now on; one that it refers to already is never replaced. */
export function nodeNameOf({ status }: Pick<Machine, "status">, finding: NodeFinding): string | undefined {
  const known = status?.nodeRef?.name ?? "";
  if (known !== "") return known;
  return finding.kind === "found" ? finding.node.metadata.name : undefined;
}

function withoutNode({ metadata, status }: LookedUpMachine): NodeFinding {
  const hasNode = (status?.nodeRef?.name ?? "") !== "";
  if (metadata.deletionTimestamp !== undefined || !hasNode) return { kind: "absent" };
  const { name = "", namespace = "" } = metadata;
  const sought = `no matching Node for Machine ${quote(name)} in namespace ${quote(namespace)}`;
  return { kind: "lost", error: new NoMatchingNodeError(`${sought}: cannot find node with matching ProviderID`) };
}
