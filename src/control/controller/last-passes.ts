import { namespacedName, type ObjectKey } from "#machinery";
import { BoundedMap } from "../bounded-map.ts";
import type { PassRecord } from "../pass/pass-record.ts";

/** The last pass over each object, of so many objects; whoever was looked at longest ago is forgotten first. */
export class LastPasses {
  readonly #records: BoundedMap<string, PassRecord>;

  constructor(most: number) {
    this.#records = new BoundedMap(most);
  }

  put(record: PassRecord): void {
    const id = namespacedName(record.key);
    if (record.outcome === "gone") this.#records.delete(id);
    else this.#records.set(id, record);
  }

  of(key: ObjectKey): PassRecord | undefined {
    return this.#records.get(namespacedName(key));
  }

  all(): readonly PassRecord[] {
    return this.#records.values();
  }
}
