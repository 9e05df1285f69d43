import { CapstanError, findError, quote } from "#base";
import { describeFieldErrors, describeFieldProblem, type FieldError } from "./field-error.ts";
import { describeGroupKind, describeGroupResource, type GroupKind } from "./group-version-kind.ts";

/** Why the API refused, in Kubernetes' words. `""` where it gives none. */
export type StatusReason =
  | ""
  | "Unauthorized"
  | "Forbidden"
  | "NotFound"
  | "AlreadyExists"
  | "Conflict"
  | "Gone"
  | "Invalid"
  | "ServerTimeout"
  | "Timeout"
  | "TooManyRequests"
  | "BadRequest"
  | "MethodNotAllowed"
  | "NotAcceptable"
  | "RequestEntityTooLarge"
  | "UnsupportedMediaType"
  | "InternalError"
  | "Expired"
  | "ServiceUnavailable"
  | "UnknownError";

/** One of the things that led to a refusal. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a refusal is about. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The answer of the API when it has no object to give: a refusal, or a plain success. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: { readonly continue?: string; readonly resourceVersion?: string };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** A refusal of the API server, ours or a remote one. */
export class ApiError extends CapstanError {
  readonly code: string = "API_ERROR";
  readonly status: Status;

  constructor(refusal: {
    readonly httpCode: number;
    readonly reason: StatusReason;
    readonly message: string;
    readonly details?: StatusDetails;
    readonly continue?: string;
    readonly cause?: unknown;
  }) {
    super(refusal.message, refusal.cause === undefined ? {} : { cause: refusal.cause });
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: refusal.continue === undefined ? {} : { continue: refusal.continue },
      status: "Failure",
      message: refusal.message,
      ...(refusal.reason === "" ? {} : { reason: refusal.reason }),
      ...(refusal.details === undefined ? {} : { details: refusal.details }),
      code: refusal.httpCode,
    };
  }

  get reason(): StatusReason {
    return this.status.reason ?? "";
  }

  get httpCode(): number {
    return this.status.code ?? 500;
  }
}

type GroupResource = { readonly group: string; readonly resource: string };

/** The refusal to show what is not there. */
export function notFound(what: GroupResource, name: string): ApiError {
  const message = `${describeGroupResource(what)} ${quote(name)} not found`;
  return new ApiError({ httpCode: 404, reason: "NotFound", message, details: detailsOf(what, name) });
}

/** The refusal to create what is there already. */
export function alreadyExists(what: GroupResource, name: string): ApiError {
  const message = `${describeGroupResource(what)} ${quote(name)} already exists`;
  return new ApiError({ httpCode: 409, reason: "AlreadyExists", message, details: detailsOf(what, name) });
}

/** The refusal of a write that does not fit the state of the object. */
export function conflict(what: GroupResource, name: string, why: string): ApiError {
  const message = `Operation cannot be fulfilled on ${describeGroupResource(what)} ${quote(name)}: ${why}`;
  return new ApiError({ httpCode: 409, reason: "Conflict", message, details: detailsOf(what, name) });
}

/** The refusal of a write that was made from an older state of the object. */
export function staleObject(what: GroupResource, name: string): ApiError {
  const why = "the object has been modified; please apply your changes to the latest version and try again";
  return conflict(what, name, why);
}

/** The refusal of what the caller may not do. */
export function forbiddenRequest(what: GroupResource, name: string, why: string): ApiError {
  const message = `${describeGroupResource(what)} ${name === "" ? "" : `${quote(name)} `}is forbidden: ${why}`;
  return new ApiError({ httpCode: 403, reason: "Forbidden", message, details: detailsOf(what, name) });
}

/** The refusal of an object with something wrong in it. */
export function invalidObject(what: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
  const message = `${describeGroupKind(what)} ${quote(name)} is invalid: ${describeFieldErrors(errors)}`;
  const causes = errors.map((error) => ({
    reason: error.type,
    message: describeFieldProblem(error),
    field: error.field,
  }));
  const details = {
    ...(name === "" ? {} : { name }),
    ...inGroup(what.group),
    ...(what.kind === "" ? {} : { kind: what.kind }),
    causes,
  };
  return new ApiError({ httpCode: 422, reason: "Invalid", message, details });
}

/** The refusal of a request that cannot be understood. */
export function badRequest(message: string): ApiError {
  return new ApiError({ httpCode: 400, reason: "BadRequest", message });
}

/** The admission that something went wrong in the server. */
export function internalError(cause: string): ApiError {
  const details = { causes: [{ message: cause }] };
  return new ApiError({
    httpCode: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${cause}`,
    details,
  });
}

/** History that the server no longer has; a token lets the caller go on with what is there now. */
export function expired(message: string, token?: string): ApiError {
  return new ApiError({
    httpCode: 410,
    reason: "Expired",
    message,
    ...(token === undefined ? {} : { continue: token }),
  });
}

/** True where an error is, or wraps, the answer that the object is not there. */
export function isNotFound(error: unknown): boolean {
  return hasReason(error, "NotFound");
}

/** True where an error is, or wraps, the answer that the object is there already. */
export function isAlreadyExists(error: unknown): boolean {
  return hasReason(error, "AlreadyExists");
}

/** True where an error is, or wraps, the answer that another write came first. */
export function isConflict(error: unknown): boolean {
  return hasReason(error, "Conflict");
}

/** True where an error, or one that it wraps, is a refusal for this reason. */
export function hasReason(error: unknown, reason: StatusReason): boolean {
  return findError(error, ApiError)?.reason === reason;
}

function detailsOf(what: GroupResource, name: string): StatusDetails {
  return { ...(name === "" ? {} : { name }), ...inGroup(what.group), kind: what.resource };
}

function inGroup(group: string): { readonly group?: string } {
  return group === "" ? {} : { group };
}
