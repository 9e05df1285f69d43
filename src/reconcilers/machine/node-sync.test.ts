import type { Machine } from "#api";
import { describe, expect, test } from "vitest";
import { nodePatch } from "./node-sync.ts";

const bookkeeping = {
  "cluster.x-k8s.io/cluster-name": "c1",
  "cluster.x-k8s.io/cluster-namespace": "default",
  "cluster.x-k8s.io/machine": "m1",
  "cluster.x-k8s.io/labels-from-machine": "",
  "cluster.x-k8s.io/annotations-from-machine": "",
};

const options = {
  syncedLabels: () => false,
  syncedAnnotations: () => false,
  isOutdated: false,
  isInterruptible: false,
  propagated: false,
};

function aMachine(metadata: object = {}): Machine {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { name: "m1", namespace: "default", ...metadata },
    spec: {
      clusterName: "c1",
      bootstrap: { dataSecretName: "s" },
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "DevMachine", name: "m1" },
    },
  };
}

function aNode(metadata: object = {}, spec: object = {}) {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "n1", resourceVersion: "7", annotations: bookkeeping, ...metadata },
    spec,
  };
}

test("a Node that is in step is left alone", () => {
  expect(nodePatch(aMachine(), aNode(), options)).toBeUndefined();
});

test("a new Node learns where it comes from, and who owns its Machine", () => {
  const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "MachineSet", name: "ms1", uid: "u", controller: true };
  const machine = aMachine({ ownerReferences: [owner] });
  expect(nodePatch(machine, aNode({ annotations: {} }), options)).toEqual({
    metadata: {
      resourceVersion: "7",
      labels: {},
      annotations: {
        ...bookkeeping,
        "cluster.x-k8s.io/owner-kind": "MachineSet",
        "cluster.x-k8s.io/owner-name": "ms1",
      },
    },
  });
});

describe("labels", () => {
  test.each([
    ["node-role.kubernetes.io/worker", true],
    ["a.node-role.kubernetes.io/worker", false],
    ["node-restriction.kubernetes.io/zone", true],
    ["a.node-restriction.kubernetes.io/zone", true],
    ["node.cluster.x-k8s.io/a", true],
    ["a.node.cluster.x-k8s.io/a", true],
    ["anode.cluster.x-k8s.io/a", false],
    ["cluster.x-k8s.io/cluster-name", false],
    ["plain", false],
  ])("%s goes to the Node: %s", (label, goes) => {
    const patch = nodePatch(aMachine({ labels: { [label]: "v" } }), aNode(), options);
    expect(patch === undefined ? {} : patch).toEqual(
      goes
        ? {
            metadata: {
              resourceVersion: "7",
              labels: { [label]: "v" },
              annotations: { "cluster.x-k8s.io/labels-from-machine": label },
            },
          }
        : {},
    );
  });

  test("one that an operator named goes too", () => {
    const patch = nodePatch(aMachine({ labels: { team: "a" } }), aNode(), {
      ...options,
      syncedLabels: (key) => key === "team",
    });
    expect(patch).toMatchObject({ metadata: { labels: { team: "a" } } });
  });

  test("one that the Machine no longer has is taken away, but only where it came from there", () => {
    const annotations = { ...bookkeeping, "cluster.x-k8s.io/labels-from-machine": "node-role.kubernetes.io/old" };
    const node = aNode({
      annotations,
      labels: { "node-role.kubernetes.io/old": "", "node-role.kubernetes.io/own": "" },
    });
    expect(nodePatch(aMachine(), node, options)).toEqual({
      metadata: {
        resourceVersion: "7",
        labels: { "node-role.kubernetes.io/old": null },
        annotations: { "cluster.x-k8s.io/labels-from-machine": "" },
      },
    });
  });
});

test("a Node whose Machine lost its owner no longer names one", () => {
  const annotations = {
    ...bookkeeping,
    "cluster.x-k8s.io/owner-kind": "MachineSet",
    "cluster.x-k8s.io/owner-name": "ms1",
  };
  expect(nodePatch(aMachine(), aNode({ annotations }), options)).toMatchObject({
    metadata: { annotations: { "cluster.x-k8s.io/owner-kind": null, "cluster.x-k8s.io/owner-name": null } },
  });
});

