import { InvalidTimestampError, parseTimestamp } from "#base";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "../../json.ts";
import { isDateTime } from "../formats/time.ts";
import { isInt64 } from "../number.ts";
import { typeName } from "../value-type.ts";

/** What a field of ObjectMeta holds, and what Go calls its type in messages. */
type Shape =
  | { readonly kind: "text" | "integer" | "flag" | "time" | "anything"; readonly goType: string }
  | { readonly kind: "texts" | "text-map"; readonly goType: string }
  | { readonly kind: "list"; readonly goType: string; readonly struct: Struct };

interface Struct {
  readonly name: string;
  readonly fields: { readonly [name: string]: Shape };
  /** Fields that stand even where they are empty. */
  readonly always: readonly string[];
}

const text: Shape = { kind: "text", goType: "string" };
const integer: Shape = { kind: "integer", goType: "int64" };
const flag: Shape = { kind: "flag", goType: "bool" };
const time: Shape = { kind: "time", goType: "string" };
const textMap: Shape = { kind: "text-map", goType: "map[string]string" };

const ownerReference: Struct = {
  name: "OwnerReference",
  always: ["apiVersion", "kind", "name", "uid"],
  fields: { apiVersion: text, kind: text, name: text, uid: text, controller: flag, blockOwnerDeletion: flag },
};

const managedFieldsEntry: Struct = {
  name: "ManagedFieldsEntry",
  always: [],
  fields: {
    manager: text,
    operation: text,
    apiVersion: text,
    time,
    fieldsType: text,
    fieldsV1: { kind: "anything", goType: "" },
    subresource: text,
  },
};

const objectMeta: Struct = {
  name: "ObjectMeta",
  always: [],
  fields: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: integer,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: integer,
    labels: textMap,
    annotations: textMap,
    ownerReferences: { kind: "list", goType: "[]v1.OwnerReference", struct: ownerReference },
    finalizers: { kind: "texts", goType: "[]string" },
    managedFields: { kind: "list", goType: "[]v1.ManagedFieldsEntry", struct: managedFieldsEntry },
  },
};

/** Metadata brought into the form of ObjectMeta, the fields it does not know, and the first that cannot be read. */
export interface MetadataReading {
  readonly metadata: Json;
  readonly unknown: readonly string[];
  readonly malformed: string | undefined;
}

/** Reads metadata as Go reads it into ObjectMeta: unknown, null and empty fields go. The same object comes back if none was there. */
export function readObjectMeta(metadata: Json): MetadataReading {
  if (isCanonical(metadata, objectMeta)) return { metadata, unknown: [], malformed: undefined };
  const findings: Findings = { unknown: [], malformed: undefined };
  const read = readStruct(metadata, objectMeta, { findings, at: "" });
  const same = findings.malformed !== undefined || read === undefined;
  return { metadata: same ? metadata : read, unknown: findings.unknown, malformed: findings.malformed };
}

/** True for metadata that is as ObjectMeta writes it: the case of nearly every object, told without any copying. */
function isCanonical(value: Json, { fields, always }: Struct): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (shape === undefined || !isCanonicalField(value[name] ?? null, shape)) return false;
  }
  return always.every((name) => Object.hasOwn(value, name));
}

function isCanonicalField(value: Json, shape: Shape): boolean {
  switch (shape.kind) {
    case "text":
      return typeof value === "string" && value !== "";
    case "integer":
      return isInt64(value);
    case "flag":
      return typeof value === "boolean";
    case "time":
      return typeof value === "string" && value.length === 20 && value.endsWith("Z") && isDateTime(value);
    case "anything":
      return isJsonObject(value);
    case "texts":
      return isJsonList(value) && value.length > 0 && value.every((item) => typeof item === "string");
    case "text-map":
      return isJsonObject(value) && isTextMap(value);
    case "list":
      return isJsonList(value) && value.length > 0 && value.every((item) => isCanonical(item, shape.struct));
  }
}

function isTextMap(map: JsonObject): boolean {
  let size = 0;
  for (const name in map) {
    if (typeof map[name] !== "string") return false;
    size++;
  }
  return size > 0;
}

interface Findings {
  readonly unknown: string[];
  malformed: string | undefined;
}

