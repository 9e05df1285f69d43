import { ApiError, internalError } from "#machinery";
import { answerJson, answerText } from "./answer.ts";
import { jsonText } from "./encoded.ts";
import type { Face } from "./face.ts";
import { PageNotFoundError } from "./operation.ts";
import { errorRepresentation } from "./representation.ts";
import type { ServedRequest } from "./served-request.ts";

/** Tells the client what went wrong; gives the code. */
export async function answerError(face: Face, request: ServedRequest, thrown: unknown): Promise<number> {
  const error = thrown instanceof ApiError ? thrown : unexpected(face, request, thrown);
  request.status = error.status;
  if (error instanceof PageNotFoundError) {
    answerText(request, 404, `${error.message}\n`);
    return 404;
  }
  const { accept, "user-agent": agent = "" } = request.exchange.headers;
  const representation = errorRepresentation(accept);
  const pretty = request.query.get("pretty") === "true" || isPrettyAgent(agent);
  const retry = error.status.details?.retryAfterSeconds;
  const headers = retry === undefined ? {} : { "retry-after": retry };
  const code = error.httpCode;
  await answerJson(request, code, Buffer.from(jsonText(error.status)), { ...representation, pretty }, headers);
  return code;
}

/** Browsers and command-line tools are looked at by people. */
export function isPrettyAgent(agent: string): boolean {
  return /^(curl|Wget|Mozilla)\//.test(agent);
}

/** The refusal of a request that took longer than it may. */
export function timedOut(): ApiError {
  const message = "Timeout: request did not complete within the allotted timeout";
  return new ApiError({ httpCode: 504, reason: "Timeout", message, details: {} });
}

/** What nobody foresaw is for the log; the client learns that it was not its fault. */
function unexpected(face: Face, { cancellation, exchange }: ServedRequest, thrown: unknown): ApiError {
  if (cancellation.reason instanceof ApiError) return cancellation.reason;
  if (!exchange.isOver) face.log.error("a request failed", thrown, { method: exchange.method, url: exchange.url });
  return internalError("the server failed to serve the request");
}
