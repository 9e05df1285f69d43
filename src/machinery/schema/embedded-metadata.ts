import { isJsonList, isJsonObject, type Json, type JsonObject } from "../json.ts";
import { decodeMetadata, InvalidMetadataError } from "../metadata-decode.ts";
import { asJson, type KubeObject } from "../object.ts";
import { isDateTime } from "./formats/time.ts";
import { isInt64 } from "./number.ts";

/** Metadata brought into the form of ObjectMeta, the fields it does not know, and why it cannot be read. */
export interface MetadataReading {
  readonly metadata: Json;
  readonly unknown: readonly string[];
  readonly malformed: string | undefined;
}

/** Reads metadata into the form of ObjectMeta. The same object comes back if it has that form already, or cannot be read. */
export function readObjectMeta(metadata: Json): MetadataReading {
  if (isObjectMeta(metadata)) return { metadata, unknown: [], malformed: undefined };
  try {
    const { metadata: read, unknownFields } = decodeMetadata(inOrder(metadata));
    const unknown = unknownFields.map((field) => field.replace(/^metadata\./, ""));
    return { metadata: metadataAsJson(read), unknown, malformed: undefined };
  } catch (error) {
    if (!(error instanceof InvalidMetadataError)) throw error;
    return { metadata, unknown: [], malformed: error.message };
  }
}

type Check = (value: Json) => boolean;

const isText: Check = (value) => typeof value === "string" && value !== "";
const isFlag: Check = (value) => typeof value === "boolean";
const isTime: Check = (value) => typeof value === "string" && value.length === 20 && isDateTime(value);
const isTextMap: Check = (value) => isJsonObject(value) && hasTextsOnly(value);

const ownerChecks: ReadonlyMap<string, Check> = new Map([
  ["apiVersion", isText],
  ["kind", isText],
  ["name", isText],
  ["uid", isText],
  ["controller", isFlag],
  ["blockOwnerDeletion", isFlag],
]);
const managedFieldsChecks: ReadonlyMap<string, Check> = new Map([
  ["manager", isText],
  ["operation", isText],
  ["apiVersion", isText],
  ["time", isTime],
  ["fieldsType", isText],
  ["fieldsV1", isJsonObject],
  ["subresource", isText],
]);
const metadataChecks: ReadonlyMap<string, Check> = new Map([
  ["name", isText],
  ["generateName", isText],
  ["namespace", isText],
  ["uid", isText],
  ["resourceVersion", isText],
  ["generation", isInt64],
  ["creationTimestamp", isTime],
  ["deletionTimestamp", isTime],
  ["deletionGracePeriodSeconds", isInt64],
  ["labels", isTextMap],
  ["annotations", isTextMap],
  ["ownerReferences", (value) => isFilledList(value, isOwner)],
  ["finalizers", (value) => isFilledList(value, isText)],
  ["managedFields", (value) => isFilledList(value, (item) => passes(item, managedFieldsChecks))],
]);

/** True for metadata that is just as ObjectMeta writes it: the case of nearly every object, told without any copying. */
function isObjectMeta(metadata: Json): boolean {
  return passes(metadata, metadataChecks);
}

function isOwner(value: Json): boolean {
  if (!isJsonObject(value) || !passes(value, ownerChecks)) return false;
  return ["apiVersion", "kind", "name", "uid"].every((name) => Object.hasOwn(value, name));
}

function passes(value: Json, checks: ReadonlyMap<string, Check>): boolean {
  if (!isJsonObject(value)) return false;
  for (const name in value) {
    const check = checks.get(name);
    if (check === undefined || !check(value[name] ?? null)) return false;
  }
  return true;
}

function isFilledList(value: Json, check: Check): boolean {
  return isJsonList(value) && value.length > 0 && value.every(check);
}

function hasTextsOnly(map: JsonObject): boolean {
  let size = 0;
  for (const name in map) {
    if (typeof map[name] !== "string") return false;
    size++;
  }
  return size > 0;
}

/** Go meets fields in the order of their names and stops at the first that it cannot read. */
function inOrder(metadata: Json): Json {
  if (!isJsonObject(metadata)) return metadata;
  return Object.fromEntries(Object.entries(metadata).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function metadataAsJson(metadata: KubeObject["metadata"]): Json {
  return asJson({ apiVersion: "", kind: "", metadata })["metadata"] ?? {};
}
