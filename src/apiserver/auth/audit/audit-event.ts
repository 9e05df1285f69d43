import type { JsonObject, Status } from "#machinery";
import type { Caller } from "#apiserver/admission";
import { type Attributes, isAboutPath } from "../rbac/attributes.ts";
import { userInfo } from "../reviews/user-info.ts";

/** A request that has been answered, as the HTTP face tells it. */
export interface AuditedRequest {
  /** The id that the client sent as Audit-ID, or a new one. */
  readonly id: string;
  /** The path with its query. */
  readonly uri: string;
  readonly attributes: Attributes;
  /** Undefined for one whose credentials were refused. */
  readonly caller: Caller | undefined;
  /** From the client on, over proxies, to who connected. */
  readonly sourceIps: readonly string[];
  readonly userAgent: string;
  /** The HTTP code. */
  readonly code: number;
  /** The Status that was answered, where it was one. */
  readonly status?: Status;
  /** Milliseconds since 1970; fractions are microseconds. */
  readonly receivedAt: number;
  readonly answeredAt: number;
  readonly annotations?: { readonly [key: string]: string };
}

/** The line of the audit log for a request: an `audit.k8s.io/v1` Event of level Metadata. */
export function auditEvent(request: AuditedRequest): JsonObject {
  const { caller, attributes, annotations = {} } = request;
  const reference = objectReference(attributes);
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    auditID: request.id,
    stage: "ResponseComplete",
    requestURI: request.uri,
    verb: attributes.verb,
    user: caller === undefined ? {} : userInfo(caller.impersonator ?? caller),
    ...(caller?.impersonator === undefined ? {} : { impersonatedUser: userInfo(caller) }),
    ...(request.sourceIps.length === 0 ? {} : { sourceIPs: request.sourceIps }),
    ...(request.userAgent === "" ? {} : { userAgent: request.userAgent }),
    ...(reference === undefined ? {} : { objectRef: reference }),
    responseStatus: responseStatus(request),
    requestReceivedTimestamp: microseconds(request.receivedAt),
    stageTimestamp: microseconds(request.answeredAt),
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}

function objectReference(attributes: Attributes): JsonObject | undefined {
  if (isAboutPath(attributes)) return undefined;
  const { resource, namespace, name, group, version, subresource } = attributes;
  const parts = { resource, namespace, name, apiGroup: group, apiVersion: version, subresource };
  return Object.fromEntries(Object.entries(parts).filter(([, text]) => text !== ""));
}

function responseStatus({ code, status }: AuditedRequest): JsonObject {
  if (status === undefined) return { metadata: {}, code };
  const { status: outcome, message, reason, details } = status;
  const told = {
    status: outcome,
    ...(message === undefined ? {} : { message }),
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details: { ...details } }),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a Status is JSON
  return { metadata: {}, ...told, code } as unknown as JsonObject;
}

/** A moment as Kubernetes writes a MicroTime. */
function microseconds(instant: number): string {
  const whole = Math.floor(instant);
  const rest = Math.floor((instant - whole) * 1000);
  return new Date(whole).toISOString().replace("Z", `${String(rest).padStart(3, "0")}Z`);
}
