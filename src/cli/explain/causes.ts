import type { ConditionTree } from "./condition-tree.ts";
import { conditionName, namedOf, saidOf } from "./print-condition-tree.ts";

/** Where the way down ends, each end once; a cause stands before what follows from it. */
export function leavesOf(tree: ConditionTree): readonly ConditionTree[] {
  return tree.sources.length === 0 ? [tree] : distinct(tree.sources.flatMap(leavesOf));
}

/** Each condition once. */
export function distinct(trees: readonly ConditionTree[]): readonly ConditionTree[] {
  return [...new Map(trees.map((tree) => [conditionName(tree), tree])).values()];
}

/** What a condition is, seen from an object: `Ready of DevCluster default/q is False: The API server is stopped`. */
export function leafInShort(leaf: ConditionTree, { kind, name }: Pick<ConditionTree, "kind" | "name">): string {
  const owner = leaf.kind === kind && leaf.name === name ? "" : ` of ${leaf.kind} ${leaf.name}`;
  return `${leaf.type}${owner} is ${leaf.condition?.status ?? "not reported"}${saidInShort(leaf)}`;
}

/** What a condition says, to be put behind it: `: Node.Ready: the kubelet is down, and 2 more`. */
export function saidInShort(tree: ConditionTree): string {
  const [first = "", ...others] = saidOf(tree);
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const named = namedOf(tree).map((name) => ` (${name})`);
  return `${first === "" ? "" : ": "}${first}${more}${named.join("")}`;
}
