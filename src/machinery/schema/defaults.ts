import { deepClone, deepFreeze } from "../clone.ts";
import { isJsonList, type Json, type JsonObject, type JsonObjectDraft, member, setMember } from "../json.ts";
import { prune } from "./prune.ts";
import type { SchemaNode } from "./schema-node.ts";

/** Fills in what a value lacks. The same value comes back if it lacks nothing. */
export type ApplyDefaults = (value: Json) => Json;

/** Compiles the defaults below a node; undefined where there are none, so that such parts of a value are not entered. */
export function compileDefaults(node: SchemaNode): ApplyDefaults | undefined {
  if (!node.below.defaults) return undefined;
  const fields = [...node.properties].map(([name, child]) => fieldDefaults(name, child));
  const items = node.items === undefined ? undefined : memberDefaults(node.items);
  const others = node.additional?.kind === "schema" ? memberDefaults(node.additional.node) : undefined;
  const useful = fields.filter((field) => field.value !== undefined || field.inside !== undefined);
  return (value) => {
    if (typeof value !== "object" || value === null) return value;
    if (isJsonList(value)) return items === undefined ? value : listWithDefaults(value, items);
    const filled = withFields(value, useful);
    return others === undefined ? filled : withOthers(filled, { properties: node.properties, others });
  };
}

/** The default of a node, pruned, with its own defaults filled in, and frozen: objects may share it. */
export function defaultValue(node: SchemaNode): Json | undefined {
  if (node.default === undefined) return undefined;
  const pruned = prune(node, node.default);
  return deepFreeze(deepClone(compileDefaults(node)?.(pruned) ?? pruned));
}

interface FieldDefaults {
  readonly name: string;
  readonly nullable: boolean;
  readonly value: Json | undefined;
  readonly inside: ApplyDefaults | undefined;
}

interface MemberDefaults {
  readonly nullable: boolean;
  readonly value: Json | undefined;
  readonly inside: ApplyDefaults | undefined;
}

function fieldDefaults(name: string, node: SchemaNode): FieldDefaults {
  return { name, ...memberDefaults(node) };
}

function memberDefaults(node: SchemaNode): MemberDefaults {
  return { nullable: node.nullable, value: defaultValue(node), inside: compileDefaults(node) };
}

function withFields(object: JsonObject, fields: readonly FieldDefaults[]): JsonObject {
  let copy: JsonObjectDraft | undefined;
  for (const field of fields) {
    const old = member(object, field.name);
    const filled = old === undefined ? field.value : memberValue(old, field);
    if (filled === undefined || filled === old) continue;
    copy ??= { ...object };
    setMember(copy, field.name, filled);
  }
  return copy ?? object;
}

function withOthers(
  object: JsonObject,
  { properties, others }: { readonly properties: ReadonlyMap<string, SchemaNode>; readonly others: MemberDefaults },
): JsonObject {
  let copy: JsonObjectDraft | undefined;
  for (const name in object) {
    if (properties.has(name)) continue;
    const old = object[name] ?? null;
    const filled = memberValue(old, others);
    if (filled === old) continue;
    copy ??= { ...object };
    setMember(copy, name, filled);
  }
  return copy ?? object;
}

function listWithDefaults(list: readonly Json[], items: MemberDefaults): readonly Json[] {
  let copy: Json[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const old = list[index] ?? null;
    const filled = memberValue(old, items);
    if (filled === old) continue;
    copy ??= [...list];
    copy[index] = filled;
  }
  return copy ?? list;
}

/** A null where null is not allowed counts as absent; one that is allowed stays. */
function memberValue(old: Json, { nullable, value, inside }: MemberDefaults): Json {
  if (old === null) return nullable ? old : (value ?? null);
  return inside === undefined ? old : inside(old);
}