test("a Node that can be taken away at any time says so", () => {
  expect(nodePatch(aMachine(), aNode(), { ...options, isInterruptible: true })).toMatchObject({
    metadata: {
      labels: { "cluster.x-k8s.io/interruptible": "" },
      annotations: { "cluster.x-k8s.io/labels-from-machine": "cluster.x-k8s.io/interruptible" },
    },
  });
});

describe("taints", () => {
  const uninitialized = { key: "node.cluster.x-k8s.io/uninitialized", effect: "NoSchedule" };
  const outdated = { key: "node.cluster.x-k8s.io/outdated-revision", effect: "PreferNoSchedule" };
  const own = { key: "own", effect: "NoExecute" };

  test("the one of new Nodes is taken off, others stay", () => {
    expect(nodePatch(aMachine(), aNode({}, { taints: [uninitialized, own] }), options)).toEqual({
      metadata: { resourceVersion: "7", labels: {}, annotations: {} },
      spec: { taints: [own] },
    });
  });

  test("Nodes of an old revision are marked, and the mark goes when they are not", () => {
    const marked = nodePatch(aMachine(), aNode({}, { taints: [own] }), { ...options, isOutdated: true });
    expect(marked).toMatchObject({ spec: { taints: [own, outdated] } });
    expect(nodePatch(aMachine(), aNode({}, { taints: [outdated] }), options)).toMatchObject({ spec: { taints: null } });
    expect(nodePatch(aMachine(), aNode({}, { taints: [outdated] }), { ...options, isOutdated: true })).toBeUndefined();
  });

  test("where nobody can tell the revision, the mark stays as it is", () => {
    const unknown = { ...options, isOutdated: undefined };
    expect(nodePatch(aMachine(), aNode({}, { taints: [outdated] }), unknown)).toBeUndefined();
    expect(nodePatch(aMachine(), aNode(), unknown)).toBeUndefined();
  });
});

describe("taints of a Machine", () => {
  const always = { key: "gpu", value: "yes", effect: "NoSchedule", propagation: "Always" } as const;
  const once = { key: "new", effect: "NoExecute", propagation: "OnInitialization" } as const;
  const propagating = { ...options, propagated: true };
  const tainted = (...taints: readonly (typeof always | typeof once)[]): Machine => {
    const machine = aMachine();
    return { ...machine, spec: { ...machine.spec, taints } };
  };
  const remembering = (text: string) => ({ annotations: { ...bookkeeping, [remembered]: text } });
  const remembered = "cluster.x-k8s.io/taints-from-machine";
  const gpu = { key: "gpu", value: "yes", effect: "NoSchedule" };

  test("do not go to the Node unless the gate is open", () => {
    expect(nodePatch(tainted(always), aNode(), options)).toBeUndefined();
  });

  test("all go to a new Node, and those that always hold are remembered", () => {
    expect(nodePatch(tainted(always, once), aNode(), propagating)).toMatchObject({
      metadata: { annotations: { [remembered]: "gpu:NoSchedule" } },
      spec: { taints: [gpu, { key: "new", effect: "NoExecute" }] },
    });
  });

  test("those for the beginning are not set again, those that always hold are", () => {
    expect(nodePatch(tainted(always, once), aNode(remembering("gpu:NoSchedule")), propagating)).toMatchObject({
      spec: { taints: [gpu] },
    });
    const changed = aNode(remembering("gpu:NoSchedule"), { taints: [{ ...gpu, value: "no" }] });
    expect(nodePatch(tainted(always), changed, propagating)).toMatchObject({ spec: { taints: [gpu] } });
  });

  test("one that the Machine no longer has is taken away; one that is now for the beginning stays", () => {
    const node = aNode(remembering("gpu:NoSchedule"), { taints: [gpu, { key: "own", effect: "NoSchedule" }] });
    expect(nodePatch(tainted(), node, propagating)).toMatchObject({
      metadata: { annotations: { [remembered]: "" } },
      spec: { taints: [{ key: "own", effect: "NoSchedule" }] },
    });
    const kept = nodePatch(
      { ...aMachine(), spec: { ...aMachine().spec, taints: [{ ...always, propagation: "OnInitialization" }] } },
      node,
      propagating,
    );
    expect(kept).toMatchObject({ metadata: { annotations: { [remembered]: "" } } });
    expect(kept).not.toHaveProperty("spec");
  });
});
