import { isExempt, mayConcern } from "./concern.ts";
import type { Hook } from "./hook.ts";
import type { HookList } from "./hook-list.ts";
import type { RuledRequest } from "./rule.ts";
import type { Versions } from "./versions.ts";

const nobody: readonly Hook[] = [];

/** Knows for every kind of request which webhooks it may concern, so that most requests cost next to nothing. */
export class ConcernedHooks {
  readonly #list: HookList;
  readonly #versions: Versions;
  #known = new Map<string, readonly Hook[]>();
  #knownOf: readonly Hook[] = nobody;
  #isOpen = false;

  constructor(list: HookList, versions: Versions) {
    this.#list = list;
    this.#versions = versions;
    versions.subscribe(() => this.#known.clear());
  }

  /** Webhooks are asked from now on: a server that starts must not depend on those who depend on it. */
  open(): void {
    this.#isOpen = true;
  }

  /** In the order in which they are asked. */
  concernedBy(request: RuledRequest): readonly Hook[] {
    const { hooks } = this.#list;
    if (hooks.length === 0 || !this.#isOpen) return nobody;
    if (hooks !== this.#knownOf) {
      this.#known.clear();
      this.#knownOf = hooks;
    }
    const { operation, resource, subresource } = request;
    const key = `${operation} ${resource.group}/${resource.version}/${resource.resource}/${subresource}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = isExempt(resource) ? nobody : hooks.filter((hook) => mayConcern(hook, request, this.#versions));
    this.#known.set(key, found);
    return found;
  }
}
