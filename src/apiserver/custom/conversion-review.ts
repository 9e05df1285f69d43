import { quote } from "#base";
import {
  deepEqual,
  describeFieldErrors,
  encodeJson,
  fieldAt,
  FieldPath,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  type Labels,
  validateAnnotations,
  validateLabels,
} from "#machinery";
import { CalloutError } from "#apiserver/callout";

/** The versions of ConversionReview that this server speaks. */
export type ReviewVersion = "v1" | "v1beta1";

const group = "apiextensions.k8s.io";

/** What a webhook is sent: objects and the version that is wanted, as JSON. */
export function reviewText(
  { uid, version }: { readonly uid: string; readonly version: ReviewVersion },
  objects: readonly KubeObject[],
  desiredAPIVersion: string,
): string {
  return encodeJson({
    kind: "ConversionReview",
    apiVersion: `${group}/${version}`,
    request: {
      uid,
      desiredAPIVersion,
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- objects of the API are JSON
      objects: objects as unknown as readonly Json[],
    },
    response: { uid: "", convertedObjects: null, result: { metadata: {} } },
  });
}

/** The objects in an answer, whatever they are; throws a CalloutError where it is none to what was asked. */
export function convertedIn(
  review: JsonObject,
  { uid, version }: { readonly uid: string; readonly version: ReviewVersion },
): readonly Json[] {
  checkKind(review, version);
  const response = review["response"];
  if (!isJsonObject(response)) throw new CalloutError("no response provided");
  const given = textAt(response, "uid");
  if (version === "v1" && given !== uid) {
    throw new CalloutError(`expected response.uid=${quote(uid)}, got ${quote(given)}`);
  }
  const [status, message] = [textAt(response, "result", "status"), textAt(response, "result", "message")];
  if (status !== "Success") {
    throw new CalloutError(message === "" ? `response.result.status was '${status}', not 'Success'` : message);
  }
  const objects = response["convertedObjects"];
  return isJsonList(objects) ? objects : [];
}

function checkKind(review: JsonObject, version: ReviewVersion): void {
  const [kind, apiVersion] = [textAt(review, "kind"), textAt(review, "apiVersion")];
  const expected = `${group}/${version}`;
  if (kind === "ConversionReview" && apiVersion === expected) return;
  if (kind === "" || apiVersion === "") {
    if (version === "v1beta1") return;
    const got = `${apiVersion === "" ? "/" : apiVersion}, Kind=${kind}`;
    throw new CalloutError(`expected webhook response of ${expected}, Kind=ConversionReview, got ${got}`);
  }
  if (kind === "ConversionReview" && [`${group}/v1`, `${group}/v1beta1`].includes(apiVersion)) {
    const other = version === "v1" ? "v1beta1" : "v1";
    throw new CalloutError(`converting (${other}.${kind}) to (${version}.${kind}): unknown conversion`);
  }
  throw new CalloutError(`no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`);
}

/** What of an answer does not fit. */
export type Misfit = "object" | "version" | "metadata";

/** An object in another version, or why what came back is not that. */
export type Adoption =
  | { readonly kind: "adopted"; readonly object: KubeObject }
  | { readonly kind: "refused"; readonly misfit: Misfit; readonly why: string };

/** A converted object with the metadata of the original, of which only labels and annotations may have changed. */
export function adopted(original: KubeObject, converted: Json, apiVersion: string): Adoption {
  const refused = (misfit: Misfit, why: string): Adoption => ({ kind: "refused", misfit, why });
  if (!isJsonObject(converted)) return refused("object", `must be an object, but is ${encodeJson(converted)}`);
  const [kind, version] = [textAt(converted, "kind"), textAt(converted, "apiVersion")];
  if (version !== apiVersion) {
    return refused("version", `invalid groupVersion (expected ${apiVersion}, received ${version})`);
  }
  if (kind !== original.kind) return refused("version", `invalid kind (expected ${original.kind}, received ${kind})`);
  for (const [field, word] of identity) {
    const [expected, given] = [original.metadata[field] ?? "", textAt(converted, "metadata", field)];
    if (expected !== given) return refused("object", `must have the same ${word}: ${expected} != ${given}`);
  }
  const { labels: oldLabels, annotations: oldAnnotations, ...metadata } = original.metadata;
  const given = converted["metadata"];
  const labels = textsIn(given, "labels", oldLabels);
  const annotations = textsIn(given, "annotations", oldAnnotations);
  if (typeof labels === "string") return refused("metadata", labels);
  if (typeof annotations === "string") return refused("metadata", annotations);
  const kept = {
    ...metadata,
    ...(labels === undefined ? {} : { labels }),
    ...(annotations === undefined ? {} : { annotations }),
  };
  return { kind: "adopted", object: { ...converted, apiVersion, kind, metadata: kept } };
}

const identity = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

/** Labels or annotations, nothing where there are none, or what is wrong with them. */
function textsIn(
  metadata: Json | undefined,
  field: "labels" | "annotations",
  before: Labels | undefined,
): Labels | undefined | string {
  const value = isJsonObject(metadata) ? metadata[field] : undefined;
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) return `invalid metadata.${field} of type ${goType(value)} in converted object`;
  if (before !== undefined && deepEqual(value, before)) return before;
  const texts: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") {
      return `metadata.${field}[${key}] must be a string, but is ${goType(text)} in converted object`;
    }
    texts[key] = text;
  }
  // The real server leaves out a letter here.
  const problems =
    field === "labels"
      ? validateLabels(texts, FieldPath.of("metadata", "labels"))
      : validateAnnotations(texts, FieldPath.of("metadata", "annotation"));
  return problems.length === 0 ? texts : describeFieldErrors(problems);
}

function goType(value: Json): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float64";
  if (typeof value === "bigint") return "int64";
  return value === null ? "<nil>" : Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}

function textAt(value: unknown, ...path: readonly string[]): string {
  const text = fieldAt(value, ...path);
  return typeof text === "string" ? text : "";
}
