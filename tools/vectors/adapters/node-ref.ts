import type { Machine } from "#api";
import { wrap } from "#base";
import type { Reader } from "#control";
import { internalError } from "#machinery";
import { ClusterNotConnectedError, lookUpNode, type Node, type NodeFinding, nodeNameOf } from "#workload";
import type { Adapters } from "./adapter.ts";
import { recorded } from "./recorded.ts";

interface Recorded {
  readonly controlPlaneInitialized?: boolean;
  readonly connected?: boolean;
  readonly listNodesFails?: boolean;
  readonly machine: Machine;
  readonly nodes?: readonly Node[];
}

/** The look for the Node of a Machine in a recorded cluster. */
export const nodeRef: Adapters = {
  "*": recorded(async (input: Recorded) => {
    const finding = await lookUpNode(input.machine, {
      controlPlaneInitialized: input.controlPlaneInitialized === true,
      watchNodes: () => connected(input, "error creating watch machine-watchNodes for Node"),
      reader: () => {
        connected(input, "error getting client reader");
        return readerOf(input);
      },
    });
    return {
      error: "error" in finding,
      nodeGetError: nodeGetErrorOf(finding),
      node: finding.kind === "found" ? finding.node.metadata.name : null,
      nodeRef: nodeNameOf(input.machine, finding) ?? null,
      // Looking for a Node never asks for another pass at a time of its own.
      requeueAfterSeconds: 0,
    };
  }),
};

function connected({ connected: isConnected = false }: Recorded, doing: string): void {
  if (!isConnected) throw wrap(new ClusterNotConnectedError(), doing);
}

function readerOf({ listNodesFails = false, nodes = [] }: Recorded): Reader {
  return {
    get: refused,
    find: refused,
    async list(_kind, { indexed } = {}) {
      if (listNodesFails) throw internalError("the Nodes cannot be listed");
      const selected = nodes.filter((node) => indexed?.by.valuesOf(node).includes(indexed.value) ?? true);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only Nodes are asked for
      return selected as never;
    },
  };
}

function refused(): never {
  throw new TypeError("a Node is looked for by listing");
}

function nodeGetErrorOf({ kind }: NodeFinding): string | null {
  if (kind === "not-connected") return "ErrClusterNotConnected";
  return kind === "failed" ? "other" : null;
}
