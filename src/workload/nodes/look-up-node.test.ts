import { describe, expect, test } from "vitest";
import type { Machine } from "#api";
import { describeError, parseTimestamp, wrap } from "#base";
import type { Reader } from "#control";
import type { Node } from "../core-kinds.ts";
import { ClusterNotConnectedError } from "../errors.ts";
import { lookUpNode, type NodeLookupOptions, nodeNameOf } from "./look-up-node.ts";

const node: Node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" }, spec: { providerID: "dev://m1" } };
const other: Node = { apiVersion: "v1", kind: "Node", metadata: { name: "n2" }, spec: { providerID: "dev://m2" } };

const machine = aMachine({ providerID: "dev://m1" });
const withRef = { ...machine, status: { nodeRef: { name: "old" } } };
const leaving = {
  ...withRef,
  metadata: { ...withRef.metadata, deletionTimestamp: parseTimestamp("2025-01-15T12:00:00Z") },
};

describe("the Node of a Machine", () => {
  test("is found by its provider id", async () => {
    const finding = await look(machine, [other, node]);
    expect(finding).toEqual({ kind: "found", node });
    expect(nodeNameOf(machine, finding)).toBe("n1");
  });

  test("is not sought without a provider id", async () => {
    expect(await look(aMachine({}), [node])).toEqual({ kind: "not-sought" });
  });

  test("may not have joined yet", async () => {
    const finding = await look(machine, [other]);
    expect(finding).toEqual({ kind: "absent" });
    expect(nodeNameOf(machine, finding)).toBeUndefined();
  });

  test("goes with its Machine without complaint", async () => {
    expect(await look(leaving, [])).toEqual({ kind: "absent" });
  });

  test("is missed once it was there, and the Machine goes on naming it", async () => {
    const finding = await look(withRef, [other]);
    expect(finding.kind).toBe("lost");
    expect(describeError("error" in finding ? finding.error : undefined)).toBe(
      'no matching Node for Machine "m1" in namespace "default": cannot find node with matching ProviderID',
    );
    expect(nodeNameOf(withRef, finding)).toBe("old");
  });

  test("never replaces the one that the Machine names already", async () => {
    expect(nodeNameOf(withRef, await look(withRef, [node]))).toBe("old");
  });

  test("is not guessed where several claim the same machine", async () => {
    const finding = await look(machine, [node, { ...node, metadata: { name: "n3" } }]);
    expect(finding.kind).toBe("failed");
    expect(describeError("error" in finding ? finding.error : undefined)).toBe(
      "unexpectedly found more than one Node matching the providerID dev://m1",
    );
  });
});

describe("a cluster that is not connected", () => {
  const down = (): never => {
    throw wrap(new ClusterNotConnectedError(), "error getting client reader");
  };

  test("is told apart from a failure, through whatever wraps it", async () => {
    expect(await look(machine, [], { reader: down })).toMatchObject({ kind: "not-connected" });
  });

  test("is noticed when Nodes are to be watched, even without a provider id", async () => {
    const options = { controlPlaneInitialized: true, watchNodes: down };
    expect(await look(aMachine({}), [], options)).toMatchObject({ kind: "not-connected" });
  });

  test("does not matter before the control plane is initialized and a provider id is known", async () => {
    expect(await look(aMachine({}), [], { watchNodes: down, reader: down })).toEqual({ kind: "not-sought" });
  });
});

function look(of: Machine, nodes: readonly Node[], options: Partial<NodeLookupOptions> = {}) {
  return lookUpNode(of, {
    controlPlaneInitialized: false,
    watchNodes: () => undefined,
    reader: () => readerOf(nodes),
    ...options,
  });
}

function aMachine(spec: { readonly providerID?: string }): Machine {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { namespace: "default", name: "m1" },
    spec: {
      clusterName: "c",
      bootstrap: { dataSecretName: "d" },
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name: "m1" },
      ...spec,
    },
  };
}

function readerOf(nodes: readonly Node[]): Reader {
  const refused = (): never => {
    throw new Error("a Node is looked for by listing");
  };
  return {
    get: refused,
    find: refused,
    list: async (_kind, { indexed } = {}) =>
      nodes.filter((one) => indexed?.by.valuesOf(one).includes(indexed.value) ?? true) as never,
  };
}
