import { expect, test } from "vitest";
import { placeholder } from "./placeholder.ts";

interface Sample {
  readonly name: string;
  readonly node: { readonly name: string };
  readonly names: readonly string[];
  readonly count: number;
}

const sample = placeholder() as Sample;

test.each([
  ["a field", () => `Node ${sample.name}`, "Node <name>"],
  ["a field of a field", () => `Node ${sample.node.name}`, "Node <node.name>"],
  ["a list that is joined", () => `Nodes ${sample.names.join(", ")}`, "Nodes <names>"],
  ["a field that is changed on the way", () => `Node ${sample.node.name.toUpperCase()}`, "Node <node.name>"],
  ["a number", () => `${sample.count} Nodes`, "<count> Nodes"],
  ["its JSON", () => JSON.stringify({ at: sample.name }), '{"at":"<name>"}'],
  ["a text that is never empty", () => (sample.name === "" ? "" : `Node ${sample.name}`), "Node <name>"],
])("%s reads as its path", (_, print, text) => {
  expect(print()).toBe(text);
});
