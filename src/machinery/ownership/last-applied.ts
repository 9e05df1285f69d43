import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { assertOfType, TypedValueError } from "./check-type.ts";
import { compareFields } from "./compare-fields.ts";
import type { FieldSet } from "./field-set.ts";
import { fieldSetOf } from "./field-set-of.ts";
import { goJson } from "./path-element.ts";
import type { OwnershipWrite } from "./write.ts";
import { metadataOf } from "./written-object.ts";

/** The annotation in which client-side apply keeps what it applied. */
const lastAppliedAnnotation = "kubectl.kubernetes.io/last-applied-configuration";

/** Only under this name does an apply take over from client-side apply. */
export const takesOver = "kubectl";

const mostAnnotationBytes = 256 * 1024;

/**
 * The fields that client-side apply set and that nobody changed since: over them a server-side apply by kubectl has
 * no conflicts. Undefined where the object does not come from client-side apply.
 */
export function fieldsOfLastApplied(live: JsonObject, { apiVersion, type }: OwnershipWrite): FieldSet | undefined {
  const configuration = parseObject(lastAppliedOf(live));
  if (configuration === undefined || configuration["apiVersion"] !== apiVersion) return undefined;
  if (typeof configuration["kind"] !== "string" || configuration["kind"] === "") return undefined;
  try {
    assertOfType(live, type, { duplicates: "refused" });
    assertOfType(configuration, type, { duplicates: "refused" });
  } catch (error) {
    if (error instanceof TypedValueError) return undefined;
    throw error;
  }
  const { added, modified, removed } = compareFields(configuration, live, type);
  return fieldSetOf(configuration, type).difference(modified).difference(added).difference(removed);
}

/** Brings the annotation of client-side apply in step with what was just applied, if the object carries one. */
export function withLastApplied(object: JsonObject, configuration: JsonObject): JsonObject {
  if (lastAppliedOf(object) === "") return object;
  const metadata = metadataOf(object);
  const annotations = { ...annotationsOf(object), [lastAppliedAnnotation]: describeApplied(configuration) };
  return {
    ...object,
    metadata: { ...metadata, annotations: isTooLarge(annotations) ? rest(annotations) : annotations },
  };
}

function describeApplied(configuration: JsonObject): string {
  const { annotations: _, ...metadata } = metadataOf(configuration);
  const annotations = annotationsOf(configuration);
  const described = annotations === undefined ? metadata : { ...metadata, annotations: rest(annotations) };
  // Kubernetes' encoder ends every document with a line break, so the annotation ends with one too.
  return `${goJson({ ...configuration, metadata: described })}\n`;
}

function lastAppliedOf(object: JsonObject): string {
  const value = annotationsOf(object)?.[lastAppliedAnnotation];
  return typeof value === "string" ? value : "";
}

function annotationsOf(object: JsonObject): JsonObject | undefined {
  const annotations = metadataOf(object)["annotations"];
  return isJsonObject(annotations) ? annotations : undefined;
}

function rest(annotations: JsonObject): JsonObject {
  const { [lastAppliedAnnotation]: _, ...others } = annotations;
  return others;
}

function isTooLarge(annotations: JsonObject): boolean {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations))
    bytes += Buffer.byteLength(key) + (typeof value === "string" ? Buffer.byteLength(value) : 0);
  return bytes > mostAnnotationBytes;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse yields nothing but JSON
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
