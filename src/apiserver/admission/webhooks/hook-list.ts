import type { KubeObject } from "#machinery";
import { type Hook, hooksOf } from "./hook.ts";

/** Stored configurations of one kind, and a way to hear of their changes. */
export interface Configurations {
  /** In the order of their names. */
  list(): readonly KubeObject[];
  subscribe(listener: () => void): void;
}

const compiled = new WeakMap<KubeObject, readonly Hook[]>();

/** All webhooks of one kind in the order of configuration and index; made anew only after a configuration has changed. */
export class HookList {
  readonly #configurations: Configurations;
  #hooks: readonly Hook[] | undefined;

  constructor(configurations: Configurations) {
    this.#configurations = configurations;
    configurations.subscribe(() => {
      this.#hooks = undefined;
    });
  }

  /** The very same list as long as nothing changes. */
  get hooks(): readonly Hook[] {
    this.#hooks ??= this.#configurations.list().flatMap(compiledHooks);
    return this.#hooks;
  }
}

function compiledHooks(configuration: KubeObject): readonly Hook[] {
  const known = compiled.get(configuration);
  if (known !== undefined) return known;
  const hooks = hooksOf(configuration);
  compiled.set(configuration, hooks);
  return hooks;
}
