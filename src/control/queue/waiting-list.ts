/** Something that has to wait until some time. */
export interface Waiter {
  /** When it is ready; undefined while it does not wait. */
  readyAt: number | undefined;
}

interface Place<T> {
  readonly at: number;
  readonly item: T;
}

/** What waits for a time, the earliest first. Whoever's time has changed leaves a place behind that is passed over. */
export class WaitingList<T extends Waiter> {
  readonly #heap: Place<T>[] = [];

  /** The earliest time at which anything is ready. */
  get earliest(): number | undefined {
    this.#dropStale();
    return this.#heap[0]?.at;
  }

  /** Lets something wait until a time, or until an earlier one for which it waits already. */
  put(item: T, at: number): void {
    if (item.readyAt !== undefined && item.readyAt <= at) return;
    item.readyAt = at;
    this.#push({ at, item });
  }

  /** Whoever's time has come, one at a time. */
  take(now: number): T | undefined {
    this.#dropStale();
    const first = this.#heap[0];
    if (first === undefined || first.at > now) return undefined;
    this.#pop();
    first.item.readyAt = undefined;
    return first.item;
  }

  #dropStale(): void {
    for (let first = this.#heap[0]; first !== undefined && first.item.readyAt !== first.at; first = this.#heap[0])
      this.#pop();
  }

  #push(place: Place<T>): void {
    let index = this.#heap.push(place) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= place.at) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    for (let index = 0; ;) {
      const left = index * 2 + 1;
      const least = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(least) >= last.at) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #at(index: number): number {
    return this.#heap[index]?.at ?? Infinity;
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}
