import { describe, expect, test } from "vitest";
import type { KubeObject } from "#machinery";
import type { Index } from "../reader.ts";
import { HeldObjects } from "./held-objects.ts";

interface Widget extends KubeObject {
  readonly spec: { readonly color: string; readonly size?: number };
}

function widget(namespace: string, name: string, color = "red", size?: number): Widget {
  const metadata = { namespace, name, labels: { color } };
  return {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata,
    spec: { color, ...(size === undefined ? {} : { size }) },
  };
}

const byColor: Index<Widget> = { name: "color", valuesOf: ({ spec }) => [spec.color] };

function held(...objects: readonly Widget[]): HeldObjects<Widget> {
  const all = new HeldObjects<Widget>(() => undefined);
  for (const object of objects) all.put(object);
  return all;
}

const namesOf = (objects: readonly Widget[]): readonly string[] =>
  objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);

const four = [widget("m", "b"), widget("n", "a", "blue", 3), widget("m", "a", "blue"), widget("m-x", "a")] as const;

const questions: Readonly<
  Record<string, { ask: Parameters<HeldObjects<Widget>["list"]>[0]; names: readonly string[] }>
> = {
  "all, in order": { ask: {}, names: ["m/a", "m/b", "m-x/a", "n/a"] },
  "a namespace": { ask: { namespace: "m" }, names: ["m/a", "m/b"] },
  "a namespace without objects": { ask: { namespace: "z" }, names: [] },
  labels: { ask: { labelSelector: "color in (blue,green)" }, names: ["m/a", "n/a"] },
  fields: { ask: { fieldSelector: "metadata.name=a,metadata.namespace!=m" }, names: ["m-x/a", "n/a"] },
  "a field that is a number": { ask: { fieldSelector: "spec.size=3" }, names: ["n/a"] },
  "an index": { ask: { indexed: { by: byColor, value: "blue" } }, names: ["m/a", "n/a"] },
  "an index within a namespace and labels": {
    ask: { indexed: { by: byColor, value: "blue" }, namespace: "m", labelSelector: "color" },
    names: ["m/a"],
  },
  "a value of an index that nothing has": { ask: { indexed: { by: byColor, value: "pink" } }, names: [] },
};

test.each(Object.entries(questions))("objects are found by %s", (_, { ask, names }) => {
  expect(namesOf(held(...four).list(ask))).toEqual(names);
});

test("a selector that cannot be read is refused as a server refuses it", () => {
  expect(() => held().list({ labelSelector: "!!" })).toThrow(expect.objectContaining({ reason: "BadRequest" }));
  expect(() => held().list({ fieldSelector: "a" })).toThrow(expect.objectContaining({ reason: "BadRequest" }));
});

describe("an index", () => {
  const colored = (all: HeldObjects<Widget>, value: string) => namesOf(all.list({ indexed: { by: byColor, value } }));

  test("follows objects that change and go", () => {
    const all = held(...four);
    all.addIndex(byColor);
    all.put(widget("m", "a", "green"));
    all.remove(widget("n", "a", "blue"));
    expect([colored(all, "blue"), colored(all, "green")]).toEqual([[], ["m/a"]]);
    expect(all.size).toBe(3);
  });

  test("is the same under the same name, and no other may take it", () => {
    const all = held();
    all.addIndex(byColor);
    all.addIndex(byColor);
    expect(() => all.addIndex({ name: "color", valuesOf: () => [] })).toThrow(
      "there is another index called color already",
    );
  });

  test("that fails for an object files the others", () => {
    const errors: unknown[] = [];
    const all = new HeldObjects<Widget>((error) => errors.push(error));
    const picky: Index<Widget> = {
      name: "picky",
      valuesOf: ({ metadata }) => {
        if (metadata.name === "b") throw new Error("no b");
        return ["x"];
      },
    };
    all.addIndex(picky);
    all.put(widget("n", "a"));
    all.put(widget("n", "b"));
    expect(namesOf(all.list({ indexed: { by: picky, value: "x" } }))).toEqual(["n/a"]);
    expect(errors.map(String)).toEqual(["Error: no b"]);
  });
});
