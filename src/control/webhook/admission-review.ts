import {
  type ApiError,
  asJson,
  badRequest,
  decodeJson,
  encodeJson,
  fieldAt,
  type GroupVersionResource,
  InvalidJsonError,
  isJsonObject,
  type Json,
  JsonTooDeepError,
  jsonPatchBetween,
  type KubeObject,
} from "#machinery";

/** What an API server asks about a write. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly operation: AdmissionOperation;
  readonly resource: GroupVersionResource;
  /** Empty where the object itself is written. */
  readonly subresource: string;
  /** Empty where the server has yet to choose one. */
  readonly name: string;
  /** The object as it is to be; none for a delete. */
  readonly object: KubeObject | undefined;
  readonly oldObject: KubeObject | undefined;
}

/** What is done to an object. */
export type AdmissionOperation = (typeof operations)[number];

/** What an API server is answered. */
export type AdmissionVerdict =
  | {
      readonly kind: "allowed";
      /** The object as it should be, where that differs from what was asked about. */
      readonly object?: KubeObject;
      readonly warnings?: readonly string[];
    }
  | { readonly kind: "denied"; readonly error: ApiError; readonly warnings?: readonly string[] };

const operations = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;
const apiVersion = "admission.k8s.io/v1";

/** Reads an AdmissionReview; a refusal says what is wrong with it. */
export function readReview(body: Uint8Array): AdmissionRequest {
  const review = jsonIn(body);
  if (fieldAt(review, "kind") !== "AdmissionReview" || fieldAt(review, "apiVersion") !== apiVersion) {
    throw badRequest(`the body is not an AdmissionReview of ${apiVersion}`);
  }
  const request = fieldAt(review, "request");
  const uid = textAt(request, "uid");
  if (uid === "") throw badRequest("the AdmissionReview has no request with a uid");
  const asked = textAt(request, "operation");
  const operation = operations.find((one) => one === asked);
  if (operation === undefined) throw badRequest(`unknown operation ${JSON.stringify(asked)}`);
  const resource = fieldAt(request, "resource");
  return {
    uid,
    operation,
    resource: {
      group: textAt(resource, "group"),
      version: textAt(resource, "version"),
      resource: textAt(resource, "resource"),
    },
    subresource: textAt(request, "subResource"),
    name: textAt(request, "name"),
    object: objectAt(request, "object"),
    oldObject: objectAt(request, "oldObject"),
  };
}

/** The AdmissionReview that answers a request. */
export function printReview({ uid, object }: AdmissionRequest, verdict: AdmissionVerdict): string {
  const { warnings = [] } = verdict;
  const response = {
    uid,
    allowed: verdict.kind === "allowed",
    ...(verdict.kind === "allowed" ? patchOf(object, verdict.object) : { status: statusOf(verdict.error) }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
  return encodeJson({ apiVersion, kind: "AdmissionReview", response });
}

function patchOf(before: KubeObject | undefined, after: KubeObject | undefined): { readonly [field: string]: Json } {
  if (before === undefined || after === undefined) return {};
  const operationsBetween = jsonPatchBetween(asJson(before), asJson(after));
  if (operationsBetween.length === 0) return {};
  return { patchType: "JSONPatch", patch: Buffer.from(encodeJson(operationsBetween)).toString("base64") };
}

/** A refusal as plain data. */
function statusOf({ status: { details, ...status } }: ApiError): Json {
  if (details === undefined) return { ...status };
  const { causes, ...about } = details;
  return { ...status, details: { ...about, causes: (causes ?? []).map((cause) => ({ ...cause })) } };
}

function jsonIn(body: Uint8Array): Json {
  if (body.length === 0) throw badRequest("the request body is empty");
  try {
    return decodeJson(body).value;
  } catch (error) {
    if (!(error instanceof InvalidJsonError || error instanceof JsonTooDeepError)) throw error;
    throw badRequest(`the body is not JSON: ${error.message}`);
  }
}

function objectAt(request: unknown, field: string): KubeObject | undefined {
  const value = fieldAt(request, field);
  if (value === undefined || value === null) return undefined;
  if (isKubeObject(value)) return value;
  throw badRequest(`${field} of the request is not an object with apiVersion, kind and metadata`);
}

function isKubeObject(value: unknown): value is KubeObject {
  const isText = (field: string) => typeof fieldAt(value, field) === "string";
  return isText("apiVersion") && isText("kind") && isJsonObject(fieldAt(value, "metadata"));
}

function textAt(value: unknown, field: string): string {
  const found = fieldAt(value, field);
  return typeof found === "string" ? found : "";
}
