import { ApiError, fieldAt, type Status, type StatusReason } from "#machinery";

/** What was asked, for answers that say nothing themselves. */
export interface Question {
  readonly verb: string;
  /** The resource, or the path where there is none. */
  readonly what: string;
  readonly name?: string | undefined;
}

const generic: Readonly<Record<number, readonly [reason: StatusReason, message: string]>> = {
  400: ["BadRequest", "the server rejected our request for an unknown reason"],
  401: ["Unauthorized", "the server has asked for the client to provide credentials"],
  403: ["Forbidden", "the server does not allow access to the requested resource"],
  404: ["NotFound", "the server could not find the requested resource"],
  405: ["MethodNotAllowed", "the server does not allow this method on the requested resource"],
  406: ["NotAcceptable", "the server was unable to respond with a content type that the client supports"],
  409: ["Conflict", "the server reported a conflict"],
  410: ["Gone", "the requested resource is gone"],
  413: ["RequestEntityTooLarge", "the request was too large for the server"],
  415: ["UnsupportedMediaType", "the body of the request was in an unknown format"],
  422: ["Invalid", "the server rejected our request due to an error in our request"],
  429: ["TooManyRequests", "the server has received too many requests and has asked us to try again later"],
  503: ["ServiceUnavailable", "the server is currently unable to handle the request"],
  504: [
    "Timeout",
    "the server was unable to return a response in the time allotted, but may still be processing the request",
  ],
};

/** True for what a server answers when it has no object to give. */
export function isStatus(answer: unknown): answer is Status {
  return fieldAt(answer, "kind") === "Status" && fieldAt(answer, "apiVersion") === "v1";
}

/** The error that a Status says. */
export function statusError(status: Status, fallbackCode = 500): ApiError {
  const { code, reason = "", message = "", details, metadata } = status;
  // A server may leave out what the type promises.
  const token: unknown = fieldAt(metadata, "continue");
  return new ApiError({
    httpCode: code === undefined || code === 0 ? fallbackCode : code,
    reason,
    message,
    ...(details === undefined ? {} : { details }),
    ...(typeof token === "string" && token !== "" ? { continue: token } : {}),
  });
}

/** The error of an answer without a Status, as a proxy in between or a path of no group gives it. */
export function genericError(
  httpCode: number,
  text: string,
  question: Question & { readonly retryAfterSeconds?: number | undefined },
): ApiError {
  const { verb, what, name, retryAfterSeconds } = question;
  const [reason, message] = Object.hasOwn(generic, httpCode) ? (generic[httpCode] ?? unknown(text)) : unknown(text);
  const about = [verb, what, name].filter((word) => word !== undefined && word !== "").join(" ");
  return new ApiError({
    httpCode,
    reason: httpCode === 409 && verb === "create" ? "AlreadyExists" : reason,
    message: `${message} (${about})`,
    details: {
      ...(name === undefined || name === "" ? {} : { name }),
      causes: [{ reason: "UnexpectedServerResponse", message: text.slice(0, 2048) }],
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    },
  });
}

function unknown(text: string): readonly [reason: StatusReason, message: string] {
  const said = text.trim() === "" ? "unknown" : text.trim().slice(0, 256);
  return [
    "InternalError",
    `an error on the server (${JSON.stringify(said)}) has prevented the request from succeeding`,
  ];
}
