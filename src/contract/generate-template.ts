import { annotations as annotationKeys, labels as labelKeys } from "#api";
import {
  deepClone,
  describeGroupKind,
  fieldAt,
  generateName,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  type Labels,
  member,
  type OwnerReference,
} from "#machinery";
import { type ObjectReference, referencedKind } from "./references.ts";

/** What a clone is made of. */
export interface GenerateTemplateInput {
  /** The template object itself; the clone is its `spec.template`. */
  readonly template: KubeObject;
  /** The reference that led to the template; the clone remembers it in its annotations. */
  readonly templateRef: ObjectReference;
  /** The namespace of the clone. */
  readonly namespace: string;
  /** The name of the clone; absent or empty, one is generated from the name of the template. */
  readonly name?: string;
  readonly clusterName: string;
  readonly ownerRef?: OwnerReference;
  /** Win over those in the template. */
  readonly labels?: Labels;
  /** Win over those in the template. */
  readonly annotations?: Labels;
}

/** What making a name needs from outside. */
export interface NamingOptions {
  /** Gives numbers from 0 up to 1. */
  readonly random: () => number;
}

const templateSuffix = "Template";

// They belong to one object on one server, and a clone is another one.
const ofTheOriginal: ReadonlySet<string> = new Set(["resourceVersion", "finalizers", "uid", "selfLink", "name"]);

/** Makes an object of a template, without creating it. A template without a usable `spec.template` gives an empty one. */
export function generateTemplate(input: GenerateTemplateInput, { random }: NamingOptions): KubeObject {
  const { template } = input;
  const body = deepClone(bodyOf(template));
  const name = input.name || generateName(`${template.metadata.name ?? ""}-`, random);
  const clone = {
    ...body,
    apiVersion: textAt(body, "apiVersion") || template.apiVersion,
    kind: textAt(body, "kind") || withoutSuffix(template.kind),
    metadata: metadataOf(member(body, "metadata"), name, input),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- odd metadata of a template stays odd, and the server refuses it
  return clone as unknown as KubeObject;
}

/** Whatever is no object counts as missing. */
function bodyOf(template: KubeObject): JsonObject {
  const body = fieldAt(template, "spec", "template");
  return isJsonObject(body) ? body : {};
}

function metadataOf(metadata: Json | undefined, name: string, input: GenerateTemplateInput): Json {
  // Nothing can be written into metadata that is no object, so that it stays as it is.
  if (metadata !== undefined && !isJsonObject(metadata)) return metadata;
  const { namespace, templateRef, clusterName, ownerRef } = input;
  const { namespace: _, ...kept } = Object.fromEntries(
    Object.entries(metadata ?? {}).filter(([field]) => !ofTheOriginal.has(field)),
  );
  return {
    ...kept,
    name,
    ...(namespace === "" ? {} : { namespace }),
    annotations: {
      ...textMap(kept["annotations"]),
      ...input.annotations,
      [annotationKeys.clonedFromName]: templateRef.name ?? "",
      [annotationKeys.clonedFromGroupKind]: describeGroupKind(referencedKind(templateRef)),
    },
    labels: { ...textMap(kept["labels"]), ...input.labels, [labelKeys.clusterName]: clusterName },
    ...(ownerRef === undefined ? {} : { ownerReferences: [{ ...ownerRef }] }),
  };
}

/** Labels or annotations as far as they can be trusted: one value that is no text spoils them all. */
function textMap(value: Json | undefined): Labels {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).map(([key, text]) => [key, text ?? ""] as const);
  return entries.every(isTextEntry) ? Object.fromEntries(entries) : {};
}

function isTextEntry(entry: readonly [string, Json]): entry is readonly [string, string] {
  return typeof entry[1] === "string";
}

function textAt(body: JsonObject, name: string): string {
  const value = member(body, name);
  return typeof value === "string" ? value : "";
}

function withoutSuffix(kind: string): string {
  return kind.endsWith(templateSuffix) ? kind.slice(0, -templateSuffix.length) : kind;
}
