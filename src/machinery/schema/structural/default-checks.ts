import { describeFieldErrors, type FieldError, invalid } from "../../field-error.ts";
import { FieldPath } from "../../field-path.ts";
import { isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { embeddedResourceErrors, malformedResource } from "../embedded.ts";
import type { JsonSchema } from "../json-schema.ts";
import { report } from "../report.ts";
import { readSchema, type SchemaNode } from "../schema-node.ts";
import { hasFieldsToPrune } from "../unknown-fields.ts";
import { fieldErrorsOf } from "../violation.ts";
import { someSchema } from "./subschemas.ts";

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
export function defaultErrors(
  schema: JsonSchema,
  path: FieldPath,
  { requirePruned, root: kind, checkRules = () => [] }: DefaultOptions,
): readonly FieldError[] {
  if (!someSchema(schema, (below) => (below.default ?? null) !== null)) return [];
  const read = readSchema(schema, "default");
  const root = kind === "resource" ? { ...read, embedded: true } : read;
  return nodeErrors(root, { path, root, around: resourceAround, insideMeta: false, requirePruned, checkRules });
}

interface Place {
  readonly path: FieldPath;
  /** The closest resource around, itself or embedded. */
  readonly root: SchemaNode;
  /** Builds that resource around a default. */
  readonly around: (value: Json) => Json;
  /** True inside of apiVersion, kind or metadata, whose rules need the whole resource. */
  readonly insideMeta: boolean;
  readonly requirePruned: boolean;
  readonly checkRules: DefaultRules;
}

function nodeErrors(node: SchemaNode, outer: Place): readonly FieldError[] {
  if (!node.below.defaults) return [];
  const place = node.embedded ? { ...outer, root: node, around: resourceAround, insideMeta: false } : outer;
  const { path, around, insideMeta } = place;
  // Defaults below additionalProperties are forbidden or never filled in, so they are not looked at.
  const items =
    node.items === undefined
      ? []
      : nodeErrors(node.items, { ...place, path: path.child("items"), around: (value) => around([value]) });
  const names = [...node.properties.keys()].toSorted();
  const below = names.flatMap((name) => {
    const property = node.properties.get(name);
    if (property === undefined) return [];
    const isMeta = node.embedded && (name === "metadata" || name === "apiVersion" || name === "kind");
    return nodeErrors(property, {
      ...place,
      path: path.child("properties").key(name),
      around: (value) => around(Object.fromEntries([[name, value]])),
      insideMeta: insideMeta || isMeta,
    });
  });
  return [...ownErrors(node, place), ...items, ...below];
}

function ownErrors(node: SchemaNode, place: Place): readonly FieldError[] {
  const value = node.default;
  if (value === undefined) return [];
  const at = place.path.child("default");
  if (place.insideMeta) return metaErrors(node, value, place);
  const unknown = place.requirePruned && hasFieldsToPrune(node, value);
  const malformed = malformedResource(node, value, at);
  return [
    ...(unknown ? [invalid(at, value, "must not have unknown fields")] : []),
    ...(malformed === undefined ? valueErrors(node, value, place) : [malformed]),
  ];
}

function valueErrors(node: SchemaNode, value: Json, { path, root, checkRules }: Place): readonly FieldError[] {
  const at = path.child("default");
  const embedded = embeddedResourceErrors(node, value, at);
  if (embedded.length > 0) return embedded;
  const broken = keywordErrors(node, value, at);
  return broken.length > 0 ? broken : checkRules(value, { schema: node.schema, at, isRoot: node === root });
}

function metaErrors(node: SchemaNode, value: Json, { root, around, path }: Place): readonly FieldError[] {
  const at = path.child("default");
  const resource = around(value);
  const malformed = malformedResource(asResource(root), resource, FieldPath.root);
  const errors =
    malformed === undefined ? embeddedResourceErrors(asResource(root), resource, FieldPath.root) : [malformed];
  if (errors.length === 0) return keywordErrors(node, value, at);
  return [invalid(at, value, `must result in valid metadata: ${describeFieldErrors(errors)}`)];
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
