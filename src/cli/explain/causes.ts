import type { ConditionTree } from "./condition-tree.ts";
import { conditionName, namedOf, saidOf } from "./print-condition-tree.ts";

/** Where the way down ends, each end once; a cause stands before what follows from it. */
export function leavesOf(tree: ConditionTree): readonly ConditionTree[] {
  return tree.sources.length === 0 ? [tree] : distinct(tree.sources.flatMap(leavesOf));
}

/** The ends of the way down that do not follow from others of them, as far as the tree tells. */
export function rootsOf(tree: ConditionTree): readonly ConditionTree[] {
  const all = nodesOf(tree);
  const leaves = leavesOf(tree);
  const roots = leaves.filter((leaf) => !all.some((cause) => follows(leaf, cause)));
  return roots.length === 0 ? leaves : roots;
}

/** All conditions on the way down. */
export function nodesOf(tree: ConditionTree): readonly ConditionTree[] {
  return [tree, ...tree.sources.flatMap(nodesOf)];
}

/** A cluster without its infrastructure does not answer, and a machine without it gets no provider ID. */
function follows(leaf: ConditionTree, cause: ConditionTree): boolean {
  const isOfSame = leaf.kind === cause.kind && leaf.name === cause.name;
  if (!isOfSame || cause.type !== "InfrastructureReady") return false;
  return leaf.type === "RemoteConnectionProbe" || leaf.explanation?.row === "waiting-for-provider-id";
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
  const [first = "", ...others] = saidOf(tree).map((line) => line.trim().replace(/^\* /, ""));
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const named = namedOf(tree).map((name) => ` (${name})`);
  return `${first === "" ? "" : ": "}${first}${more}${named.join("")}`;
}
