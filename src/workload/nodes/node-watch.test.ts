import { expect, test } from "vitest";
import type { Machine } from "#api";
import type { CacheChange } from "#control";
import type { KubeObject } from "#machinery";
import type { Node } from "../core-kinds.ts";
import { createNodeWatch, type KnownMachines, machinesOfNode } from "./node-watch.ts";

const cluster = { namespace: "default", name: "c" };

interface Facts {
  readonly node?: string;
  readonly providerID?: string;
  readonly of?: string;
  readonly namespace?: string;
}

function aMachine(name: string, { node, providerID, of = "c", namespace = "default" }: Facts): KubeObject {
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Machine",
    metadata: { namespace, name, labels: { "cluster.x-k8s.io/cluster-name": of } },
    spec: { clusterName: of, ...(providerID === undefined ? {} : { providerID }) },
    status: node === undefined ? {} : { nodeRef: { name: node } },
  };
}

function aNode(providerID?: string): Node {
  const spec = providerID === undefined ? {} : { providerID };
  return { apiVersion: "v1", kind: "Node", metadata: { name: "n1" }, spec };
}

/** What a cache would have of them. */
function known(machines: readonly KubeObject[]): KnownMachines {
  return {
    addIndex: () => undefined,
    list: ({ namespace, indexed } = {}) =>
      (machines as readonly Machine[])
        .filter(({ metadata }) => namespace === metadata.namespace)
        .filter((machine) => indexed === undefined || indexed.by.valuesOf(machine).includes(indexed.value)),
  };
}

const found = (name: string) => ({ namespace: "default", name });

test.each<{ what: string; machines: readonly KubeObject[]; node: Node; woken: readonly string[] }>([
  {
    what: "is the one that names it",
    machines: [aMachine("m1", { node: "n1" }), aMachine("m2", { node: "n2" })],
    node: aNode(),
    woken: ["m1"],
  },
  {
    what: "is the one with its provider id, while none names it",
    machines: [aMachine("m1", { providerID: "dev://1" }), aMachine("m2", { providerID: "dev://2" })],
    node: aNode("dev://1"),
    woken: ["m1"],
  },
  {
    what: "is of its own cluster",
    machines: [
      aMachine("m1", { node: "n1", of: "other" }),
      aMachine("m2", { node: "n1", namespace: "other" }),
      aMachine("m3", { node: "n1" }),
    ],
    node: aNode(),
    woken: ["m3"],
  },
  {
    what: "are all that name it, where somebody made a mistake",
    machines: [aMachine("m1", { node: "n1" }), aMachine("m2", { node: "n1", providerID: "dev://1" })],
    node: aNode("dev://1"),
    woken: ["m1", "m2"],
  },
  {
    what: "are all with its provider id",
    machines: [aMachine("m1", { providerID: "dev://1" }), aMachine("m2", { providerID: "dev://1" })],
    node: aNode("dev://1"),
    woken: ["m1", "m2"],
  },
  { what: "may not be there", machines: [aMachine("m1", {})], node: aNode(), woken: [] },
])("the Machine of a Node $what", ({ machines, node, woken }) => {
  expect(machinesOfNode(node, cluster, known(machines))).toEqual(woken.map(found));
});

test("a Node that changes wakes its Machine", async () => {
  let tell = (_change: CacheChange<Node>): void => undefined;
  const cache = {
    watch: (_cluster: object, watch: { readonly name: string; readonly onChange: (change: never) => void }) => {
      expect(watch.name).toBe("machine-watchNodes");
      tell = watch.onChange as typeof tell;
    },
  };
  const nodes = createNodeWatch({ cache, machines: known([aMachine("m1", { node: "n1" })]) });
  const woken = new Promise((resolve) => nodes.source.subscribe(resolve, { signal: new AbortController().signal }));
  nodes.watch(cluster);
  tell({ kind: "added", object: aNode(), initial: true });
  expect(await woken).toEqual(found("m1"));
});
