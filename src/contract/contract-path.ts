/** Where a field stands in an object: the names that lead to it. */
export type ContractPath = readonly string[];

/** `spec.providerID`. */
export function pathText(path: ContractPath): string {
  return path.join(".");
}

/** True for two paths to the same field. */
export function isSamePath(a: ContractPath, b: ContractPath): boolean {
  return a.length === b.length && startsWith(b, a);
}

/** True where the second path leads further down from where the first one ends. */
export function isParentPath(parent: ContractPath, path: ContractPath): boolean {
  return parent.length < path.length && startsWith(path, parent);
}

/** True where one path leads to the other or further down from it: who writes one of them changes both. */
export function pathsOverlap(a: ContractPath, b: ContractPath): boolean {
  return startsWith(a, b) || startsWith(b, a);
}

function startsWith(path: ContractPath, beginning: ContractPath): boolean {
  return beginning.every((name, index) => path[index] === name);
}
