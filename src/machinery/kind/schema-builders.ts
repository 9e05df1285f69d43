import type { Timestamp } from "#base";
import type { Json } from "../json.ts";
import type { KubeObject } from "../object.ts";
import type { JsonSchema, ValidationRule } from "../schema/json-schema.ts";
import { type Field, type Fields, fieldOf, type MembersOf } from "./field.ts";

/** What any value may carry besides its own limits. */
interface AnyLimits<T> {
  readonly default?: T;
  readonly rules?: readonly ValidationRule[];
}

export interface StringLimits extends AnyLimits<string> {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

export interface IntegerLimits extends AnyLimits<number> {
  /** int32 unless told otherwise. */
  readonly format?: "int32" | "int64";
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ListLimits extends AnyLimits<readonly Json[]> {
  /** The members that tell the items apart: the list is merged item by item. */
  readonly key?: string | readonly string[];
  /** A list that is replaced whole, or one whose items are merged as members of a set. */
  readonly type?: "atomic" | "set";
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface ObjectLimits extends AnyLimits<{ readonly [name: string]: Json }> {
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** An object that is replaced whole. */
  readonly atomic?: boolean;
}

const intOrStringTypes: readonly JsonSchema[] = [{ type: "integer" }, { type: "string" }];

const quantityNumber = "(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))";
const quantityPattern = `^(\\+|-)?${quantityNumber}(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?${quantityNumber}))?$`;

/** The words that kinds are declared with. */
export const s = {
  object,
  list,
  map,
  string,
  enumOf,
  integer,
  boolean,
  time,
  intOrString,
  quantity,
  anything,
  embedded,
};

/** An object with named members. */
function object<const F extends Fields>(fields: F, limits: ObjectLimits = {}): Field<MembersOf<F>, false> {
  return fieldOf(() => {
    const required = Object.keys(fields).filter((name) => fields[name]?.isOptional === false);
    return {
      type: "object",
      ...objectKeywords(limits),
      properties: propertiesOf(fields),
      ...(required.length === 0 ? {} : { required }),
    };
  });
}

/** An object with any keys and values of one kind. */
function map<T>(value: Field<T>, limits: ObjectLimits = {}): Field<{ readonly [key: string]: T }, false> {
  return fieldOf(() => ({ type: "object", ...objectKeywords(limits), additionalProperties: value.schema() }));
}

function list<T>(item: Field<T>, limits: ListLimits = {}): Field<readonly T[], false> {
  const { key, type, rules, ...keywords } = limits;
  const keys = typeof key === "string" ? [key] : key;
  return fieldOf(() => ({
    type: "array",
    ...keywords,
    ...(keys === undefined ? {} : { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": keys }),
    ...(type === undefined ? {} : { "x-kubernetes-list-type": type }),
    ...rulesKeyword(rules),
    items: item.schema(),
  }));
}

function string({ rules, ...keywords }: StringLimits = {}): Field<string, false> {
  return fieldOf(() => ({ type: "string", ...keywords, ...rulesKeyword(rules) }));
}

/** One of a few words. */
function enumOf<const Word extends string>(
  words: readonly Word[],
  { rules, ...keywords }: AnyLimits<Word> = {},
): Field<Word, false> {
  return fieldOf(() => ({ type: "string", enum: words, ...keywords, ...rulesKeyword(rules) }));
}

function integer({ format = "int32", rules, ...keywords }: IntegerLimits = {}): Field<number, false> {
  return fieldOf(() => ({ type: "integer", format, ...keywords, ...rulesKeyword(rules) }));
}

function boolean({ rules, ...keywords }: AnyLimits<boolean> = {}): Field<boolean, false> {
  return fieldOf(() => ({ type: "boolean", ...keywords, ...rulesKeyword(rules) }));
}

/** A time with whole seconds. */
function time(): Field<Timestamp, false> {
  return fieldOf(() => ({ type: "string", format: "date-time" }));
}

/** A number, or a text such as `25%`. */
function intOrString(): Field<number | string, false> {
  return fieldOf(() => ({ anyOf: intOrStringTypes, "x-kubernetes-int-or-string": true }));
}

/** An amount such as `1500m` or `2Gi`. */
function quantity(): Field<number | string, false> {
  return fieldOf(() => ({ ...intOrString().schema(), pattern: quantityPattern }));
}

/** Any JSON, kept as it is. */
function anything(): Field<Json, false> {
  return fieldOf(() => ({ "x-kubernetes-preserve-unknown-fields": true }));
}

/** A whole object of some kind inside another, kept as it is. */
function embedded<Obj extends KubeObject = KubeObject>(): Field<Obj, false> {
  return fieldOf(() => ({
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
  }));
}

/** The schemas of named members, by name. */
export function propertiesOf(fields: Fields): { readonly [name: string]: JsonSchema } {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.schema()]));
}

function objectKeywords({ atomic = false, rules, ...keywords }: ObjectLimits): JsonSchema {
  return { ...keywords, ...(atomic ? { "x-kubernetes-map-type": "atomic" } : {}), ...rulesKeyword(rules) };
}

function rulesKeyword(rules: readonly ValidationRule[] | undefined): JsonSchema {
  return rules === undefined ? {} : { "x-kubernetes-validations": rules };
}
