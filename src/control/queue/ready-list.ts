import { Deque } from "./deque.ts";

/** Something that waits for its turn. */
export interface Turn {
  /** Those of one group take turns with those of the others. */
  readonly group: string;
  /** The priority under which it waits; undefined while it does not. */
  turn: number | undefined;
}

interface Group<T> {
  readonly name: string;
  readonly line: Deque<T>;
}

interface Level<T> {
  readonly priority: number;
  readonly groups: Map<string, Group<T>>;
  /** The groups that have anything, in the order of their turns. */
  readonly ring: Deque<Group<T>>;
  /** How many wait here. */
  count: number;
}

/**
 * What is ready, in the order in which it is taken: the highest priority first, inside a priority one of each group in
 * turn, inside a group in the order of arrival. So that one group of ten thousand does not keep one of three waiting.
 */
export class ReadyList<T extends Turn> {
  /** Highest priority first; there are only ever a few. */
  readonly #levels: Level<T>[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many wait under each priority. */
  depths(): readonly { readonly priority: number; readonly count: number }[] {
    return this.#levels.map(({ priority, count }) => ({ priority, count }));
  }

  /** Lines something up. What waits already under a lower priority is moved; under a higher one it stays. */
  put(item: T, priority: number): void {
    if (item.turn !== undefined) {
      if (item.turn >= priority) return;
      this.#leave(item.turn);
    }
    const level = this.#level(priority);
    item.turn = priority;
    level.count++;
    this.#size++;
    let group = level.groups.get(item.group);
    if (group === undefined) {
      group = { name: item.group, line: new Deque() };
      level.groups.set(item.group, group);
      level.ring.push(group);
    }
    group.line.push(item);
  }

  /** Whoever's turn it is. */
  take(): T | undefined {
    if (this.#size === 0) return undefined;
    for (const level of this.#levels) {
      if (level.count === 0) continue;
      const item = takeFrom(level);
      if (item === undefined) continue;
      this.#leave(level.priority);
      item.turn = undefined;
      return item;
    }
    return undefined;
  }

  #leave(priority: number): void {
    this.#level(priority).count--;
    this.#size--;
  }

  #level(priority: number): Level<T> {
    for (const level of this.#levels) if (level.priority === priority) return level;
    const level: Level<T> = { priority, groups: new Map(), ring: new Deque(), count: 0 };
    this.#levels.push(level);
    this.#levels.sort((a, b) => b.priority - a.priority);
    return level;
  }
}

function takeFrom<T extends Turn>(level: Level<T>): T | undefined {
  for (let group = level.ring.shift(); group !== undefined; group = level.ring.shift()) {
    const item = firstIn(group, level.priority);
    if (group.line.size > 0) level.ring.push(group);
    else level.groups.delete(group.name);
    if (item !== undefined) return item;
  }
  return undefined;
}

/** Whoever has moved to another priority since has left a place behind, which is passed over here. */
function firstIn<T extends Turn>({ line }: Group<T>, priority: number): T | undefined {
  for (let item = line.shift(); item !== undefined; item = line.shift()) if (item.turn === priority) return item;
  return undefined;
}
