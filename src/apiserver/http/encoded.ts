import { encodeJson, type Json, type KubeObject } from "#machinery";

// Two of these are kept, so that what is asked for again and again survives without counting every use.
const bytesPerGeneration = 32 * 1024 * 1024;

let young = new Map<object, Map<string, Buffer>>();
let old = new Map<object, Map<string, Buffer>>();
let youngBytes = 0;

/**
 * The bytes of an object in one form, made once as long as they are in demand. Objects never change, so that the object
 * itself is the key.
 */
export function encodedOnce(object: object, form: string, encode: () => Buffer): Buffer {
  const known = young.get(object)?.get(form);
  if (known !== undefined) return known;
  const bytes = old.get(object)?.get(form) ?? encode();
  const forms = young.get(object);
  if (forms === undefined) young.set(object, new Map([[form, bytes]]));
  else forms.set(form, bytes);
  youngBytes += bytes.length;
  if (youngBytes > bytesPerGeneration) {
    old = young;
    young = new Map();
    youngBytes = 0;
  }
  return bytes;
}

/** An object as JSON. */
export function encodeObject(object: KubeObject): Buffer {
  return encodedOnce(object, "json", () => Buffer.from(jsonText(object)));
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
