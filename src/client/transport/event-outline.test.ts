import fc from "fast-check";
import { expect, test } from "vitest";
import { managedFieldsIn, probableKeyOf } from "./event-outline.ts";
import { textWithout } from "./json-bytes.ts";

function cut(line: string): string {
  const bytes = Buffer.from(line);
  const range = managedFieldsIn(bytes);
  return range === undefined ? line : textWithout(range, bytes);
}

const managedFields = [{ manager: 'a "] }', fieldsV1: { "f:spec": { 'k:{"type":"R\\"}': {} } } }];

const events: Readonly<Record<string, { event: unknown; rest: unknown }>> = {
  "the last member of metadata": {
    event: { type: "ADDED", object: { metadata: { name: "a", managedFields }, spec: {} } },
    rest: { type: "ADDED", object: { metadata: { name: "a" }, spec: {} } },
  },
  "the first member": {
    event: { type: "ADDED", object: { metadata: { managedFields, name: "a" } } },
    rest: { type: "ADDED", object: { metadata: { name: "a" } } },
  },
  "the only member": {
    event: { type: "ADDED", object: { metadata: { managedFields } } },
    rest: { type: "ADDED", object: { metadata: {} } },
  },
  "a member of metadata, with others of its name around it": {
    event: {
      object: { data: { managedFields }, metadata: { labels: { managedFields }, managedFields }, managedFields },
    },
    rest: { object: { data: { managedFields }, metadata: { labels: { managedFields } }, managedFields } },
  },
  "nothing that stands in a text": {
    event: { object: { metadata: { annotations: { last: '{"metadata":{"managedFields":[1]}}' } } } },
    rest: { object: { metadata: { annotations: { last: '{"metadata":{"managedFields":[1]}}' } } } },
  },
  "nothing that is somewhere else": {
    event: { object: { spec: { template: { metadata: { managedFields } } } }, metadata: { managedFields } },
    rest: { object: { spec: { template: { metadata: { managedFields } } } }, metadata: { managedFields } },
  },
};

test.each(Object.entries(events))("%s is cut", (_, { event, rest }) => {
  expect(JSON.parse(cut(JSON.stringify(event)))).toEqual(rest);
});

test("a line that ends within the list stays as it is", () => {
  const line = JSON.stringify({ object: { metadata: { managedFields } } });
  for (let end = 0; end < line.length - 3; end += 1) expect(cut(line.slice(0, end))).toBe(line.slice(0, end));
});

test("whatever else an event says stays", () => {
  const event = fc.record({
    type: fc.string(),
    object: fc.record({ metadata: fc.dictionary(fc.string(), fc.jsonValue()), spec: fc.jsonValue() }),
  });
  fc.assert(
    fc.property(event, fc.jsonValue(), ({ type, object: { metadata, spec } }, value) => {
      const { managedFields: _, ...rest } = metadata;
      const line = JSON.stringify({ type, object: { metadata: { ...rest, managedFields: [value] }, spec } });
      expect(JSON.parse(cut(line))).toEqual(JSON.parse(JSON.stringify({ type, object: { metadata: rest, spec } })));
    }),
  );
});

const keys: Readonly<Record<string, { line: string; key: unknown }>> = {
  "in a namespace": {
    line: '{"type":"ADDED","object":{"kind":"K","metadata":{"name":"a","labels":{"name":"x"},"namespace":"n"},"spec":{}}}',
    key: { namespace: "n", name: "a" },
  },
  "in none": {
    line: '{"object":{"spec":{"metadata":{"labels":{"name":"x"}}},"metadata":{"uid":"u","name":"a"}}}',
    key: { namespace: "", name: "a" },
  },
  "with managers before its name": {
    line: `{"object":{"metadata":{"managedFields":${JSON.stringify(managedFields)},"name":"a","namespace":"n"}}}`,
    key: { namespace: "n", name: "a" },
  },
  "without a name": { line: '{"type":"ADDED","object":{"metadata":{}}}', key: undefined },
  "without metadata": { line: '{"type":"ERROR","object":{"kind":"Status","status":"Failure"}}', key: undefined },
  "in another form": { line: '{ "type": "ADDED", "object": { "metadata": { "name": "a" } } }', key: undefined },
  "that is no object": { line: '["object"]', key: undefined },
  "that breaks off": { line: '{"type":"ADDED","object":{"metadata":{"labels":{"b":', key: undefined },
};

test.each(Object.entries(keys))("whose event it is can be told of one %s", (_, { line, key }) => {
  expect(probableKeyOf(Buffer.from(line))).toEqual(key);
});
