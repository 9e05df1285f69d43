import { quote } from "#base";
import { decodeJson, InvalidJsonError, isJsonObject, type Json, type JsonObject, JsonTooDeepError } from "#machinery";
import { CalloutError } from "./errors.ts";
import type { HookAnswer } from "./exchange.ts";

/** The object in an answer; throws where the answer is a refusal or holds none. */
export function objectIn(answer: HookAnswer): JsonObject {
  const { code, contentType, body } = answer;
  if (code < 200 || code > 206) throw new CalloutError(statusMessage(body) ?? refusalWords(answer));
  if (body.length === 0) {
    const type = contentType === "" ? "application/json" : contentType;
    throw new CalloutError(`0-length response with status code: ${code} and content type: ${type}`);
  }
  const value = readJson(body);
  if (isJsonObject(value)) return value;
  const what = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  throw unreadable(`json: cannot unmarshal ${what} into Go value of an object`);
}

function readJson(body: Buffer): Json {
  try {
    return decodeJson(body).value;
  } catch (error) {
    if (!(error instanceof InvalidJsonError || error instanceof JsonTooDeepError)) throw error;
    throw unreadable(error.message);
  }
}

function unreadable(why: string): CalloutError {
  return new CalloutError(`couldn't get version/kind; json parse error: ${why}`);
}

/** The message of a Status, where the body is one that has one. */
function statusMessage(body: Buffer): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || value["kind"] !== "Status" || value["apiVersion"] !== "v1") return undefined;
  const { message, status } = value;
  return status !== "Success" && typeof message === "string" && message !== "" ? message : undefined;
}

const longestQuote = 2048;

/** What is said of a code where the webhook itself says nothing that can be shown. */
const words: Readonly<Record<number, string>> = {
  400: "the server rejected our request for an unknown reason",
  401: "the server has asked for the client to provide credentials",
  404: "the server could not find the requested resource",
  405: "the server does not allow this method on the requested resource",
  409: "the server reported a conflict",
  422: "the server rejected our request due to an error in our request",
  429: "the server has received too many requests and has asked us to try again later",
  503: "the server is currently unable to handle the request",
  504: "the server was unable to return a response in the time allotted, but may still be processing the request",
};

function refusalWords({ code, contentType, body }: HookAnswer): string {
  const known = words[code];
  if (known !== undefined) return known;
  const isText = contentType === "" || contentType.startsWith("text/");
  const told = isText ? body.subarray(0, longestQuote).toString().trim() : "unknown";
  if (code === 403 || code === 415) return told;
  if (code === 406) {
    const unhelpful = told === "" || told === "unknown";
    return unhelpful ? "the server was unable to respond with a content type that the client supports" : told;
  }
  if (code >= 500) return `an error on the server (${quote(told)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}
