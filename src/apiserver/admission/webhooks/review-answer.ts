import { quote } from "#base";
import { CalloutError } from "#apiserver/callout";
import { isJsonList, isJsonObject, type Json, type JsonObject } from "#machinery";
import { reviewGroup } from "./review.ts";

/** What a webhook says about a request. */
export interface ReviewAnswer {
  readonly allowed: boolean;
  /** Why it is not allowed, as a Status. */
  readonly status: JsonObject;
  readonly warnings: readonly string[];
  /** A change of the object; only webhooks that may change have one. */
  readonly patch: { readonly type: string; readonly text: string } | undefined;
}

interface Expectation {
  readonly uid: string;
  readonly version: "v1" | "v1beta1";
  readonly mayChange: boolean;
}

/** Reads an answer and checks that it is one to what was asked; throws a CalloutError where it is not. */
export function readReviewAnswer(review: JsonObject, expected: Expectation): ReviewAnswer {
  checkKind(review, expected);
  const response = part(review, "response", "AdmissionReview", isJsonObject, "v1.AdmissionResponse");
  if (response === undefined) throw invalidAnswer("webhook response was absent");
  const field = <T extends Json>(name: string, is: (value: Json) => value is T, type: string) =>
    part(response, name, "AdmissionResponse.response", is, type);
  const uid = field("uid", isText, "types.UID") ?? "";
  const type = field("patchType", isText, "v1.PatchType");
  const text = decoded(field("patch", isText, "[]uint8") ?? "");
  const answer = {
    allowed: field("allowed", isBoolean, "bool") ?? false,
    status: field("status", isJsonObject, "v1.Status") ?? {},
    warnings: field("warnings", isTexts, "[]string") ?? [],
  };
  // Older webhooks were never held to what follows.
  if (expected.version === "v1") {
    if (uid !== expected.uid) throw invalidAnswer(`expected response.uid=${quote(expected.uid)}, got ${quote(uid)}`);
    checkCompleteKind(review);
    checkPatch(text, type, expected);
  }
  const patch = { text, type: expected.version === "v1" ? (type ?? "") : "JSONPatch" };
  return { ...answer, patch: expected.mayChange && text !== "" ? patch : undefined };
}

function checkPatch(text: string, type: string | undefined, { mayChange }: Expectation): void {
  if (!mayChange) {
    if (text !== "") throw invalidAnswer("validating webhook may not return response.patch");
    if (type !== undefined) throw invalidAnswer("validating webhook may not return response.patchType");
    return;
  }
  if (text !== "" && type === undefined) {
    throw invalidAnswer("webhook returned response.patch but not response.patchType");
  }
  if (text === "" && type !== undefined) {
    throw invalidAnswer("webhook returned response.patchType but not response.patch");
  }
  if (type === "") throw invalidAnswer('webhook returned invalid response.patchType of ""');
}

/** An object that says that it is something else is refused before anyone looks into it. */
function checkKind(review: JsonObject, { version }: Expectation): void {
  const { kind = "", apiVersion = "" } = review;
  if (typeof kind !== "string" || typeof apiVersion !== "string" || kind === "" || apiVersion === "") return;
  if (kind === "AdmissionReview" && apiVersion === `${reviewGroup}/${version}`) return;
  const [given = ""] = apiVersion.split("/").slice(-1);
  const isKnown =
    (kind === "AdmissionReview" && [`${reviewGroup}/v1`, `${reviewGroup}/v1beta1`].includes(apiVersion)) ||
    (kind === "Status" && apiVersion === "v1");
  throw failedCall(
    isKnown
      ? `converting (${given}.${kind}) to (${version}.AdmissionReview): unknown conversion`
      : `no kind ${quote(kind)} is registered for version ${quote(apiVersion)}`,
  );
}

function checkCompleteKind(review: JsonObject): void {
  const [kind = "", apiVersion = ""] = [review["kind"], review["apiVersion"]].map((each) =>
    typeof each === "string" ? each : "",
  );
  if (kind === "AdmissionReview" && apiVersion === `${reviewGroup}/v1`) return;
  const got = `${apiVersion === "" ? "/" : apiVersion}, Kind=${kind}`;
  throw invalidAnswer(`expected webhook response of ${reviewGroup}/v1, Kind=AdmissionReview, got ${got}`);
}

function part<T extends Json>(
  object: JsonObject,
  name: string,
  owner: string,
  is: (value: Json) => value is T,
  type: string,
): T | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (is(value)) return value;
  const what = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  throw failedCall(`json: cannot unmarshal ${what} into Go struct field ${owner}.${name} of type ${type}`);
}

function isText(value: Json): value is string {
  return typeof value === "string";
}

function isBoolean(value: Json): value is boolean {
  return typeof value === "boolean";
}

function isTexts(value: Json): value is readonly string[] {
  return isJsonList(value) && value.every(isText);
}

function decoded(text: string): string {
  const clean = text.replaceAll(/[\r\n]/g, "");
  const bad = clean.search(/[^A-Za-z0-9+/=]/);
  if (bad >= 0 || !/^[^=]*={0,2}$/.test(clean) || clean.length % 4 !== 0) {
    throw failedCall(`illegal base64 data at input byte ${bad < 0 ? clean.length : bad}`);
  }
  return Buffer.from(clean, "base64").toString();
}

/** What was not even a review. */
export function failedCall(why: string): CalloutError {
  return new CalloutError(`failed to call webhook: ${why}`);
}

function invalidAnswer(why: string): CalloutError {
  return new CalloutError(`received invalid webhook response: ${why}`);
}
