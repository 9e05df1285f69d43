import * as fc from "fast-check";
import { expect, test } from "vitest";
import { behind, decodeKey, encodeKey, encodePrefix, endOfPrefix } from "./key-codec.ts";
import type { StoreKey } from "./store.ts";

// Short texts over a few awkward characters meet each other often.
const part = fc.oneof(
  fc.string({ unit: fc.constantFrom("\0", "\u0001", "\u0002", "a", "b", "\uffff", "\u{1f381}"), maxLength: 4 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
);
const anyKey = fc.record({ group: part, resource: part, namespace: part, name: part });

test("every key is read back as it was written", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      expect(decodeKey(encodeKey(key))).toEqual(key);
    }),
  );
});

test("encoded keys sort as their parts do", () => {
  fc.assert(
    fc.property(anyKey, anyKey, (a, b) => {
      expect(Math.sign(Buffer.compare(encodeKey(a), encodeKey(b)))).toBe(Math.sign(compareKeys(a, b)));
    }),
  );
});

test("a key lies within a prefix exactly when its parts begin with it", () => {
  fc.assert(
    fc.property(anyKey, anyKey, (key, { group, resource, namespace }) => {
      const prefix = encodePrefix({ group, resource, namespace });
      const encoded = encodeKey(key);
      const within = Buffer.compare(encoded, prefix) >= 0 && Buffer.compare(encoded, endOfPrefix(prefix)) < 0;
      expect(within).toBe(key.group === group && key.resource === resource && key.namespace === namespace);
    }),
  );
});

test("nothing lies between a key and what is behind it", () => {
  fc.assert(
    fc.property(anyKey, anyKey, (a, b) => {
      const isBehind = Buffer.compare(encodeKey(b), behind(encodeKey(a))) >= 0;
      expect(isBehind).toBe(compareKeys(b, a) > 0);
    }),
  );
});

test("bytes that are no key are no key", () => {
  for (const text of ["", "a", "a\0b\0c\0", "a\0b\0c\0d", "a\0b\0c\0d\0e\0"])
    expect(decodeKey(Buffer.from(text))).toBeUndefined();
});

function compareKeys(a: StoreKey, b: StoreKey): number {
  const parts = ["group", "resource", "namespace", "name"] as const;
  const differing = parts.find((name) => a[name] !== b[name]);
  return differing === undefined ? 0 : Buffer.compare(Buffer.from(a[differing]), Buffer.from(b[differing]));
}