interface Context {
  readonly findings: Findings;
  readonly at: string;
  readonly field?: string;
}

function readStruct(value: Json, struct: Struct, { findings, at, field }: Context): JsonObject | undefined {
  if (value === null) return {};
  if (!isJsonObject(value)) {
    refuse(value, `v1.${struct.name}`, { findings, at, ...(field === undefined ? {} : { field }) });
    return undefined;
  }
  const kept: [string, Json][] = [];
  let changed = false;
  // In order, because Go meets them in order and stops at the first that it cannot read.
  for (const name of Object.keys(value).toSorted()) {
    const member = value[name] ?? null;
    const shape = Object.hasOwn(struct.fields, name) ? struct.fields[name] : undefined;
    if (shape === undefined) findings.unknown.push(`${at}${name}`);
    const context = { findings, at: `${at}${name}`, field: `${field ?? struct.name}.${name}` };
    const read = shape === undefined ? undefined : readField(member, shape, context);
    const stays = read !== undefined && (!isEmpty(read, shape) || struct.always.includes(name));
    if (!stays || read !== member) changed = true;
    if (stays) kept.push([name, read]);
  }
  for (const name of struct.always) {
    if (Object.hasOwn(value, name)) continue;
    changed = true;
    kept.push([name, ""]);
  }
  return changed ? Object.fromEntries(kept) : value;
}

function readField(value: Json, shape: Shape, context: Context): Json | undefined {
  if (value === null) return shape.kind === "text" ? "" : undefined;
  switch (shape.kind) {
    case "text":
      return typeof value === "string" ? value : refuse(value, shape.goType, context);
    case "integer":
      return isInt64(value) ? value : refuse(value, shape.goType, context);
    case "flag":
      return typeof value === "boolean" ? value : refuse(value, shape.goType, context);
    case "anything":
      return value;
    case "time":
      return readTime(value, context);
    case "texts":
      return Array.isArray(value) ? readTexts(value, context) : refuse(value, shape.goType, context);
    case "text-map":
      return isJsonObject(value) ? readTextMap(value, context) : refuse(value, shape.goType, context);
    case "list":
      return Array.isArray(value) ? readList(value, shape.struct, context) : refuse(value, shape.goType, context);
  }
}

function readTime(value: Json, context: Context): Json | undefined {
  if (typeof value !== "string") return refuse(value, "string", context);
  try {
    return parseTimestamp(value);
  } catch (error) {
    if (!(error instanceof InvalidTimestampError)) throw error;
    const layout = "2006-01-02T15:04:05Z07:00";
    context.findings.malformed ??= `parsing time ${JSON.stringify(value)} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(value)} as "2006"`;
    return undefined;
  }
}

function readTexts(list: readonly Json[], context: Context): Json {
  const read = list.map((item) => readField(item, text, context) ?? "");
  return read.every((item, index) => item === list[index]) ? list : read;
}

function readTextMap(map: JsonObject, context: Context): Json {
  const entries = Object.entries(map);
  const read = entries.map(([key, value]): [string, Json] => [key, readField(value, text, context) ?? ""]);
  return read.every(([, value], index) => value === entries[index]?.[1]) ? map : Object.fromEntries(read);
}

function readList(list: readonly Json[], struct: Struct, { findings, at, field }: Context): Json {
  const context = { findings, ...(field === undefined ? {} : { field }) };
  const read = list.map((item, index) => readStruct(item, struct, { ...context, at: `${at}[${index}].` }) ?? item);
  return read.every((item, index) => item === list[index]) ? list : read;
}

function refuse(value: Json, goType: string, { findings, field }: Context): undefined {
  const into = field === undefined ? "Go value" : `Go struct field ${field}`;
  findings.malformed ??= `json: cannot unmarshal ${goName(value)} into ${into} of type ${goType}`;
  return undefined;
}

function goName(value: Json): string {
  const name = typeName(value);
  if (name === "boolean") return "bool";
  if (name === "integer") return "number";
  return typeof value === "number" ? `number ${value}` : name;
}

function isEmpty(value: Json, shape: Shape | undefined): boolean {
  if (shape?.kind === "integer" || shape?.kind === "flag") return false;
  if (value === "" || value === null) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
