import { describeError } from "#base";
import {
  ApiError,
  badRequest,
  decodeJson,
  type DecodedJson,
  InvalidJsonError,
  InvalidYamlError,
  isJsonList,
  isJsonObject,
  type Json,
  type JsonObject,
  JsonTooDeepError,
  type Patch,
  parseYaml,
} from "#machinery";
import { decodeProtobuf, InvalidProtobufError, protobufMediaType } from "#apiserver/protobuf";
import { parseMediaType } from "./media-type.ts";

const patchTypes = {
  "application/json-patch+json": "json",
  "application/merge-patch+json": "merge",
  "application/strategic-merge-patch+json": "strategic",
  "application/apply-patch+yaml": "apply",
} as const;

export type PatchKind = (typeof patchTypes)[keyof typeof patchTypes];

/** Reads the body of a create or update in the form that its content type names; `what` says what it should be. */
export function decodeBody(bytes: Buffer, contentType: string | undefined, what: string): DecodedJson {
  const { type } = parseMediaType(contentType ?? "");
  const refused = (error: Error) =>
    badRequest(`the object provided is unrecognized (must be of type ${what}): ${error.message}`);
  switch (type) {
    case "":
    case "application/json":
      return decodedOr(
        () => decodeJson(bytes),
        (error) => refused(withBody("couldn't get version/kind; json parse error: ", error, bytes)),
      );
    case "application/yaml":
      return decodedOr(
        () => decodeYaml(bytes),
        (error) => refused(withBody("", error, bytes)),
      );
    case protobufMediaType:
      return decodedOr(() => ({ value: decodeProtobuf(bytes), duplicateFields: [] }), refused);
    default:
      throw unknownFormat(["application/json", "application/yaml", protobufMediaType]);
  }
}

/** Reads the options in the body of a delete; there are none where it is empty. */
export function decodeOptions(bytes: Buffer, contentType: string | undefined): DecodedJson | undefined {
  if (bytes.length === 0) return undefined;
  const { type } = parseMediaType(contentType ?? "");
  const refused = (error: Error) => badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
  if (type === "" || type === "application/json") return decodedOr(() => decodeJson(bytes), refused);
  return decodeBody(bytes, contentType, "DeleteOptions");
}

/** The kind of patch that a content type names; custom resources are refused in other words than built-in ones. */
export function patchKindOf(contentType: string | undefined, custom: boolean): PatchKind {
  const { type } = parseMediaType(contentType ?? "");
  if (isPatchType(type) && !(custom && type === "application/strategic-merge-patch+json")) return patchTypes[type];
  if (custom)
    throw unknownFormat([
      "application/json-patch+json",
      "application/merge-patch+json",
      "application/apply-patch+yaml",
    ]);
  const message = "415: Unsupported Media Type";
  throw new ApiError({ httpCode: 415, reason: "UnsupportedMediaType", message, details: {} });
}

/** Reads a patch that is no apply. */
export function decodePatch(
  bytes: Buffer,
  kind: Exclude<PatchKind, "apply">,
): { readonly patch: Patch; readonly duplicateFields: readonly string[] } {
  const refused = (error: Error) => badRequest(`error decoding patch: ${error.message}`);
  const { value, duplicateFields } = decodedOr(() => decodeJson(bytes), refused);
  if (kind !== "json") return { patch: { kind, patch: value }, duplicateFields };
  if (isJsonList(value) && value.every((each): each is JsonObject => isJsonObject(each))) {
    return { patch: { kind, operations: value }, duplicateFields: [] };
  }
  const found = value === null ? "null" : isJsonList(value) ? "array" : typeof value;
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${found} into Go value of type []handlers.jsonPatchOp`,
  );
}

/** Reads what a manager wants applied, with the complaint about a key that stands twice. */
export function decodeApply(bytes: Buffer): { readonly value: JsonObject; readonly duplicate?: string } {
  const refused = (error: Error) => badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  const decoded = decodedOr(() => decodeJsonOrYaml(bytes), refused);
  if (isJsonObject(decoded.value)) return { ...decoded, value: decoded.value };
  const found = Array.isArray(decoded.value) ? "array" : typeof decoded.value;
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
  );
}

/** Clients send JSON under the name of YAML, and reading it as such is many times faster. */
function decodeJsonOrYaml(bytes: Buffer): { readonly value: Json; readonly duplicate?: string } {
  try {
    if (bytes[0] === openingBrace) {
      const { value, duplicateFields } = decodeJson(bytes);
      if (duplicateFields.length === 0) return { value };
    }
  } catch (error) {
    if (!(error instanceof InvalidJsonError)) throw error;
  }
  try {
    return { value: parseYaml(bytes) };
  } catch (error) {
    if (!(error instanceof InvalidYamlError) || !error.isDuplicateKey) throw error;
    return { value: parseYaml(bytes, { duplicateKeys: "last-wins" }), duplicate: error.message };
  }
}

const openingBrace = 0x7b;

/** Equal keys are no error yet: how strict to be is for the caller to say. */
function decodeYaml(bytes: Buffer): DecodedJson {
  try {
    return { value: parseYaml(bytes), duplicateFields: [] };
  } catch (error) {
    if (!(error instanceof InvalidYamlError) || !error.isDuplicateKey) throw error;
    const [, name = ""] = /key "((?:[^"\\]|\\.)*)"/.exec(error.message) ?? [];
    return { value: parseYaml(bytes, { duplicateKeys: "last-wins" }), duplicateFields: [name] };
  }
}

function decodedOr<T>(decode: () => T, refused: (error: Error) => ApiError): T {
  try {
    return decode();
  } catch (error) {
    if (
      error instanceof InvalidJsonError ||
      error instanceof InvalidYamlError ||
      error instanceof InvalidProtobufError ||
      error instanceof JsonTooDeepError
    ) {
      throw refused(error);
    }
    throw error;
  }
}

const longestExcerpt = 1024;

/** The complaint with what it is about: as it is where that is printable and short, as hexadecimal digits otherwise. */
function withBody(prefix: string, error: Error, bytes: Buffer): Error {
  const text = bytes.subarray(0, longestExcerpt).toString("utf8");
  const body = bytes.length === 0 ? "<empty>" : text;
  return new Error(`${prefix}${describeError(error)} (${body})`);
}

function isPatchType(type: string): type is keyof typeof patchTypes {
  return Object.hasOwn(patchTypes, type);
}

function unknownFormat(accepted: readonly string[]): ApiError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(", ")}`;
  return new ApiError({ httpCode: 415, reason: "UnsupportedMediaType", message });
}
