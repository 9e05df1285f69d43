import { quote } from "#base";
import { CatalogError } from "../errors.ts";
import { describeHook, type GroupVersionHook } from "./group-version-hook.ts";
import type { Hook } from "./hook.ts";

/** The hooks that somebody knows. */
export interface Catalog {
  /** For messages. */
  readonly name: string;
  /** In the order in which they were entered. */
  readonly hooks: readonly Hook[];
  /** The hook of that name and version, if it is known. */
  find(hook: GroupVersionHook): Hook | undefined;
  /** The same; throws a CatalogError where it is not known. */
  get(hook: GroupVersionHook): Hook;
}

/** Makes a catalog. A hook may be entered again only as it is. */
export function createCatalog(name: string, hooks: readonly Hook[]): Catalog {
  const known = new Map<string, Hook>();
  for (const hook of hooks) {
    const entered = known.get(describeHook(hook));
    if (entered !== undefined && entered !== hook)
      throw new CatalogError(`hook ${describeHook(hook)} is entered twice in catalog ${quote(name)}`);
    known.set(describeHook(hook), hook);
  }
  const find = (hook: GroupVersionHook): Hook | undefined => known.get(describeHook(hook));
  return {
    name,
    hooks: [...known.values()],
    find,
    get(hook) {
      const found = find(hook);
      if (found !== undefined) return found;
      throw new CatalogError(`hook ${describeHook(hook)} is not registered in catalog ${quote(name)}`);
    },
  };
}
