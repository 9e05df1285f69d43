import { ApiError } from "#machinery";
import { methodNotAllowed } from "#apiserver/registry";
import { isBuiltinGroup } from "#apiserver/discovery";
import { type AnswerContext, answerJson } from "./answer.ts";
import type { Face } from "./face.ts";
import { parseAccept } from "./media-type.ts";
import { PageNotFoundError } from "./operation.ts";
import { chooseRepresentation } from "./representation.ts";
import { serverVersion } from "./version.ts";

/** Answers a path that is no resource: discovery, documents, the version, metrics. */
export async function answerOther(
  face: Face,
  context: AnswerContext,
  path: string,
  query: URLSearchParams,
): Promise<void> {
  const { accept } = context.exchange.headers;
  if (path === "/api" || path === "/apis" || path.startsWith("/api/") || path.startsWith("/apis/")) {
    await answerDiscovery(face, context, path.replace(/\/$/, ""));
    return;
  }
  switch (path) {
    case "/":
      await json(context, { paths: allPaths(face) });
      return;
    case "/version":
    case "/version/":
      await json(context, serverVersion);
      return;
    case "/metrics": {
      const { text, contentType } = await face.metrics.render();
      context.exchange.answer(200, { "content-type": contentType, "audit-id": context.auditId }, Buffer.from(text));
      return;
    }
    case "/openapi/v2":
      await answerDocument(context, face.openApi.v2(), accept);
      return;
    case "/openapi/v3":
    case "/openapi/v3/":
      await json(context, face.openApi.index());
      return;
  }
  const published = (await face.documents())[path];
  if (published !== undefined) {
    await json(context, published);
    return;
  }
  const document = path.startsWith("/openapi/v3/") ? face.openApi.v3(path.slice("/openapi/v3/".length)) : undefined;
  if (document === undefined) throw new PageNotFoundError();
  const hash = query.get("hash");
  await answerDocument(context, document, accept, hash === document.hash);
}

async function answerDiscovery(face: Face, context: AnswerContext, path: string): Promise<void> {
  if (context.exchange.method !== "GET" && context.exchange.method !== "HEAD") throw methodNotAllowed();
  const { accept } = context.exchange.headers;
  const version = path === "/api" || path === "/apis" ? aggregatedVersion(accept) : undefined;
  if (version !== undefined) {
    const document = face.discovery.aggregated(path === "/api" ? "core" : "groups", version);
    await answerCacheable(context, document, {
      "content-type": `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
      "cache-control": "public",
      vary: "Accept",
    });
    return;
  }
  const found = face.discovery.legacy(path, face.address());
  if (found !== undefined) {
    await answerJson(context, 200, found, chooseRepresentation({ accept, watching: false, custom: true }));
    return;
  }
  const [, root, group = ""] = path.split("/");
  if (root === "apis" && isBuiltinGroup(group)) throw noSuchVersion();
  throw new PageNotFoundError();
}

/** The version of the form that holds everything, where the client likes it better than the older one. */
function aggregatedVersion(accept: string | undefined): "v2" | "v2beta1" | undefined {
  for (const { type, parameters } of parseAccept(accept)) {
    if (type !== "application/json" && type !== "*/*" && type !== "application/*") continue;
    if (parameters.get("as") === undefined) return undefined;
    const version = parameters.get("v");
    const known = parameters.get("g") === "apidiscovery.k8s.io" && parameters.get("as") === "APIGroupDiscoveryList";
    if (known && (version === "v2" || version === "v2beta1")) return version;
  }
  return undefined;
}

interface Cacheable {
  readonly json: Buffer;
  readonly etag: string;
}

async function answerCacheable(
  context: AnswerContext,
  { json: body, etag }: Cacheable,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { exchange, auditId } = context;
  if (exchange.headers["if-none-match"] === etag) {
    exchange.answer(304, { "audit-id": auditId, ...headers, etag }, Buffer.alloc(0));
    return;
  }
  await answerJson(context, 200, body, { format: "json", pretty: false }, { ...headers, etag });
}

/** A document of the API's schemas; under its hash it never changes. */
async function answerDocument(
  context: AnswerContext,
  document: Cacheable,
  accept: string | undefined,
  immutable = false,
): Promise<void> {
  const takesJson = parseAccept(accept).some(({ type }) => /^(application\/(json|\*)|\*\/\*)$/.test(type));
  if (!takesJson) {
    const { exchange, auditId } = context;
    exchange.answer(406, { "audit-id": auditId, "content-type": "text/plain; charset=utf-8" }, Buffer.alloc(0));
    return;
  }
  await answerCacheable(context, document, {
    vary: "Accept",
    ...(immutable ? { "cache-control": "public, immutable", expires: "Sun, 17 Jan 2038 19:14:07 GMT" } : {}),
  });
}

async function json(context: AnswerContext, value: object): Promise<void> {
  const { accept, "user-agent": agent = "" } = context.exchange.headers;
  const representation = chooseRepresentation({ accept, watching: false, custom: true });
  const pretty = /^(curl|Wget|Mozilla)\//.test(agent) || representation.pretty;
  await answerJson(context, 200, Buffer.from(JSON.stringify(value)), { ...representation, pretty });
}

function allPaths(face: Face): readonly string[] {
  const health = ["healthz", "livez", "readyz"].flatMap((endpoint) => [
    `/${endpoint}`,
    ...face.checks(endpoint).map(({ name }) => `/${endpoint}/${name}`),
  ]);
  const fixed = ["/api", "/apis", "/apis/", "/metrics", "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/version"];
  return [...fixed, ...health, ...face.discovery.paths()].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

function noSuchVersion(): ApiError {
  const message = "the server could not find the requested resource";
  return new ApiError({ httpCode: 404, reason: "NotFound", message, details: {} });
}
