/** A line: put in at the end, taken from the front, both at once however long it is. */
export class Deque<T> {
  #items: (T | undefined)[] = [];
  #front = 0;

  get size(): number {
    return this.#items.length - this.#front;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.#front === this.#items.length) return undefined;
    const item = this.#items[this.#front];
    this.#items[this.#front++] = undefined;
    if (this.#front === this.#items.length) {
      this.#items = [];
      this.#front = 0;
    } else if (this.#front > 1024 && this.#front * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#front);
      this.#front = 0;
    }
    return item;
  }
}
