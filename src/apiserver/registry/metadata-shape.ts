import { isJsonObject, type Json, type JsonObject, type ObjectMeta } from "#machinery";

interface ShapeOptions {
  readonly refuse: (why: string) => Error;
  readonly onUnknown: (path: string) => void;
}

type Check = (value: Json) => string | undefined;

/** The fields of metadata and what they have to look like; Go's word for the expected type is part of the refusal. */
const fields: Readonly<Record<string, Check>> = {
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: text,
  resourceVersion: text,
  generation: integer("int64"),
  creationTimestamp: text,
  deletionTimestamp: text,
  deletionGracePeriodSeconds: integer("int64"),
  labels: texts,
  annotations: texts,
  ownerReferences: listOf("v1.OwnerReference"),
  finalizers: listOfTexts,
  managedFields: listOf("v1.ManagedFieldsEntry"),
};

/** Metadata of a body: the right types, no nulls, no unknown fields; the same object where nothing is to be done. */
export function metadataShape(metadata: Json | undefined, { refuse, onUnknown }: ShapeOptions): ObjectMeta {
  if (metadata === undefined || metadata === null) return {};
  if (!isJsonObject(metadata)) {
    throw refuse(`json: cannot unmarshal ${typeName(metadata)} into Go value of type v1.ObjectMeta`);
  }
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(metadata)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (check === undefined) {
      onUnknown(`metadata.${name}`);
      dropped.push(name);
      continue;
    }
    if (value === null || name === "selfLink") {
      dropped.push(name);
      continue;
    }
    const problem = check(value);
    if (problem !== undefined) {
      throw refuse(`json: cannot unmarshal ${problem.replace("FIELD", `ObjectMeta.${name}`)}`);
    }
  }
  return dropped.length === 0 ? metadata : without(metadata, dropped);
}

function without(metadata: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !names.includes(name)));
}

function text(value: Json): string | undefined {
  return typeof value === "string" ? undefined : mismatch(value, "string");
}

function integer(type: string): Check {
  return (value) => (Number.isInteger(value) || typeof value === "bigint" ? undefined : mismatch(value, type));
}

function texts(value: Json): string | undefined {
  if (!isJsonObject(value)) return mismatch(value, "map[string]string");
  for (const key of Object.keys(value)) {
    const each = value[key] ?? null;
    if (typeof each !== "string") return mismatch(each, "string");
  }
  return undefined;
}

function listOfTexts(value: Json): string | undefined {
  if (!Array.isArray(value)) return mismatch(value, "[]string");
  const wrong = value.find((each) => typeof each !== "string");
  return wrong === undefined ? undefined : mismatch(wrong, "string");
}

function listOf(type: string): Check {
  return (value) => {
    if (!Array.isArray(value)) return mismatch(value, `[]${type}`);
    const wrong = value.find((each) => !isJsonObject(each));
    return wrong === undefined ? undefined : mismatch(wrong, type);
  };
}

function mismatch(value: Json, type: string): string {
  return `${typeName(value)} into Go struct field FIELD of type ${type}`;
}

function typeName(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "boolean") return "bool";
  return typeof value === "bigint" ? "number" : typeof value;
}
