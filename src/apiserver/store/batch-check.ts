import { InvalidBatchError } from "./errors.ts";
import { describeKey, encodeKey, keyText } from "./key-codec.ts";
import type { Mutation, Revision } from "./store.ts";

/** A mutation with its key in the form that the tables use. */
export interface CheckedMutation {
  readonly mutation: Mutation;
  readonly key: Buffer;
  readonly text: string;
}

/** What a batch is checked against: commits that are still under way count as done. */
export interface BatchBase {
  readonly revision: Revision;
  /** The newest revision of an object that exists, else 0. */
  head(key: Buffer, text: string): Revision;
}

/** Throws an InvalidBatchError unless a batch continues the revisions and each mutation fits what is stored. */
export function checkBatch(batch: readonly Mutation[], base: BatchBase): readonly CheckedMutation[] {
  const heads = new Map<string, Revision>();
  return batch.map((mutation, index) => {
    const { op, previous, revision } = mutation;
    const expected = base.revision + index + 1;
    if (revision !== expected || !Number.isSafeInteger(revision))
      throw new InvalidBatchError(`${describe(mutation)} has revision ${revision}, and the next one is ${expected}`);
    const key = encodeKey(mutation.key);
    const text = keyText(key);
    const head = heads.get(text) ?? base.head(key, text);
    if (previous !== head)
      throw new InvalidBatchError(`${describe(mutation)} replaces revision ${previous}, and the newest is ${head}`);
    if ((op === "create") !== (head === 0))
      throw new InvalidBatchError(
        `${describe(mutation)}: the object ${head === 0 ? "does not exist" : "exists already"}`,
      );
    if (mutation.expires !== undefined && !(Number.isSafeInteger(mutation.expires) && mutation.expires >= 0))
      throw new InvalidBatchError(`${describe(mutation)} cannot expire at ${mutation.expires}`);
    heads.set(text, op === "delete" ? 0 : revision);
    return { mutation, key, text };
  });
}

function describe({ op, key }: Mutation): string {
  return `${op} of ${describeKey(key)}`;
}
