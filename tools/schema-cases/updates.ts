import type { Json, JsonSchema } from "#machinery";

/** A value that became invalid when its schema was tightened, and what somebody writes over it. */
export interface UpdateCase {
  readonly schema: JsonSchema;
  readonly old: Json;
  readonly values: readonly Json[];
}

const short: JsonSchema = { type: "string", maxLength: 2 };
const item: JsonSchema = { type: "object", required: ["name"], properties: { name: { type: "string" }, v: short } };

/** What is and what is not held against a value that was wrong already. */
export const updateCases: { readonly [name: string]: UpdateCase } = {
  scalar: { schema: short, old: "long", values: ["long", "longer", "ok"] },
  "field beside a changed one": {
    schema: { type: "object", properties: { a: short, b: short } },
    old: { a: "long", b: "x" },
    values: [
      { a: "long", b: "y" },
      { a: "long", b: "worse" },
      { a: "other", b: "x" },
    ],
  },
  "required field that was missing": {
    schema: { type: "object", required: ["a"], properties: { a: short, b: short } },
    old: { b: "x" },
    values: [{ b: "x" }, { b: "y" }],
  },
  "atomic list": {
    schema: { type: "array", items: short },
    old: ["long", "a"],
    values: [
      ["long", "a"],
      ["long", "b"],
      ["a", "long"],
    ],
  },
  "list map": {
    schema: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: item },
    old: [
      { name: "a", v: "long" },
      { name: "b", v: "x" },
    ],
    values: [
      [
        { name: "b", v: "y" },
        { name: "a", v: "long" },
      ],
      [{ name: "a", v: "longer" }],
      [{ name: "c", v: "long" }],
      [
        { name: "b", v: "x" },
        { name: "a", v: "long" },
      ],
    ],
  },
  "list map with duplicates": {
    schema: { type: "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"], items: item },
    old: [
      { name: "a", v: "x" },
      { name: "a", v: "y" },
    ],
    values: [
      [
        { name: "a", v: "x" },
        { name: "a", v: "z" },
      ],
      [{ name: "b" }, { name: "b" }, { name: "b" }],
    ],
  },
  "list set with duplicates": {
    schema: { type: "array", "x-kubernetes-list-type": "set", items: short },
    old: ["a", "b"],
    values: [["a", "a"]],
  },
  "map of values": {
    schema: { type: "object", additionalProperties: short, maxProperties: 1 },
    old: { a: "long", b: "x" },
    values: [
      { a: "long", b: "x" },
      { a: "long", b: "y" },
      { a: "long", c: "long" },
    ],
  },
  anyOf: {
    schema: {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      anyOf: [{ properties: { a: { maxLength: 2 } } }, { required: ["c"] }],
    },
    old: { a: "long", b: "x" },
    values: [
      { a: "long", b: "y" },
      { a: "longer", b: "x" },
      { a: "long", b: "x" },
    ],
  },
  "unknown fields inside": {
    schema: {
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      maxProperties: 1,
      properties: { a: short },
    },
    old: { a: "long", other: 1 },
    values: [{ a: "long", other: 1 }],
  },
};
