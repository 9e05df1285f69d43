import {
  type ApiError,
  apiVersionOf,
  asJson,
  badRequest,
  checkDepth,
  decodeMetadata,
  FieldPath,
  InvalidMetadataError,
  invalid,
  invalidObject,
  isJsonObject,
  type JsonObject,
  JsonTooDeepError,
  type KubeObject,
  type ObjectMeta,
  type WriteOptions,
} from "#machinery";
import { isCustom, type Target } from "./resources.ts";

// The real server stops naming unknown fields at some point too, lest an answer outgrow its question.
const mostUnknownFields = 100;

export interface BodyOptions extends WriteOptions {
  /** Fields that stood twice in the text that the object was read from. */
  readonly duplicateFields?: readonly string[];
  /** Who is taken to have written it, where no manager is named. */
  readonly defaultManager?: string;
  /** Is told when a write that may do either has made a new object. */
  readonly onCreated?: () => void;
}

/**
 * Makes an object of what a caller sent: of the right kind and version, with metadata of the right shape, without fields
 * that the schema does not know, and with defaults. Parts that are the very same in the stored object are taken as they are.
 */
export function readBody(target: Target, body: unknown, options: BodyOptions, older?: KubeObject): KubeObject {
  const { schema } = target.version;
  const unknown: string[] = [];
  const reading = { onUnknown: (path: string) => unknown.push(path), older };
  const object = schema.prune(checkBody(target, body, reading), reading);
  judgeUnknownFields(target, unknown, options);
  return schema.applyDefaults(object);
}

interface Reading {
  /** Is told the fields that metadata does not have. */
  readonly onUnknown?: (path: string) => void;
  readonly older?: KubeObject | undefined;
}

/** An object of the right kind and version, with metadata of the right shape, and otherwise as it was sent. */
export function checkBody(target: Target, body: unknown, reading: Reading = {}): KubeObject {
  const { definition, version } = target;
  const raw = objectOf(target, body, reading);
  const kind = typeof raw["kind"] === "string" ? raw["kind"] : "";
  const apiVersion = typeof raw["apiVersion"] === "string" ? raw["apiVersion"] : "";
  const expected = apiVersionOf({ group: definition.group, version: version.version });
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  const metadata = metadataOf(target, raw, reading);
  if (kind !== definition.kind && !isCustom(target)) throw badRequest(unknownConversion(target, kind));
  if (kind !== definition.kind) {
    const problem = invalid(FieldPath.of("kind"), kind, `must be ${definition.kind}`);
    throw invalidObject({ group: definition.group, kind }, metadata.name ?? "", [problem]);
  }
  return isWhole(raw, metadata) ? raw : { ...raw, apiVersion, kind, metadata };
}

/** True for an object whose metadata needed no change. */
function isWhole(raw: JsonObject, metadata: ObjectMeta): raw is JsonObject & KubeObject {
  return Object.is(raw["metadata"], metadata);
}

function unknownConversion({ definition, version }: Target, kind: string): string {
  const [home = ""] = (definition.group === "" ? "core" : definition.group).split(".");
  const conversion = `converting (${version.version}.${kind}) to (${home}.${definition.kind}): unknown conversion`;
  return `${kind} in version ${JSON.stringify(version.version)} cannot be handled as a ${definition.kind}: ${conversion}`;
}

function metadataOf(target: Target, raw: JsonObject, { onUnknown, older }: Reading): ObjectMeta {
  if (older !== undefined && raw["metadata"] === older.metadata) return older.metadata;
  try {
    const { metadata, unknownFields } = decodeMetadata(raw["metadata"], older?.metadata);
    if (onUnknown !== undefined) for (const path of unknownFields) onUnknown(path);
    return metadata;
  } catch (error) {
    if (!(error instanceof InvalidMetadataError)) throw error;
    throw badRequest(`${cannotBeHandled(target)}: ${error.message}`);
  }
}

/** The beginning of every refusal of a body that cannot be read as the kind that it has to be. */
export function cannotBeHandled({ definition, version }: Target): string {
  return `${definition.kind} in version ${JSON.stringify(version.version)} cannot be handled as a ${definition.kind}`;
}

function objectOf({ definition }: Target, body: unknown, { older }: Reading): JsonObject {
  if (!isJsonObject(body)) {
    const what = body === null ? "null" : Array.isArray(body) ? "array" : typeof body;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${definition.kind}): couldn't get version/kind; json parse error: json: cannot unmarshal ${what} into Go value of an object`,
    );
  }
  try {
    checkDepth(body, 0, older && asJson(older));
  } catch (error) {
    if (!(error instanceof JsonTooDeepError)) throw error;
    throw badRequest(`the object provided is unrecognized (must be of type ${definition.kind}): ${error.message}`);
  }
  return body;
}

function judgeUnknownFields(target: Target, unknown: readonly string[], options: BodyOptions): void {
  const { fieldValidation = "Warn", duplicateFields = [], onWarning } = options;
  if (fieldValidation === "Ignore" || (unknown.length === 0 && duplicateFields.length === 0)) return;
  const duplicates = duplicateFields.map((path) => `duplicate field ${JSON.stringify(path)}`);
  const unknowns = unknown.map((path) => `unknown field ${JSON.stringify(path)}`);
  // The decoder of custom resources finds equal keys first, the one of built-in kinds finds them last.
  const found = isCustom(target) ? [...duplicates, ...unknowns] : [...unknowns, ...duplicates];
  const problems = found.slice(0, mostUnknownFields);
  if (fieldValidation === "Strict") {
    throw badRequest(`${cannotBeHandled(target)}: strict decoding error: ${problems.join(", ")}`);
  }
  for (const problem of problems) onWarning?.(problem);
}

/** The refusal of an update that does not say which state of the object it was made from. */
export function versionRequired({ definition }: Target, name: string): ApiError {
  const problem = invalid(FieldPath.of("metadata", "resourceVersion"), 0, "must be specified for an update");
  return invalidObject({ group: definition.group, kind: definition.resource }, name, [problem]);
}
