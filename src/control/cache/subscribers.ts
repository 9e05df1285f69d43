import type { KubeObject } from "#machinery";
import type { CacheChange } from "./kind-cache.ts";

interface Subscriber<Obj extends KubeObject> {
  readonly listener: (change: CacheChange<Obj>) => void;
  /** How many changes had been told of when it came: those are not news to it. */
  readonly since: number;
}

/** Those who are told of changes: each of every change, in order, whatever the others do. */
export class Subscribers<Obj extends KubeObject> {
  readonly #subscribers = new Set<Subscriber<Obj>>();
  readonly #onError: (error: unknown) => void;
  readonly #waiting: { readonly change: CacheChange<Obj>; readonly number: number }[] = [];
  #count = 0;
  #isTelling = false;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Tells a new subscriber what is there, and from now on what changes. */
  add(
    listener: (change: CacheChange<Obj>) => void,
    { signal, present }: { readonly signal: AbortSignal; readonly present: readonly Obj[] },
  ): void {
    if (signal.aborted) return;
    const subscriber = { listener, since: this.#count };
    this.#subscribers.add(subscriber);
    signal.addEventListener("abort", () => this.#subscribers.delete(subscriber), { once: true });
    this.#undisturbed(() => {
      for (const object of present) {
        if (signal.aborted) return;
        this.#call(listener, { kind: "added", object, initial: true });
      }
    });
  }

  /** Whatever a listener changes in turn is told when all have been told of this. */
  tell(change: CacheChange<Obj>): void {
    this.#count += 1;
    this.#waiting.push({ change, number: this.#count });
    this.#undisturbed(() => undefined);
  }

  /** Does something, and then tells what has to be told, unless that is going on already. */
  #undisturbed(action: () => void): void {
    const isOuter = !this.#isTelling;
    this.#isTelling = true;
    action();
    if (!isOuter) return;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      for (const { listener, since } of this.#subscribers) if (next.number > since) this.#call(listener, next.change);
    }
    this.#isTelling = false;
  }

  #call(listener: (change: CacheChange<Obj>) => void, change: CacheChange<Obj>): void {
    try {
      listener(change);
    } catch (error) {
      this.#onError(error);
    }
  }
}
