import { contractLabels, contractVersion, kinds } from "#api";
import { parseTimestamp, type Timestamp, toError } from "#base";
import { definitionName } from "#contract";
import {
  fieldAt,
  InvalidYamlError,
  isJsonObject,
  type Json,
  type JsonObject,
  kindOf,
  type KubeObject,
  parseYamlDocuments,
} from "#machinery";
import { InvalidDumpError } from "../errors.ts";
import { joinFacts, type KnownFacts, nothingKnown, readKnownFacts } from "./known-facts.ts";

/** Objects as they were at some time, and what somebody wrote down beside them. */
export interface Dump {
  readonly objects: readonly KubeObject[];
  readonly facts: KnownFacts;
}

/** Reads files with objects: several documents, Lists, and `facts:` documents. */
export function readDump(files: readonly { readonly path: string; readonly text: string }[]): Dump {
  const objects: KubeObject[] = [];
  let facts = nothingKnown;
  for (const { path, text } of files) {
    for (const [index, document] of documentsOf(path, text).entries()) {
      const place = `document ${index + 1} of ${path}`;
      if (!isJsonObject(document)) throw new InvalidDumpError(`${place} is no object`);
      if (isFacts(document)) facts = joinFacts(facts, readKnownFacts(document["facts"]));
      else objects.push(...objectsIn(document, place));
    }
  }
  if (objects.length === 0) throw new InvalidDumpError("there is no object in the dump");
  return { objects, facts };
}

/** The newest time that the objects of a dump name: it was made then, or later. */
export function newestTime(objects: readonly KubeObject[]): Timestamp | undefined {
  let newest = "";
  const see = (stamp: unknown): void => {
    // Times of one form are in the order of their texts.
    if (typeof stamp === "string" && stamp > newest && isTime.test(stamp)) newest = stamp;
  };
  for (const object of objects) {
    const { creationTimestamp, deletionTimestamp, managedFields = [] } = object.metadata;
    see(creationTimestamp);
    see(deletionTimestamp);
    for (const { time } of managedFields) see(time);
    const conditions = fieldAt(object, "status", "conditions");
    if (Array.isArray(conditions)) for (const condition of conditions) see(fieldAt(condition, "lastTransitionTime"));
  }
  return newest === "" ? undefined : parseTimestamp(newest);
}

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Definitions that the dump lacks: those of this program, and for other kinds the newest contract. */
export function missingDefinitions(objects: readonly KubeObject[]): {
  readonly definitions: readonly KubeObject[];
  /** Kinds whose contract was taken for granted. */
  readonly assumed: readonly string[];
} {
  const have = new Set(objects.filter(({ kind }) => kind === definitionKind).map(({ metadata }) => metadata.name));
  const own = kinds.map((kind) => kind.crd()).filter(({ metadata }) => !have.has(metadata.name));
  for (const { metadata } of own) have.add(metadata.name);
  const assumed = new Map<string, { readonly kind: string; readonly versions: Set<string> }>();
  for (const object of objects) {
    const { group, version, kind } = kindOf(object);
    const name = definitionName({ group, kind });
    if (!group.endsWith("cluster.x-k8s.io") || have.has(name)) continue;
    const entry = assumed.get(name) ?? { kind, versions: new Set<string>() };
    entry.versions.add(version);
    assumed.set(name, entry);
  }
  const made = [...assumed].map(([name, { versions }]) => ({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: definitionKind,
    metadata: { name, labels: contractLabels({ [contractVersion]: [...versions] }) },
  }));
  return { definitions: [...own, ...made], assumed: [...assumed.values()].map(({ kind }) => kind) };
}

const definitionKind = "CustomResourceDefinition";

function documentsOf(path: string, text: string): readonly Json[] {
  try {
    // A dump of thousands of objects is JSON more often than not, and that is read many times faster.
    return /^\s*\{/.test(text) ? [JSON.parse(text)] : parseYamlDocuments(text);
  } catch (error) {
    if (!(error instanceof InvalidYamlError || error instanceof SyntaxError)) throw error;
    throw new InvalidDumpError(`${path} is neither YAML nor JSON`, { cause: toError(error) });
  }
}

function isFacts(document: JsonObject): boolean {
  return document["kind"] === undefined && document["facts"] !== undefined;
}

function objectsIn(document: JsonObject, place: string): readonly KubeObject[] {
  const { items } = document;
  if (Array.isArray(items))
    return items.flatMap((item, index) => objectsIn(asObject(item, `item ${index + 1} of ${place}`), place));
  const { apiVersion, kind, metadata } = document;
  if (typeof apiVersion !== "string" || typeof kind !== "string" || !isJsonObject(metadata))
    throw new InvalidDumpError(`${place} has no apiVersion, kind and metadata`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it has what makes an object; the rest is read field by field
  return [document as unknown as KubeObject];
}

function asObject(value: unknown, place: string): JsonObject {
  if (!isJsonObject(value)) throw new InvalidDumpError(`${place} is no object`);
  return value;
}
