import { WeakCache } from "#base";
import { encodeJson, type Json, type KubeObject } from "#machinery";
import { objectText } from "#apiserver/collection";

const megabyte = 1024 * 1024;

/** The bytes of objects, made once as long as they are in demand: objects never change, so that each is its own key. */
export class Encodings {
  readonly #known: WeakCache<object, Encoded>;

  /** How many bytes are kept, about. */
  constructor(bytes: number) {
    this.#known = new WeakCache(bytes / 2);
  }

  /** The bytes of an object in a form; of its forms the last one is remembered. */
  of(object: object, form: string, encode: () => Buffer): Buffer {
    const known = this.#known.get(object);
    if (known !== undefined && known.form === form) return known.bytes;
    const bytes = encode();
    this.#known.set(object, { form, bytes }, bytes.length);
    return bytes;
  }
}

interface Encoded {
  readonly form: string;
  readonly bytes: Buffer;
}

const objects = new Encodings(32 * megabyte);

/** An object as JSON. */
export function encodeObject(object: KubeObject): Buffer {
  return objects.of(object, "json", () => keptBytes(objectText(object)));
}

/** An object that was written just now, as JSON for whoever wrote it: it may never be asked for again. */
export function encodeWritten(object: KubeObject): Buffer {
  return Buffer.from(objectText(object));
}

/** Bytes that are kept for long: the platform would put small ones into a piece of memory that they keep whole. */
export function keptBytes(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** Any value as JSON; integers that a number cannot hold stay exact. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify refuses bigints, which are rare.
    if (!(error instanceof TypeError)) throw error;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- answers are made of objects of the API
    return encodeJson(value as Json);
  }
}
