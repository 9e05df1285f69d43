import type { KubeObject, OwnerReference } from "#machinery";

/** An object as the garbage collector sees it. */
export interface GraphNode {
  readonly uid: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly owners: readonly OwnerReference[];
  readonly finalizers: readonly string[];
  readonly deleting: boolean;
}

/** Who owns whom, by uid. */
export class OwnerGraph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #dependents = new Map<string, Set<string>>();

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  /** Objects that name another as an owner, whether or not that one exists. */
  dependentsOf(uid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#nodes.get(dependent) ?? []);
  }

  /** Takes in an object as it is now; gives what was known of it before. */
  put(resource: { readonly group: string; readonly resource: string }, object: KubeObject): GraphNode | undefined {
    const node = nodeOf(resource, object);
    const before = this.#nodes.get(node.uid);
    this.#nodes.set(node.uid, node);
    if (before?.owners === node.owners) return before;
    for (const { uid } of before?.owners ?? []) this.#unlink(uid, node.uid);
    for (const { uid } of node.owners) this.#link(uid, node.uid);
    return before;
  }

  remove(uid: string): void {
    for (const owner of this.#nodes.get(uid)?.owners ?? []) this.#unlink(owner.uid, uid);
    this.#nodes.delete(uid);
  }

  nodes(): Iterable<GraphNode> {
    return this.#nodes.values();
  }

  #link(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    if (dependents === undefined) this.#dependents.set(owner, new Set([dependent]));
    else dependents.add(dependent);
  }

  #unlink(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    dependents?.delete(dependent);
    if (dependents?.size === 0) this.#dependents.delete(owner);
  }
}

function nodeOf(
  { group, resource }: { readonly group: string; readonly resource: string },
  { metadata }: KubeObject,
): GraphNode {
  const { uid = "", namespace = "", name = "", ownerReferences: owners = [], finalizers = [] } = metadata;
  return {
    uid,
    group,
    resource,
    namespace,
    name,
    owners,
    finalizers,
    deleting: metadata.deletionTimestamp !== undefined,
  };
}
