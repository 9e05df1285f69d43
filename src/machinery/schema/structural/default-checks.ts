import { describeFieldErrors, type FieldError, invalid } from "../../field-error.ts";
import { FieldPath } from "../../field-path.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { compileAcceptance } from "../acceptance.ts";
import { embeddedResourceErrors, malformedResource } from "../embedded.ts";
import type { JsonSchema } from "../json-schema.ts";
import { report } from "../report.ts";
import { partReader, type SchemaNode } from "../schema-node.ts";
import { hasFieldsToPrune } from "../unknown-fields.ts";
import { fieldErrorsOf } from "../violation.ts";
import { itemsOf, sortedProperties } from "./subschemas.ts";

export interface DefaultOptions {
  /** False lets defaults have fields that their schema does not know. */
  readonly requirePruned: boolean;
  /** What the schema describes. */
  readonly root: "resource" | "value";
  /** Asked about defaults that fit their schema otherwise. */
  readonly checkRules?: DefaultRules | undefined;
}

/** What the rules of a schema say about its default; rules at the root see more than those below it. */
export type DefaultRules = (
  value: Json,
  place: { readonly schema: JsonSchema; readonly at: FieldPath; readonly isRoot: boolean },
) => readonly FieldError[];

/** What is wrong with the defaults in a schema. */
export function defaultErrors(schema: JsonSchema, path: FieldPath, options: DefaultOptions): readonly FieldError[] {
  const check = new DefaultCheck(schema, options);
  check.visit(schema, { path, root: schema, around: resourceAround, insideMeta: false });
  return check.errors;
}

/** Says of values whether a schema that is no resource could have them for its default; rules are not asked. */
export function defaultAcceptance(schema: JsonSchema): (value: Json) => boolean {
  const node = partReader("default")(schema);
  const accepts = compileAcceptance(node);
  return (value) => !hasFieldsToPrune(node, value) && accepts(value);
}

interface Place {
  readonly path: FieldPath;
  /** The closest resource around, itself or embedded. */
  readonly root: JsonSchema;
  /** Builds that resource around a default. */
  readonly around: (value: Json) => Json;
  /** True inside of apiVersion, kind or metadata, whose rules need the whole resource. */
  readonly insideMeta: boolean;
}

class DefaultCheck {
  readonly errors: FieldError[] = [];
  readonly #schema: JsonSchema;
  readonly #options: DefaultOptions;
  readonly #read = partReader("default");

  constructor(schema: JsonSchema, options: DefaultOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  visit(schema: JsonSchema, outer: Place): void {
    const isResource = this.#isResource(schema);
    const place = isResource ? { ...outer, root: schema, around: resourceAround, insideMeta: false } : outer;
    const value = schema.default ?? undefined;
    if (value !== undefined) for (const error of this.#ownErrors(schema, value, place)) this.errors.push(error);
    // Defaults below additionalProperties are forbidden or never filled in, so they are not looked at.
    const items = itemsOf(schema);
    if (items !== undefined) this.#visitItems(items, place);
    if (schema.properties !== undefined) this.#visitProperties(schema, place, isResource);
  }

  #visitItems(items: JsonSchema, place: Place): void {
    const { path, around } = place;
    this.visit(items, { ...place, path: path.child("items"), around: (item) => around([item]) });
  }

  #visitProperties(schema: JsonSchema, place: Place, isResource: boolean): void {
    const { path, root, around } = place;
    for (const [name, property] of sortedProperties(schema)) {
      if (!mayHaveDefaults(property)) continue;
      const isMeta = isResource && (name === "metadata" || name === "apiVersion" || name === "kind");
      this.visit(property, {
        root,
        path: path.child("properties").key(name),
        around: (field) => around(Object.fromEntries([[name, field]])),
        insideMeta: place.insideMeta || isMeta,
      });
    }
  }

  #isResource(schema: JsonSchema): boolean {
    const isRoot = schema === this.#schema && this.#options.root === "resource";
    return isRoot || schema["x-kubernetes-embedded-resource"] === true;
  }

  #nodeOf(schema: JsonSchema): SchemaNode {
    const node = this.#read(schema);
    return this.#isResource(schema) ? { ...node, embedded: true } : node;
  }

  #ownErrors(schema: JsonSchema, value: Json, place: Place): readonly FieldError[] {
    const at = place.path.child("default");
    const node = this.#nodeOf(schema);
    if (place.insideMeta) return this.#metaErrors(node, value, place);
    const unknown = this.#options.requirePruned && hasFieldsToPrune(node, value);
    const malformed = malformedResource(node, value, at);
    return [
      ...(unknown ? [invalid(at, value, "must not have unknown fields")] : []),
      ...(malformed === undefined ? this.#valueErrors(node, value, place) : [malformed]),
    ];
  }

  #valueErrors(node: SchemaNode, value: Json, { path, root }: Place): readonly FieldError[] {
    const at = path.child("default");
    const embedded = embeddedResourceErrors(node, value, at);
    if (embedded.length > 0) return embedded;
    const broken = keywordErrors(node, value, at);
    if (broken.length > 0) return broken;
    const { checkRules } = this.#options;
    return checkRules?.(value, { schema: node.schema, at, isRoot: node.schema === root }) ?? [];
  }

  #metaErrors(node: SchemaNode, value: Json, { root, around, path }: Place): readonly FieldError[] {
    const at = path.child("default");
    const resource = around(value);
    const outermost = asResource(this.#nodeOf(root));
    const malformed = malformedResource(outermost, resource, FieldPath.root);
    const errors = malformed === undefined ? embeddedResourceErrors(outermost, resource, FieldPath.root) : [malformed];
    if (errors.length === 0) return keywordErrors(node, value, at);
    return [invalid(at, value, `must result in valid metadata: ${describeFieldErrors(errors)}`)];
  }
}

/** False for most leaves of a schema, which need no place of their own. */
function mayHaveDefaults({ default: value, items, properties }: JsonSchema): boolean {
  return (value ?? null) !== null || items !== undefined || properties !== undefined;
}

function keywordErrors(node: SchemaNode, value: Json, at: FieldPath): readonly FieldError[] {
  return fieldErrorsOf(report(node, value, { at: "", before: undefined }).violations, at);
}

function asResource(node: SchemaNode): SchemaNode {
  return { ...node, embedded: true, below: { ...node.below, embedded: true } };
}

function resourceAround(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const resource: JsonObject = { kind: "Validation", apiVersion: "validation/v1" };
  return { ...resource, ...value };
}
