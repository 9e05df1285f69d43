import fc from "fast-check";
import { expect, test } from "vitest";
import { deepFreeze, type KubeObject, sharing } from "#machinery";
import { joinedText } from "./part-text.ts";

const kind = { apiVersion: "v1", kind: "A" };

function objectOf(metadata: object, parts: object): KubeObject {
  return { ...kind, metadata, ...parts };
}

test("the text says what the object says, whatever stayed the same since the version before", () => {
  const parts = fc.dictionary(fc.constantFrom("spec", "status", "data", "__proto__", 'a "name"'), fc.jsonValue());
  fc.assert(
    fc.property(parts, parts, fc.array(parts), (first, labels, versions) => {
      let previous = deepFreeze(objectOf({ name: "a", labels }, first));
      for (const next of [...versions, {}]) {
        // The same twice, so that what stays is written from memory.
        for (const revision of ["1", "2"]) {
          const sent = objectOf({ name: "a", resourceVersion: revision, labels, annotations: next }, next);
          const object = deepFreeze(sharing(sent, previous), previous);
          expect(JSON.parse(joinedText(object, previous))).toEqual(JSON.parse(JSON.stringify(object)));
          previous = object;
        }
      }
    }),
    { numRuns: 200 },
  );
});

test("what is undefined is not there, and large integers stay exact", () => {
  const object = objectOf(
    { name: "a", labels: undefined },
    { spec: { size: 9007199254740993n, x: "y" }, none: undefined },
  );
  expect(joinedText(object)).toBe(
    '{"apiVersion":"v1","kind":"A","metadata":{"name":"a"},"spec":{"size":9007199254740993,"x":"y"}}',
  );
});

test("an object without scalars has its parts alone", () => {
  expect(joinedText({ metadata: { labels: {} } } as unknown as KubeObject)).toBe('{"metadata":{"labels":{}}}');
});
