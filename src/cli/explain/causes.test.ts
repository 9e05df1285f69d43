import { describe, expect, test } from "vitest";
import { leafInShort, rootsOf } from "./causes.ts";
import type { ConditionTree } from "./condition-tree.ts";

function tree(name: string, { message = "", row = "", sources = [] }: Partial<Said> = {}): ConditionTree {
  const [kind = "", type = ""] = name.split(".");
  const explanation = { row, report: { kind: "last-known" }, when: "" } as NonNullable<ConditionTree["explanation"]>;
  const condition = { status: "False", reason: "No", message } as const;
  return { kind, name: "default/x", type, condition, good: false, explanation, sources, others: [] };
}

interface Said {
  readonly message: string;
  readonly row: string;
  readonly sources: readonly ConditionTree[];
}

function typesOf(trees: readonly ConditionTree[]): readonly string[] {
  return trees.map(({ kind, type }) => `${kind}.${type}`);
}

describe("the roots of a condition", () => {
  test("are not what follows from infrastructure that is not ready", () => {
    const stopped = tree("Cluster.InfrastructureReady", { sources: [tree("DevCluster.Ready")] });
    const probe = tree("Cluster.RemoteConnectionProbe", { row: "connection-lost" });
    expect(typesOf(rootsOf(tree("Machine.NodeReady", { sources: [stopped, probe] })))).toEqual(["DevCluster.Ready"]);

    const absent = tree("Machine.InfrastructureReady", { row: "does-not-exist" });
    const waiting = tree("Machine.NodeHealthy", { row: "waiting-for-provider-id" });
    expect(typesOf(rootsOf(tree("Machine.Ready", { sources: [absent, waiting] })))).toEqual([
      "Machine.InfrastructureReady",
    ]);
  });

  test("are all ends that stand for themselves", () => {
    const probe = tree("Cluster.RemoteConnectionProbe");
    expect(rootsOf(probe)).toEqual([probe]);
    const absent = tree("Machine.InfrastructureReady");
    const unhealthy = tree("Machine.NodeHealthy", { row: "unhealthy" });
    expect(rootsOf(tree("Machine.Ready", { sources: [absent, unhealthy] }))).toEqual([absent, unhealthy]);
  });
});

test("a sentence about a condition holds no bullet", () => {
  const leaf = tree("Machine.NodeHealthy", { message: "* Node.Ready: stopped\n* Node.DiskPressure: full" });
  expect(leafInShort(leaf, leaf)).toBe("NodeHealthy is False: Node.Ready: stopped, and 1 more");
});
