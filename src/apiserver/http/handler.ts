import { seconds } from "#base";
import type { Caller } from "#apiserver/admission";
import { answerText } from "./answer.ts";
import { answerError, timedOut } from "./answer-error.ts";
import type { Exchange } from "./exchange.ts";
import type { AnsweredRequest, Face } from "./face.ts";
import type { FairGate } from "./fair-gate.ts";
import { answerHealth } from "./health.ts";
import type { RequestLabels } from "./metrics.ts";
import { attributesOf } from "./operation.ts";
import { answerOther } from "./other-paths.ts";
import { readTimeout } from "./query-options.ts";
import { parsePath, type ResourcePath } from "./request-path.ts";
import type { ResourceAttributes } from "#apiserver/auth";
import { answeredBy, serveResource } from "./serve-resource.ts";
import { type ServedRequest, servedRequest } from "./served-request.ts";

const longestRequest = seconds(60);
const exempt = "system:masters";

/** Serves one request after the other, each to its end; the promise never rejects. */
export type Handler = (exchange: Exchange) => Promise<void>;

/** Who is it, may they, is there room, what is it, do it: in this order, for every request. */
export function createHandler(face: Face): Handler {
  const { clock, uuid } = face.engine;
  return async (exchange) => {
    const begun = clock.elapsed();
    const instant = clock.instant();
    const request = servedRequest(exchange, auditIdOf(exchange) ?? uuid());
    exchange.onEnd(() => request.cancellation.cancel());
    let code: number;
    try {
      code = await serve(face, request);
    } catch (error) {
      code = await refused(face, request, error);
    }
    request.cancellation.finish();
    face.metrics.finished(request.labels, code, (clock.elapsed() - begun) / 1000);
    face.onAnswered?.(recordOf(request, code, instant, clock.instant()));
  };
}

const longestAuditId = 64;

/** A client may name its request, so that it can find it in the log. */
function auditIdOf({ headers }: Exchange): string | undefined {
  const given = headers["audit-id"];
  return typeof given === "string" && given !== "" ? given.slice(0, longestAuditId) : undefined;
}

function recordOf(request: ServedRequest, code: number, receivedAt: number, answeredAt: number): AnsweredRequest {
  const { exchange, auditId, attributes, caller, status } = request;
  const { "x-forwarded-for": forwarded, "user-agent": userAgent = "" } = exchange.headers;
  const proxies = [forwarded ?? []].flat().flatMap((list) => list.split(",").map((each) => each.trim()));
  return {
    id: auditId,
    uri: exchange.url,
    attributes,
    caller,
    sourceIps: [...proxies, exchange.remoteAddress].filter((each) => each !== ""),
    userAgent,
    code,
    ...(status === undefined ? {} : { status }),
    receivedAt,
    answeredAt,
  };
}

async function refused(face: Face, request: ServedRequest, error: unknown): Promise<number> {
  try {
    return await answerError(face, request, error);
  } catch (failure) {
    face.log.error("an answer could not be given", failure, { url: request.exchange.url });
    request.exchange.abort();
    return 500;
  }
}

async function serve(face: Face, request: ServedRequest): Promise<number> {
  const { exchange, query } = request;
  const { peer, headers, method } = exchange;
  const caller = await face.security.authenticate({ headers, ...(peer === undefined ? {} : { tlsPeer: peer }) });
  request.caller = caller;
  const path = parsePath(request.path);
  if (path.kind === "other") {
    request.labels = { ...request.labels, verb: method, subresource: knownPath(path.path) };
    await face.security.authorize(caller, { verb: method.toLowerCase(), path: path.path });
    readTimeout(query, longestRequest);
    const health = answerHealth(path.path, query, face.checks);
    if (health === undefined) await answerOther(face, request, path.path, query);
    else answerText(request, health.code, health.text);
    return health?.code ?? 200;
  }
  const attributes = attributesOf(method, path, query);
  request.attributes = attributes;
  // Paths come from clients; only those that exist may become labels.
  const exists = face.engine.resources.find(path) !== undefined || answeredBy(face, path) !== undefined;
  if (exists) request.labels = labelsOf(attributes, headers["content-type"]);
  await face.security.authorize(caller, attributes);
  const what = { path, verb: attributes.verb };
  if (what.verb === "watch") return await serveResource(face, request, caller, what);
  return await inTurn(face, request, caller, what);
}

/** Serves a request when it is its turn, and within its time. */
async function inTurn(
  face: Face,
  request: ServedRequest,
  caller: Caller,
  what: { readonly path: ResourcePath; readonly verb: string },
): Promise<number> {
  const timeout = readTimeout(request.query, longestRequest);
  if (timeout < 1) throw timedOut();
  const gate = gateFor(face, request, caller);
  const done = face.deadlines.add(timeout, () => late(face, request));
  try {
    await gate?.enter(caller.name);
    try {
      return await serveResource(face, request, caller, what);
    } finally {
      gate?.leave();
    }
  } finally {
    done();
  }
}

/** What does not react to the end of its time is answered for. */
function late(face: Face, request: ServedRequest): void {
  const error = timedOut();
  request.cancellation.cancel(error);
  void refused(face, request, error);
}

/** Administrators are let in even when nobody else is. */
function gateFor({ reads, writes }: Face, { exchange }: ServedRequest, { groups }: Caller): FairGate | undefined {
  if (groups.includes(exempt)) return undefined;
  return exchange.method === "GET" || exchange.method === "HEAD" ? reads : writes;
}

const metricVerbs: Readonly<Record<string, string>> = { create: "POST", update: "PUT" };

function labelsOf(attributes: ResourceAttributes, contentType: string | undefined): RequestLabels {
  const { verb, group, version, resource, subresource, name, namespace } = attributes;
  const apply = verb === "patch" && contentType?.startsWith("application/apply-patch") === true;
  return {
    verb: apply ? "APPLY" : (metricVerbs[verb] ?? verb.toUpperCase()),
    group,
    version,
    resource,
    subresource,
    scope: name !== "" ? "resource" : namespace !== "" ? "namespace" : "cluster",
  };
}

/** The beginning of a path that exists. */
function knownPath(path: string): string {
  const [known = ""] = /^\/(healthz|livez|readyz|metrics|version|openapi\/v[23]|apis?)?(?=\/|$)/.exec(path) ?? [];
  return known;
}
