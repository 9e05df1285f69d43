import { InvalidKeyError } from "./errors.ts";
import type { StoreKey, StorePrefix } from "./store.ts";

// Each part is its UTF-8 bytes and a closing 0. Inside a part 0 becomes 1 1 and 1 becomes 1 2, so that a part can hold
// anything, a shorter part sorts before a longer one, and the bytes of tuples sort as the tuples do.
const separator = 0;
const escape = 1;

// What LMDB takes on pages of 8 KiB.
const longestKey = 4026;

// Names in Kubernetes are never anything else.
const plain = /^[ -~]*$/;
const loneSurrogate = /\p{Surrogate}/u;

/** A key as bytes that sort by group, resource, namespace, name. */
export function encodeKey(key: StoreKey): Buffer {
  const bytes = encodeParts([key.group, key.resource, key.namespace, key.name]);
  if (bytes.length > longestKey)
    throw new InvalidKeyError(
      `key ${describeKey(key)} takes ${bytes.length} bytes, more than the ${longestKey} there are`,
    );
  return bytes;
}

/** The bytes with which every key of a prefix begins. */
export function encodePrefix({ group, resource, namespace }: StorePrefix): Buffer {
  return encodeParts(namespace === undefined ? [group, resource] : [group, resource, namespace]);
}

/** The least bytes behind every key of an encoded prefix. */
export function endOfPrefix(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  end[end.length - 1] = separator + 1;
  return end;
}

/** The least bytes behind one encoded key. */
export function behind(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.of(separator)]);
}

/** An encoded key as a text, one character per byte: it sorts as the bytes do and serves as a map key. */
export function keyText(encoded: Buffer): string {
  return encoded.toString("latin1");
}

/** Reads what `encodeKey` wrote; undefined when it was something else. */
export function decodeKey(encoded: Buffer): StoreKey | undefined {
  const parts: string[] = [];
  let start = 0;
  while (start < encoded.length) {
    const end = encoded.indexOf(separator, start);
    if (end < 0) return undefined;
    parts.push(decodePart(encoded.subarray(start, end)));
    start = end + 1;
  }
  const [group, resource, namespace, name] = parts;
  if (group === undefined || resource === undefined || namespace === undefined || name === undefined) return undefined;
  return parts.length === 4 ? { group, resource, namespace, name } : undefined;
}

/** A key for people: `machines.cluster.x-k8s.io default/worker`. */
export function describeKey({ group, resource, namespace, name }: StoreKey): string {
  const type = group === "" ? resource : `${resource}.${group}`;
  return JSON.stringify(namespace === "" ? `${type} ${name}` : `${type} ${namespace}/${name}`);
}

function encodeParts(parts: readonly string[]): Buffer {
  const joined = `${parts.map(escapePart).join("\0")}\0`;
  return Buffer.from(joined, "utf8");
}

function escapePart(part: string): string {
  if (plain.test(part)) return part;
  // Such a half character has no UTF-8 form: two different keys would become one.
  if (loneSurrogate.test(part)) throw new InvalidKeyError(`key part ${JSON.stringify(part)} is not well-formed text`);
  return part.replaceAll("\x01", "\x01\x02").replaceAll("\0", "\x01\x01");
}

function decodePart(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  if (!bytes.includes(escape)) return text;
  return text.replaceAll("\x01\x01", "\0").replaceAll("\x01\x02", "\x01");
}
